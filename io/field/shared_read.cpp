// SPDX-License-Identifier: MIT
#include "io/field/shared_read.hpp"

#include "comm/mpi/error.hpp"
#include "comm/partition/rank_mapping.hpp"
#include "comm/system/activity.hpp"
#include "io/distribution/redistribution.hpp"
#include "io/distribution/scatter.hpp"
#include "io/hdf5/error.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace halotherm::io {

namespace {

/// The cells that the file stores together: of chunks, which can only be read as a whole if they
/// are compressed.
std::array<double, 3> grain_of(const OpenDataset& open, int dimensions) {
  std::array<double, 3> grain{1, 1, 1};
  const hdf5::PropertyList creation(H5Dget_create_plist(open.dataset.get()));
  if (!creation || H5Pget_layout(creation.get()) != H5D_CHUNKED) return grain;
  std::array<hsize_t, 3> chunk{1, 1, 1};
  H5Pget_chunk(creation.get(), dimensions, chunk.data());
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto place = static_cast<std::size_t>(dimensions - 1 - axis);
    grain[static_cast<std::size_t>(axis)] = static_cast<double>(chunk[place]);
  }
  return grain;
}

/// One rank's part in a shared read.
template <class Real>
class Reader {
 public:
  using See = std::function<void(const comm::Box&, std::span<const Real>)>;

  Reader(const comm::Communicator& communicator, const FieldSource& source,
         const FieldTarget<Real>& target, const See& see)
      : communicator_(communicator),
        source_(source),
        target_(target),
        see_(see),
        messages_(communicator) {}

  void read() {
    find_grain();
    const auto nodes = comm::nodes_of(communicator_);
    const auto blocks = gather_blocks(communicator_, target_.block);
    auto scatter = comm::agreed(communicator_, [&] {
      const auto bricks = bricks_to_read(source_.axes.extent, grain_, sizeof(Real), nodes);
      Scatter<Real> made(bricks, blocks, communicator_.rank(), target_.periodic);
      made.prepare(static_cast<bool>(see_), grain_);
      return made;
    });
    for (int round = 0; round < scatter.rounds(); ++round) {
      comm::agree(communicator_, [&] {
        for (const auto& slab : scatter.slabs(round)) read(slab.box, slab.values);
      });
      scatter.send(round, messages_);
      messages_.wait();
      scatter.unpack(round, target_.values);
    }
  }

 private:
  void find_grain() {
    std::array<double, 3> grain{1, 1, 1};
    comm::agree(communicator_, [&] {
      if (!communicator_.is_root()) return;
      open_ = source_.open();
      grain = grain_of(*open_, source_.axes.dimensions);
    });
    communicator_.broadcast(grain);
    for (int axis = 0; axis < 3; ++axis) {
      const auto most = static_cast<double>(
          source_.axes.extent[axis]);  // a chunk may be larger than the data set
      grain_[axis] = static_cast<int>(std::clamp(grain[static_cast<std::size_t>(axis)], 1.0, most));
    }
  }

  void read(const comm::Box& box, std::span<Real> values) {
    if (!open_) open_ = source_.open();
    const auto reason = hdf5::read_box<Real>(open_->dataset, source_.axes, box, values);
    if (!reason.empty()) source_.refuse(open_->dataset, reason);
    if (see_) see_(box, values);
    comm::note_progress();
  }

  const comm::Communicator& communicator_;
  const FieldSource& source_;
  const FieldTarget<Real>& target_;
  const See& see_;
  comm::PendingMessages messages_;
  std::optional<OpenDataset> open_;
  comm::Int3 grain_{1, 1, 1};
};

}  // namespace

template <class Real>
void read_shared(const comm::Communicator& communicator, const FieldSource& source,
                 const FieldTarget<Real>& target,
                 const std::function<void(const comm::Box&, std::span<const Real>)>& see) {
  const hdf5::QuietErrors quiet;
  Reader<Real>(communicator, source, target, see).read();
}

template <class Real>
std::int64_t values_kept_to_read(const comm::Int3& extent, const std::vector<comm::Box>& blocks,
                                 const std::vector<int>& nodes) {
  return Scatter<Real>(bricks_to_read(extent, {1, 1, 1}, sizeof(Real), nodes), blocks, 0, {0, 0, 0})
      .buffered_values();
}

#define HALOTHERM_INSTANTIATE(Real)                                                               \
  template void read_shared(const comm::Communicator&, const FieldSource&,                        \
                            const FieldTarget<Real>&,                                             \
                            const std::function<void(const comm::Box&, std::span<const Real>)>&); \
  template std::int64_t values_kept_to_read<Real>(                                                \
      const comm::Int3&, const std::vector<comm::Box>&, const std::vector<int>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::io
