// SPDX-License-Identifier: MIT
#include "io/hdf5/input_file.hpp"

#include "comm/mpi/error.hpp"
#include "io/hdf5/library.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace halotherm::io::hdf5 {

PropertyList unlocked_access() {
  PropertyList access(checked(H5Pcreate(H5P_FILE_ACCESS), "cannot set up a file"));
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access.get(), false, true);
#endif
  return access;
}

namespace {

/// Whether the chunks are no larger than the data set, or small: reading one value takes the memory
/// of its whole chunk.
bool chunks_fit(const PropertyList& creation, const Dataset& dataset) {
  constexpr double small = 1 << 20;
  std::array<hsize_t, H5S_MAX_RANK> extent{};
  const int rank = H5Pget_chunk(creation.get(), H5S_MAX_RANK, extent.data());
  double chunk = 1, whole = 1;
  for (int axis = 0; axis < rank; ++axis)
    chunk *= static_cast<double>(extent[static_cast<std::size_t>(axis)]);
  for (const auto entries : extents(dataset)) whole *= static_cast<double>(entries);
  return rank > 0 && chunk <= std::max(whole, small);
}

/// Whether all values lie in this very file and can be read with little more memory than they take.
bool is_plain(const Dataset& dataset) {
  const PropertyList creation(dataset ? H5Dget_create_plist(dataset.get()) : H5I_INVALID_HID);
  switch (creation ? H5Pget_layout(creation.get()) : H5D_LAYOUT_ERROR) {
    case H5D_COMPACT:
      return true;
    case H5D_CHUNKED:
      return chunks_fit(creation, dataset);
    case H5D_CONTIGUOUS:
      return H5Pget_external_count(creation.get()) == 0;
    default:
      return false;
  }
}

}  // namespace

File open_to_read(const std::filesystem::path& file, const std::string& what) {
  const auto refuse = [&](const std::string& reason, const std::string& advice) {
    throw comm::Error(
        comm::ExitCode::input_output,
        {fmt::format("cannot read the {} '{}'", what, file.string()), reason, advice});
  };
  struct stat status {};
  // opening a pipe or a device could block for ever
  if (::stat(file.c_str(), &status) != 0)
    refuse(std::generic_category().message(errno), "check its path");
  if (!S_ISREG(status.st_mode)) refuse("it is not a regular file", "name an HDF5 file");
  if (status.st_size == 0) refuse("it is empty", "name another file");

  const auto access = unlocked_access();
  File handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.get()));
  if (handle) return handle;
  const auto reason = last_error();  // before the next call of HDF5 replaces it
  if (H5Fis_hdf5(file.c_str()) == 0) refuse("it is not an HDF5 file", "name another file");
  refuse("the file is cut off or damaged, or may not be read: " + reason, "use another one");
  return {};
}

bool looks_like_hdf5(const std::filesystem::path& file) {
  static constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 8> begin{};
  std::error_code error;
  // reading a pipe would consume its content
  if (!std::filesystem::is_regular_file(file, error)) return false;
  std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
  return begin == signature;
}

Dataset find_dataset(hid_t file, const std::string& name) {
  // each part of the path must be a hard link, or H5Oopen would follow it into another file
  for (auto end = name.find('/', 1);; end = name.find('/', end + 1)) {
    const auto part = name.substr(0, end);
    H5L_info_t link{};
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return {};
    if (H5Lget_info(file, part.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
      return {};
    if (end == std::string::npos) break;
  }
  Object object(H5Oopen(file, name.c_str(), H5P_DEFAULT));
  if (!object || H5Iget_type(object.get()) != H5I_DATASET) return {};
  Dataset dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT));
  return is_plain(dataset) ? std::move(dataset) : Dataset{};
}

std::vector<hsize_t> extents(const Dataset& dataset) {
  const Dataspace space(H5Dget_space(dataset.get()));
  const int rank = space && H5Sget_simple_extent_type(space.get()) == H5S_SIMPLE
                       ? H5Sget_simple_extent_ndims(space.get())
                       : 0;
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(rank, 0)));
  if (!sizes.empty()) H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  return sizes;
}

namespace {

constexpr std::size_t longest_label = 64;  // [bytes]

std::vector<std::string> variable_texts(const Attribute& attribute, const Datatype& type,
                                        const Dataspace& space, std::size_t count) {
  std::vector<char*> read(count, nullptr);
  std::vector<std::string> texts(count);
  if (H5Aread(attribute.get(), type.get(), read.data()) < 0) return {};
  for (std::size_t n = 0; n < count; ++n) {
    if (read[n] != nullptr) texts[n].assign(read[n], strnlen(read[n], longest_label));
  }
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, read.data());
  return texts;
}

std::vector<std::string> fixed_texts(const Attribute& attribute, const Datatype& type,
                                     std::size_t count) {
  const std::size_t size = H5Tget_size(type.get());
  if (size == 0 || size > longest_label) return {};
  std::string read(count * size, '\0');
  if (H5Aread(attribute.get(), type.get(), read.data()) < 0) return {};
  std::vector<std::string> texts;
  for (std::size_t n = 0; n < count; ++n)
    texts.emplace_back(read.data() + n * size, strnlen(read.data() + n * size, size));
  return texts;
}

std::vector<std::string> texts_of(const Dataset& dataset, const char* name, std::size_t count) {
  if (H5Aexists(dataset.get(), name) <= 0) return {};
  const Attribute attribute(H5Aopen(dataset.get(), name, H5P_DEFAULT));
  if (!attribute) return {};
  const Datatype type(H5Aget_type(attribute.get()));
  const Dataspace space(H5Aget_space(attribute.get()));
  if (!type || !space || H5Tget_class(type.get()) != H5T_STRING) return {};
  if (H5Sget_simple_extent_npoints(space.get()) != static_cast<hssize_t>(count)) return {};
  return H5Tis_variable_str(type.get()) > 0 ? variable_texts(attribute, type, space, count)
                                            : fixed_texts(attribute, type, count);
}

}  // namespace

std::vector<std::string> axis_labels(const Dataset& dataset) {
  const auto axes = extents(dataset).size();
  for (const char* name : {"axis_labels", "DIMENSION_LABELS"}) {
    const auto labels = texts_of(dataset, name, axes);
    if (!labels.empty()) return labels;
  }
  return {};
}

std::optional<std::string> units_text(const Dataset& dataset) {
  constexpr const char* name = "units";
  if (H5Aexists(dataset.get(), name) <= 0) return std::nullopt;
  const auto texts = texts_of(dataset, name, 1);
  return texts.empty() ? "" : texts.front();
}

bool contradict_order(const std::vector<std::string>& labels) {
  for (std::size_t place = 0; place < labels.size(); ++place) {
    const auto& label = labels[place];
    const std::size_t fastness = labels.size() - 1 - place;  // 0: the fastest axis
    if (label.size() != 1 || fastness > 2) continue;
    const auto letter = static_cast<char>(std::tolower(static_cast<unsigned char>(label.front())));
    if (letter >= 'x' && letter <= 'z' && letter != "xyz"[fastness]) return true;
  }
  return false;
}

}  // namespace halotherm::io::hdf5
