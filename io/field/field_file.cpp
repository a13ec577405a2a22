// SPDX-License-Identifier: MIT
#include "io/field/field_file.hpp"

#include "comm/mpi/error.hpp"
#include "io/files/durable_file.hpp"
#include "io/hdf5/input_file.hpp"
#include "io/hdf5/library.hpp"
#include "io/hdf5/values.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>

namespace halotherm::io {

namespace {

using hdf5::checked;

constexpr hsize_t alignment = 1 << 20;
constexpr unsigned most_attributes = 64;

/// Creates the groups above the data set of that path, without HDF5's time stamps.
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

/// Applies `work` to the file that `open` opens, flushes it and closes it.
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

}  // namespace

hdf5::PropertyList new_file_access() {
  auto access = hdf5::unlocked_access();
  checked(H5Pset_alignment(access.get(), alignment, alignment), "cannot set up a file");
  // the first format whose descriptions have checksums, without which HDF5 would decode what a bad
  // disk returns, and crash
  checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18),
          "cannot set up a file");
  return access;
}

hid_t create_file(const std::filesystem::path& partial, const hdf5::PropertyList& access) {
  const hdf5::PropertyList creation(checked(H5Pcreate(H5P_FILE_CREATE), "cannot set up a file"));
  checked(H5Pset_obj_track_times(creation.get(), false), "cannot set up a file");
  // all attributes in the header: HDF5 would put more than eight into a heap, whose place differs
  // where ranks make the file together
  checked(H5Pset_attr_phase_change(creation.get(), most_attributes, 0), "cannot set up a file");
  // checked before the list is closed, which would drop HDF5's reason
  return checked(H5Fcreate(partial.c_str(), H5F_ACC_EXCL, creation.get(), access.get()),
                 "cannot create");
}

template <class Real>
std::vector<hdf5::Dataset> describe_in(const hdf5::File& file, const SharedField& field,
                                       bool fills) {
  const auto extents = field.axes.file_extents();
  make_groups(file, field.dataset(0));
  std::vector<hdf5::Dataset> datasets;
  for (std::size_t n = 0; n < field.fields.size(); ++n) {
    const auto name = field.dataset(n);
    const auto action = "cannot make " + name;
    const hdf5::Dataspace space(
        checked(H5Screate_simple(field.axes.dimensions, extents.data(), nullptr), action));
    const hdf5::PropertyList creation(checked(H5Pcreate(H5P_DATASET_CREATE), action));
    checked(H5Pset_obj_track_times(creation.get(), false), action);
    checked(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY), action);
    checked(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), action);
    datasets.emplace_back(checked(H5Dcreate2(file.get(), name.c_str(), hdf5::native_type<Real>(),
                                             space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                                  action));
  }
  field.describe(file.get(), datasets, fills);
  return datasets;
}

comm::Error writing_failed(const std::filesystem::path& path, const hdf5::CallError& error) {
  return {error.code(),
          {"cannot write '" + path.string() + "'", error.reason(),
           "check the file system and the space left on it"}};
}

std::vector<std::int64_t> begin_of_values(std::span<const hdf5::Dataset> datasets) {
  std::vector<std::int64_t> begins;
  for (const auto& dataset : datasets)
    begins.push_back(static_cast<std::int64_t>(H5Dget_offset(dataset.get())));
  return begins;
}

template <class Real>
FileLayout lay_out(const SharedField& field) {
  const hdf5::QuietErrors quiet;
  FileLayout layout{partial_path(field.path), 0, {}};
  reserve_new_file(layout.partial, field.description_bytes);
  remove_file(layout.partial);  // HDF5 creates it anew, and never through a link of that name
  with_file(
      layout.partial, [&] { return create_file(layout.partial, new_file_access()); },
      [&](const hdf5::File& file) {
        layout.values_begin = begin_of_values(describe_in<Real>(file, field, true));
      });
  layout.bytes = static_cast<std::int64_t>(std::filesystem::file_size(layout.partial));
  reserve_space(layout.partial, layout.bytes);
  return layout;
}

void complete_description(const FileLayout& layout, const SharedField& field,
                          std::span<const std::uint64_t> checksums) {
  const hdf5::QuietErrors quiet;
  const auto access = hdf5::unlocked_access();
  const auto open = [&](unsigned flags) {
    return H5Fopen(layout.partial.c_str(), flags, access.get());
  };
  if (field.complete) {
    with_file(
        layout.partial, [&] { return open(H5F_ACC_RDWR); },
        [&](const hdf5::File& file) { field.complete(file.get(), checksums); });
  }
  const FileDescriptor descriptor(layout.partial, O_RDONLY);
  if (!descriptor.is_open()) fail("cannot open", layout.partial, errno, "check the file system");
  descriptor.flush();
  descriptor.forget();
  if (!field.verify) return;
  const hdf5::File file(open(H5F_ACC_RDONLY));
  try {
    if (!file) throw hdf5::FormatError(hdf5::last_error());
    field.verify(file.get(), checksums);
  } catch (const hdf5::FormatError& error) {
    fail("the disk gave back another description than was written to", layout.partial, error.what(),
         "check the file system and the memory");
  }
}

template std::vector<hdf5::Dataset> describe_in<float>(const hdf5::File&, const SharedField&, bool);
template std::vector<hdf5::Dataset> describe_in<double>(const hdf5::File&, const SharedField&,
                                                        bool);
template FileLayout lay_out<float>(const SharedField&);
template FileLayout lay_out<double>(const SharedField&);

}  // namespace halotherm::io
