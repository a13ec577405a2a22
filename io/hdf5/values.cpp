// SPDX-License-Identifier: MIT
#include "io/hdf5/values.hpp"

#include "comm/mpi/error.hpp"
#include "io/hdf5/error.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace halotherm::io::hdf5 {

namespace {

/// Of fixed length, filled up with zeros: readable by every tool, and its size is known before it
/// is read.
Datatype text_type(std::size_t length, H5T_cset_t characters = H5T_CSET_UTF8) {
  Datatype type(checked(H5Tcopy(H5T_C_S1), "cannot make a text type"));
  checked(H5Tset_size(type.get(), std::max<std::size_t>(length, 1)), "cannot make a text type");
  checked(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "cannot make a text type");
  checked(H5Tset_cset(type.get(), characters), "cannot make a text type");
  return type;
}

Dataspace scalar_space() {
  return Dataspace(checked(H5Screate(H5S_SCALAR), "cannot make a data space"));
}

Dataspace row_space(std::size_t count) {
  const hsize_t extent = count;
  return Dataspace(checked(H5Screate_simple(1, &extent, nullptr), "cannot make a data space"));
}

void write(hid_t object, const std::string& name, hid_t type, const Dataspace& space,
           const void* values) {
  const auto action = "cannot write the attribute '" + name + "'";
  const Attribute attribute(checked(
      H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), action));
  checked(H5Awrite(attribute.get(), type, values), action);
}

Attribute find_attribute(hid_t object, const std::string& name) {
  if (H5Aexists(object, name.c_str()) <= 0)
    throw FormatError("the attribute '" + name + "' is missing");
  Attribute attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  if (!attribute) throw FormatError("the attribute '" + name + "' cannot be read: " + last_error());
  return attribute;
}

hssize_t entries(const Dataspace& space) {
  return space ? H5Sget_simple_extent_npoints(space.get()) : -1;
}

template <class Number>
std::vector<Number> read_numbers(hid_t object, const std::string& name, std::size_t count,
                                 H5T_class_t kind, hid_t memory_type) {
  const auto attribute = find_attribute(object, name);
  const Datatype type(H5Aget_type(attribute.get()));
  const Dataspace space(H5Aget_space(attribute.get()));
  if (!type || H5Tget_class(type.get()) != kind)
    throw FormatError("the attribute '" + name + "' is of the wrong type");
  const auto found = entries(space);
  if (found < 0 || static_cast<std::size_t>(found) != count) {
    throw FormatError("the attribute '" + name + "' has " + std::to_string(found) +
                      " entries instead of " + std::to_string(count));
  }
  std::vector<Number> numbers(count);
  if (H5Aread(attribute.get(), memory_type, numbers.data()) < 0) {
    throw FormatError("the attribute '" + name + "' cannot be read: " + last_error());
  }
  return numbers;
}

/// The length of a single fixed-length text; throws if it is anything else.
std::size_t text_length(const Datatype& type, const Dataspace& space, const std::string& name,
                        std::size_t limit) {
  const bool fixed =
      type && H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0;
  if (!fixed || entries(space) != 1) throw FormatError("'" + name + "' is not a fixed-length text");
  const auto length = H5Tget_size(type.get());
  if (length > limit)
    throw FormatError("'" + name + "' is longer than " + std::to_string(limit) + " bytes");
  return length;
}

void drop_padding(std::string& text) {
  text.resize(text.find_last_not_of('\0') + 1);
}

}  // namespace

void write_attribute(hid_t object, const std::string& name, const std::string& text,
                     H5T_cset_t characters) {
  const auto type = text_type(text.size(), characters);
  write(object, name, type.get(), scalar_space(), text.c_str());
}

void write_attribute(hid_t object, const std::string& name, std::int64_t number) {
  write(object, name, H5T_NATIVE_INT64, scalar_space(), &number);
}

void write_attribute(hid_t object, const std::string& name, double number) {
  write(object, name, H5T_NATIVE_DOUBLE, scalar_space(), &number);
}

void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> numbers) {
  write(object, name, H5T_NATIVE_INT64, row_space(numbers.size()), numbers.data());
}

void write_attribute(hid_t object, const std::string& name, std::span<const double> numbers) {
  write(object, name, H5T_NATIVE_DOUBLE, row_space(numbers.size()), numbers.data());
}

void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const auto& text : texts) length = std::max(length, text.size());
  std::string row;
  for (auto text : texts) {
    text.resize(length, '\0');
    row += text;
  }
  const auto type = text_type(length);
  write(object, name, type.get(), row_space(texts.size()), row.data());
}

