// SPDX-License-Identifier: MIT
#include "io/shared_field.hpp"

#include "comm/error.hpp"
#include "io/checksum.hpp"
#include "io/durable_file.hpp"
#include "io/hdf5_error.hpp"
#include "io/hdf5_values.hpp"

#include <array>
#include <vector>

namespace halotherm::io {

namespace {

constexpr std::int64_t write_bytes = std::int64_t{64} << 20;
constexpr std::int64_t read_bytes = std::int64_t{16} << 20;

using hdf5::checked;

/// Rank 0, alone: everything in the file but the field's values. Times of objects are not tracked, so that the same state gives the
/// same bytes.
template <class Real>
void describe_in(const hdf5::File& file, const SharedField& field, const std::string& action) {
  const auto extents = field.axes.file_extents();
  const hdf5::Dataspace space(checked(H5Screate_simple(field.axes.dimensions, extents.data(), nullptr), action));
  const hdf5::PropertyList links(checked(H5Pcreate(H5P_LINK_CREATE), action));
  checked(H5Pset_create_intermediate_group(links.get(), 1), action);
  const hdf5::PropertyList creation(checked(H5Pcreate(H5P_DATASET_CREATE), action));
  checked(H5Pset_obj_track_times(creation.get(), false), action);
  checked(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY), action);
  checked(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), action);
  const hdf5::Dataset dataset(checked(H5Dcreate2(file.get(), field.dataset.c_str(), hdf5::native_type<Real>(), space.get(),
                                                 links.get(), creation.get(), H5P_DEFAULT),
                                      action));
  field.describe(file.get(), dataset.get());
}

template <class Real>
void lay_out(const std::filesystem::path& partial, const SharedField& field) {
  const auto action = "cannot write '" + partial.string() + "'";
  hdf5::File file(checked(H5Fcreate(partial.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), action));
  try {
    describe_in<Real>(file, field, action);
    checked(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), action);
  } catch (const std::exception&) {
    file.abandon();  // closing would fail too
    remove_file(partial);
    throw;
  }
  checked(file.close(), action);
}

std::int64_t expected_bytes(const SharedField& field, std::size_t value_bytes) {
  std::int64_t bytes = static_cast<std::int64_t>(value_bytes);
  for (int axis = 0; axis < 3; ++axis) bytes *= field.axes.extent[axis];
  return bytes + field.description_bytes;
}

/// Collective. Makes the file with all its space; its size in bytes. HDF5 crashes at the program's end on a file that it could not
/// flush and close, so the space is tried first without HDF5, and a failure of HDF5 after that ends the job at once: rank 0 throws
/// an Error that is not collective.
template <class Real>
std::int64_t prepare(const comm::Communicator& communicator, const std::filesystem::path& partial, const SharedField& field) {
  comm::agree(communicator, [&] {
    if (communicator.is_root()) reserve_new_file(partial, expected_bytes(field, sizeof(Real)));
  });
  std::array<double, 1> bytes{};
  if (communicator.is_root()) lay_out<Real>(partial, field);
  comm::agree(communicator, [&] {
    if (!communicator.is_root()) return;
    reserve_space(partial);
    bytes[0] = static_cast<double>(std::filesystem::file_size(partial));
  });
  communicator.broadcast(bytes);
  const auto size = static_cast<std::int64_t>(bytes[0]);
  comm::agree(communicator, [&] { check_visible(partial, size); });
  return size;
}

