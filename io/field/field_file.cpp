// SPDX-License-Identifier: MIT
#include "io/field/field_file.hpp"

#include "comm/mpi/error.hpp"
#include "io/files/durable_file.hpp"
#include "io/hdf5/error.hpp"
#include "io/hdf5/values.hpp"

namespace halotherm::io {

namespace {

using hdf5::checked;

constexpr hsize_t alignment = 1 << 20;
constexpr unsigned most_attributes = 64;

/// Those above the data set of that path, without the times that HDF5 would give them.
void make_groups(const hdf5::File& file, const std::string& dataset) {
  const auto action = "cannot make the groups of " + dataset;
  const hdf5::PropertyList creation(checked(H5Pcreate(H5P_GROUP_CREATE), action));
  checked(H5Pset_obj_track_times(creation.get(), false), action);
  for (auto end = dataset.find('/', 1); end != std::string::npos;
       end = dataset.find('/', end + 1)) {
    const auto path = dataset.substr(0, end);
    const hdf5::Group group(checked(
        H5Gcreate2(file.get(), path.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), action));
  }
}

}  // namespace

hdf5::PropertyList new_file_access() {
  auto access = hdf5::unlocked_access();
  checked(H5Pset_alignment(access.get(), alignment, alignment), "cannot set up a file");
  // the first format whose descriptions have checksums, without which HDF5 decodes, and trips over,
  // what a bad disk gives it
  checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18),
          "cannot set up a file");
  return access;
}

hid_t create_file(const std::filesystem::path& partial, const hdf5::PropertyList& access) {
  const hdf5::PropertyList creation(checked(H5Pcreate(H5P_FILE_CREATE), "cannot set up a file"));
  checked(H5Pset_obj_track_times(creation.get(), false),
          "cannot set up a file");  // the root group is an object, too
  // all attributes in the header: the heap in which HDF5 would put more than eight lies elsewhere
  // where ranks make the file together
  checked(H5Pset_attr_phase_change(creation.get(), most_attributes, 0), "cannot set up a file");
  // here, as closing the list would forget HDF5's reason
  return checked(H5Fcreate(partial.c_str(), H5F_ACC_EXCL, creation.get(), access.get()),
                 "cannot create");
}

template <class Real>
hdf5::Dataset describe_in(const hdf5::File& file, const SharedField& field, bool fills) {
  const auto action = "cannot make " + field.dataset;
  const auto extents = field.axes.file_extents();
  const hdf5::Dataspace space(
      checked(H5Screate_simple(field.axes.dimensions, extents.data(), nullptr), action));
  make_groups(file, field.dataset);
  const hdf5::PropertyList creation(checked(H5Pcreate(H5P_DATASET_CREATE), action));
  checked(H5Pset_obj_track_times(creation.get(), false), action);
  checked(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY), action);
  checked(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), action);
  hdf5::Dataset dataset(
      checked(H5Dcreate2(file.get(), field.dataset.c_str(), hdf5::native_type<Real>(), space.get(),
                         H5P_DEFAULT, creation.get(), H5P_DEFAULT),
              action));
  field.describe(file.get(), dataset.get(), fills);
  return dataset;
}

comm::Error writing_failed(const std::filesystem::path& path, const hdf5::CallError& error) {
  return {error.code(), "cannot write '" + path.string() + "' (" + error.reason() +
                            ") check the file system and the space left on it"};
}

std::int64_t begin_of_values(const hdf5::Dataset& dataset) {
  return static_cast<std::int64_t>(H5Dget_offset(dataset.get()));
}

namespace {

/// Does `work` to the file that `open` opens, and brings it to its end.
template <class Open, class Work>
void with_file(const std::filesystem::path& path, const Open& open, const Work& work) {
  hdf5::File file;
  try {
    file = hdf5::File(checked(open(), "cannot open"));
    work(file);
    checked(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), "cannot flush");
    checked(file.close(), "cannot close");
  } catch (const hdf5::CallError& error) {
    file.abandon();  // closing would fail too
    throw writing_failed(path, error);
  }
}

template <class Real>
std::int64_t make_file(const std::filesystem::path& partial, const SharedField& field) {
  const auto access = new_file_access();
  std::int64_t values_begin = 0;
  remove_file(
      partial);  // exclusive, as a link that somebody puts there must not be written through
  with_file(
      partial, [&] { return create_file(partial, access); },
      [&](const hdf5::File& file) {
        values_begin = begin_of_values(describe_in<Real>(file, field, true));
      });
  return values_begin;
}

}  // namespace

template <class Real>
FileLayout lay_out(const SharedField& field) {
  const hdf5::QuietErrors quiet;
  const auto partial = partial_path(field.path);
  reserve_new_file(partial, field.description_bytes);
  const auto values_begin = make_file<Real>(partial, field);
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(partial));
  reserve_space(partial, bytes);
  return {partial, bytes, values_begin};
}

void complete_description(const FileLayout& layout, const SharedField& field,
                          std::span<const std::uint64_t> checksums) {
  if (!field.complete) return;
  const hdf5::QuietErrors quiet;
  const auto access = hdf5::unlocked_access();
  with_file(
      layout.partial, [&] { return H5Fopen(layout.partial.c_str(), H5F_ACC_RDWR, access.get()); },
      [&](const hdf5::File& file) { field.complete(file.get(), checksums); });
}

void verify_description(const FileLayout& layout, const SharedField& field,
                        std::span<const std::uint64_t> checksums) {
  if (!field.verify) return;
  const hdf5::QuietErrors quiet;
  const hdf5::File file(
      H5Fopen(layout.partial.c_str(), H5F_ACC_RDONLY, hdf5::unlocked_access().get()));
  try {
    if (!file) throw hdf5::FormatError(hdf5::last_error());
    field.verify(file.get(), checksums);
  } catch (const hdf5::FormatError& error) {
    throw comm::Error(comm::ExitCode::input_output,
                      "the disk gave back another description than was written to '" +
                          layout.partial.string() + "' (" + error.what() +
                          ") check the file system and the memory");
  }
}

template hdf5::Dataset describe_in<float>(const hdf5::File&, const SharedField&, bool);
template hdf5::Dataset describe_in<double>(const hdf5::File&, const SharedField&, bool);
template FileLayout lay_out<float>(const SharedField&);
template FileLayout lay_out<double>(const SharedField&);

}  // namespace halotherm::io
