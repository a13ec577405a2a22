// SPDX-License-Identifier: MIT
#include "io/field/shared_read.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"
#include "io/distribution/redistribution.hpp"
#include "io/distribution/scatter.hpp"
#include "io/hdf5/library.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace halotherm::io {

namespace {

/// Bricks that an estimate looks at.
constexpr std::int64_t most_bricks = 1 << 23;

/// The cells that the file stores together: a chunk, which can only be read as a whole if it is
/// compressed.
comm::Int3 grain_of(const OpenDataset& open, const FieldAxes& axes) {
  comm::Int3 grain{1, 1, 1};
  const hdf5::PropertyList creation(H5Dget_create_plist(open.dataset.get()));
  if (!creation || H5Pget_layout(creation.get()) != H5D_CHUNKED) return grain;
  std::array<hsize_t, 3> chunk{1, 1, 1};
  H5Pget_chunk(creation.get(), axes.dimensions, chunk.data());
  for (int axis = 0; axis < axes.dimensions; ++axis) {
    const auto cells = chunk[static_cast<std::size_t>(axes.dimensions - 1 - axis)];
    const auto most = static_cast<hsize_t>(axes.extent[axis]);  // chunks may exceed the data set
    grain[axis] = static_cast<int>(std::clamp<hsize_t>(cells, 1, most));
  }
  return grain;
}

/// The calls of one read_shared on this rank.
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
    const auto grain = find_grain();
    const auto& nodes = communicator_.nodes();
    const auto blocks = gather_blocks(communicator_, target_.block);
    auto scatter = comm::agreed(communicator_, [&] {
      const auto bricks = bricks_to_read(source_.axes.extent, grain, sizeof(Real), nodes);
      Scatter<Real> made(bricks, blocks, communicator_.rank(), target_.periodic);
      made.prepare(static_cast<bool>(see_), grain);
      return made;
    });
    for (int round = 0; round < scatter.rounds(); ++round) {
      comm::agree(communicator_, [&] {
        for (const auto& [box, values, skip] : scatter.boxes(round)) read(box, values);
      });
      scatter.send(round, messages_);
      messages_.wait();
      scatter.unpack(round, target_.values);
    }
  }

 private:
  comm::Int3 find_grain() {
    comm::Int3 grain{0, 0, 0};
    comm::agree(communicator_, [&] {
      if (!communicator_.is_root()) return;
      open_ = source_.open();
      grain = grain_of(*open_, source_.axes);
    });
    for (int axis = 0; axis < 3; ++axis) grain[axis] = communicator_.max(grain[axis]);
    return grain;
  }

  void read(const comm::Box& box, std::span<Real> values) {
    if (!open_) open_ = source_.open();
    const auto& dataset = open_->dataset;
    const auto file_space = hdf5::file_selection(source_.axes, box);
    const auto memory_space = hdf5::memory_row(box.size());
    if (H5Dread(dataset.get(), hdf5::native_type<Real>(), memory_space.get(), file_space.get(),
                H5P_DEFAULT, values.data()) < 0)
      source_.refuse(dataset, hdf5::last_error());
    if (see_) see_(box, values);
    comm::note_progress();
  }

  const comm::Communicator& communicator_;
  const FieldSource& source_;
  const FieldTarget<Real>& target_;
  const See& see_;
  comm::PendingMessages messages_;
  std::optional<OpenDataset> open_;
};

}  // namespace

template <class Real>
void read_shared(const comm::Communicator& communicator, const FieldSource& source,
                 const FieldTarget<Real>& target,
                 const std::function<void(const comm::Box&, std::span<const Real>)>& see) {
  const hdf5::QuietErrors quiet;
  Reader<Real>(communicator, source, target, see).read();
}

/// A brick that rank 0 reads is kept, and sent but for the part of its own block; each brick of
/// other readers sends what its block has of it.
template <class Real>
std::int64_t values_kept_to_read(const comm::Int3& extent, const std::vector<comm::Box>& blocks,
                                 const std::vector<int>& nodes) {
  const auto bricks = bricks_to_read(extent, {1, 1, 1}, sizeof(Real), nodes);
  const auto& mine = blocks.front();
  const auto readers = static_cast<std::int64_t>(bricks.readers().size());
  const std::int64_t rounds = bricks.rounds();
  const auto looked_at = std::clamp<std::int64_t>(most_bricks / readers, 1, rounds);
  std::int64_t most = 0;
  for (std::int64_t n = 0; n < looked_at; ++n) {
    const auto round = static_cast<int>(n * rounds / looked_at);
    const auto own = bricks.of(0, round);
    auto values = 2 * own.size() - comm::intersection(own, mine).size();
    for (const int reader : bricks.readers()) {
      if (reader != 0) values += comm::intersection(bricks.of(reader, round), mine).size();
    }
    most = std::max(most, values);
  }
  return most;
}

template void read_shared(const comm::Communicator&, const FieldSource&, const FieldTarget<float>&,
                          const std::function<void(const comm::Box&, std::span<const float>)>&);
template void read_shared(const comm::Communicator&, const FieldSource&, const FieldTarget<double>&,
                          const std::function<void(const comm::Box&, std::span<const double>)>&);
template std::int64_t values_kept_to_read<float>(const comm::Int3&, const std::vector<comm::Box>&,
                                                 const std::vector<int>&);
template std::int64_t values_kept_to_read<double>(const comm::Int3&, const std::vector<comm::Box>&,
                                                  const std::vector<int>&);

}  // namespace halotherm::io