/// Collective. Opens the file through MPI-IO.
hdf5::File open_together(const comm::Communicator& communicator, const std::filesystem::path& partial) {
  const hdf5::PropertyList access(checked(H5Pcreate(H5P_FILE_ACCESS), "cannot set up MPI-IO"));
  checked(H5Pset_fapl_mpio(access.get(), communicator.handle(), MPI_INFO_NULL), "cannot set up MPI-IO");
  hdf5::File file(H5Fopen(partial.c_str(), H5F_ACC_RDWR, access.get()));
  const auto reason = file ? std::string() : hdf5::last_error();
  if (!communicator.any(!file)) return file;
  const bool some = communicator.any(static_cast<bool>(file));
  const auto text = "cannot open '" + partial.string() + "' for MPI-IO (" + reason + ") check the file system";
  if (some) throw comm::Error(comm::ExitCode::input_output, text);
  throw comm::CollectiveError(comm::ExitCode::input_output, text);
}

template <class Real>
class CollectiveWriter {
 public:
  CollectiveWriter(const hdf5::Dataset& dataset, const SharedField& field)
      : dataset_(dataset), field_(field), transfer_(checked(H5Pcreate(H5P_DATASET_XFER), "cannot set up MPI-IO")) {
    checked(H5Pset_dxpl_mpio(transfer_.get(), H5FD_MPIO_COLLECTIVE), "cannot set up MPI-IO");
  }

  /// Collective; an empty box takes part without writing.
  void write(const comm::Box& box, const Real* values, const std::string& action) {
    const auto file_space = hdf5::file_selection(field_.axes, box);
    const auto memory_space = hdf5::memory_row(box.size());
    checked(H5Dwrite(dataset_.get(), hdf5::native_type<Real>(), memory_space.get(), file_space.get(), transfer_.get(), values),
            action);
    H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
    H5Pget_mpio_actual_io_mode(transfer_.get(), &mode);
    // a rank without a share of this piece reports no mode of its own
    if (!box.empty() && mode != H5D_MPIO_CONTIGUOUS_COLLECTIVE) collective_ = false;
  }

  bool was_collective() const { return collective_; }

 private:
  const hdf5::Dataset& dataset_;
  const SharedField& field_;
  hdf5::PropertyList transfer_;
  bool collective_ = true;
};

/// Every place at which the field stands in the data set, as a distance from the first.
std::vector<comm::Int3> places(const SharedField& field, const comm::Int3& cells) {
  std::vector<comm::Int3> all;
  for (int z = 0; z < field.copies[2]; ++z) {
    for (int y = 0; y < field.copies[1]; ++y) {
      for (int x = 0; x < field.copies[0]; ++x) all.push_back({x * cells[0], y * cells[1], z * cells[2]});
    }
  }
  return all;
}

/// Collective. Writes the values and flushes them; false if HDF5 did not really write collectively. When a rank's disk fails in a
/// collective write, MPI tells that rank only, and may leave the others waiting inside the call: so a failure here is thrown by the
/// rank that has it, without agreement, and ends the job. The files are then given up rather than closed, which is collective too.
template <class Real>
bool write_values(const comm::Communicator& communicator, const std::filesystem::path& partial, const SharedField& field,
                  const comm::Int3& cells, const comm::Box& owned, std::span<const Real> values) {
  const auto action = "cannot write '" + partial.string() + "'";
  const auto parts = pieces(owned, write_bytes / static_cast<std::int64_t>(sizeof(Real)));
  const auto rounds = static_cast<std::size_t>(communicator.max(static_cast<double>(parts.size())));
  auto file = open_together(communicator, partial);
  hdf5::Dataset dataset(H5Dopen2(file.get(), field.dataset.c_str(), H5P_DEFAULT));
  try {
    checked(dataset.get(), action);
    CollectiveWriter<Real> writer(dataset, field);
    for (const auto& place : places(field, cells)) {
      for (std::size_t round = 0; round < rounds; ++round) {
        const bool mine = round < parts.size();
        writer.write(mine ? shifted(parts[round].box, place) : comm::Box{}, values.data() + (mine ? parts[round].offset : 0),
                     action);
      }
    }
    checked(dataset.close(), action);
    checked(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), action);
    checked(file.close(), action);
    return !communicator.any(!writer.was_collective());
  } catch (const comm::Error&) {
    dataset.abandon();
    file.abandon();
    throw;
  }
}