namespace {

void write_dataset(hid_t parent, const std::string& name, hid_t type, const Dataspace& space,
                   const void* values, bool fills) {
  const auto action = "cannot write '" + name + "'";
  const PropertyList creation(checked(H5Pcreate(H5P_DATASET_CREATE), action));
  checked(H5Pset_obj_track_times(creation.get(), false), action);
  checked(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY), action);
  const Dataset dataset(checked(
      H5Dcreate2(parent, name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      action));
  if (fills) checked(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), action);
}

}  // namespace

void write_text(hid_t parent, const std::string& name, const std::string& text, bool fills) {
  write_dataset(parent, name, text_type(text.size()).get(), scalar_space(), text.c_str(), fills);
}

void write_words(hid_t parent, const std::string& name, std::span<const std::uint64_t> words,
                 bool fills) {
  write_dataset(parent, name, H5T_NATIVE_UINT64, row_space(words.size()), words.data(), fills);
}

void overwrite_attribute(hid_t object, const std::string& name, const std::string& text) {
  const auto action = "cannot write the attribute '" + name + "'";
  const Attribute attribute(checked(H5Aopen(object, name.c_str(), H5P_DEFAULT), action));
  const Datatype type(checked(H5Aget_type(attribute.get()), action));
  checked(H5Tget_size(type.get()) == text.size() ? 0 : -1, action);
  checked(H5Awrite(attribute.get(), type.get(), text.data()), action);
}

void overwrite_words(hid_t parent, const std::string& name, std::span<const std::uint64_t> words) {
  const auto action = "cannot write '" + name + "'";
  const Dataset dataset(checked(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), action));
  checked(H5Dwrite(dataset.get(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data()),
          action);
}

std::string read_text_attribute(hid_t object, const std::string& name, std::size_t limit) {
  const auto attribute = find_attribute(object, name);
  const Datatype type(H5Aget_type(attribute.get()));
  std::string text(text_length(type, Dataspace(H5Aget_space(attribute.get())), name, limit), '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) {
    throw FormatError("the attribute '" + name + "' cannot be read: " + last_error());
  }
  drop_padding(text);
  return text;
}

std::string read_text(hid_t parent, const std::string& name, std::size_t limit) {
  const auto dataset = find_dataset(parent, name);
  if (!dataset) throw FormatError("the text '" + name + "' is missing");
  const Datatype type(H5Dget_type(dataset.get()));
  std::string text(text_length(type, Dataspace(H5Dget_space(dataset.get())), name, limit), '\0');
  if (H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) {
    throw FormatError("the text '" + name + "' cannot be read: " + last_error());
  }
  drop_padding(text);
  return text;
}

std::vector<std::int64_t> read_integers(hid_t object, const std::string& name, std::size_t count) {
  return read_numbers<std::int64_t>(object, name, count, H5T_INTEGER, H5T_NATIVE_INT64);
}

std::vector<double> read_reals(hid_t object, const std::string& name, std::size_t count) {
  return read_numbers<double>(object, name, count, H5T_FLOAT, H5T_NATIVE_DOUBLE);
}

std::vector<std::uint64_t> read_words(hid_t parent, const std::string& name, std::size_t count) {
  const auto dataset = find_dataset(parent, name);
  if (!dataset) throw FormatError("the data set '" + name + "' is missing");
  const Datatype type(H5Dget_type(dataset.get()));
  if (!type || H5Tget_class(type.get()) != H5T_INTEGER ||
      extents(dataset) != std::vector<hsize_t>{count}) {
    throw FormatError("the data set '" + name + "' is not a row of " + std::to_string(count) +
                      " whole numbers");
  }
  std::vector<std::uint64_t> words(count);
  if (H5Dread(dataset.get(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data()) < 0) {
    throw FormatError("the data set '" + name + "' cannot be read: " + last_error());
  }
  return words;
}

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

/// Whether all values lie in this very file, and can be read with little more memory than they
/// take.
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
        "cannot read the " + what + " '" + file.string() + "' (" + reason + ") " + advice);
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
  const auto reason = last_error();
  if (H5Fis_hdf5(file.c_str()) == 0) refuse("it is not an HDF5 file", "name another file");
  refuse(reason, "the file is cut off or damaged, or may not be read: use another one");
  return {};
}

bool looks_like_hdf5(const std::filesystem::path& file) {
  static constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 8> begin{};
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return false;  // what a pipe gives, it gives once
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

}  // namespace halotherm::io::hdf5