void check_block(const comm::Int3& cells, const comm::Box& owned, std::size_t values) {
  const bool inside = owned.empty() || intersection(owned, {{0, 0, 0}, cells}) == owned;
  if (inside && owned.size() == static_cast<std::int64_t>(values)) return;
  throw comm::Error(comm::ExitCode::internal, "cannot write the block " + to_string(owned) + " with " + std::to_string(values) +
                                                  " values (it does not fit the grid or its values) report this");
}

template <class Real>
void verify(const comm::Communicator& communicator, const std::filesystem::path& partial, const SharedField& field,
            const comm::Int3& cells, const comm::Box& owned) {
  std::array<std::uint64_t, 1> sum{comm::agreed(communicator, [&] {
    const auto file = hdf5::open_to_read(partial, "file just written");
    const hdf5::Dataset dataset(checked(H5Dopen2(file.get(), field.dataset.c_str(), H5P_DEFAULT), "cannot read back the data set"));
    return stored_checksum<Real>(dataset, field.axes, cells, owned);
  })};
  communicator.sum(sum);
  if (sum[0] == field.checksum) return;
  throw comm::CollectiveError(comm::ExitCode::input_output, "the disk gave back other data than were written to '" +
                                                                partial.string() + "' (checksum " + to_hex(sum[0]) +
                                                                " instead of " + to_hex(field.checksum) +
                                                                ") check the file system and the memory");
}

}  // namespace

template <class Real>
WrittenFile write_shared_field(const comm::Communicator& communicator, const SharedField& field, const comm::Int3& cells,
                               const comm::Box& owned, std::span<const Real> values) {
  const hdf5::QuietErrors quiet;
  const auto partial = partial_path(field.path);
  const auto by_root = [&](const auto& work) {
    comm::agree(communicator, [&] {
      if (communicator.is_root()) work();
    });
  };
  comm::agree(communicator, [&] { check_block(cells, owned, values.size()); });
  try {
    const auto size = prepare<Real>(communicator, partial, field);
    const bool collective = write_values(communicator, partial, field, cells, owned, values);
    by_root([&] { flush_to_disk(partial); });
    verify<Real>(communicator, partial, field, cells, owned);
    by_root([&] { publish(partial, field.path); });
    return {field.path, size, collective ? "" : "HDF5 wrote '" + field.path.string() + "' with independent, slower calls"};
  } catch (const comm::CollectiveError&) {
    if (communicator.is_root()) remove_file(partial);
    throw;
  }
}

template <class Real>
std::uint64_t stored_checksum(const hdf5::Dataset& dataset, const FieldAxes& axes, const comm::Int3& cells,
                              const comm::Box& block) {
  std::uint64_t sum = 0;
  std::vector<Real> values;
  for (const auto& part : pieces(block, read_bytes / static_cast<std::int64_t>(sizeof(Real)))) {
    values.resize(static_cast<std::size_t>(part.box.size()));
    if (!hdf5::read_box<Real>(dataset, axes, part.box, values)) {
      throw comm::Error(comm::ExitCode::input_output,
                        "cannot read back what was written (" + hdf5::last_error() + ") check the file system");
    }
    sum += field_checksum<Real>(cells, part.box, values);
  }
  return sum;
}

template WrittenFile write_shared_field(const comm::Communicator&, const SharedField&, const comm::Int3&, const comm::Box&,
                                        std::span<const float>);
template WrittenFile write_shared_field(const comm::Communicator&, const SharedField&, const comm::Int3&, const comm::Box&,
                                        std::span<const double>);
template std::uint64_t stored_checksum<float>(const hdf5::Dataset&, const FieldAxes&, const comm::Int3&, const comm::Box&);
template std::uint64_t stored_checksum<double>(const hdf5::Dataset&, const FieldAxes&, const comm::Int3&, const comm::Box&);

}  // namespace halotherm::io
