// SPDX-License-Identifier: MIT
#include "io/hdf5/values.hpp"

#include "io/hdf5/input_file.hpp"
#include "io/hdf5/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

namespace halotherm::io::hdf5 {

namespace {

/// A text of fixed length: every tool can read it, and its size is known before it is read.
Datatype text_type(std::size_t length, H5T_cset_t characters = H5T_CSET_UTF8,
                   Padding padding = Padding::zeros) {
  if (padding == Padding::terminated) ++length;
  Datatype type(checked(H5Tcopy(H5T_C_S1), "cannot make a text type"));
  checked(H5Tset_size(type.get(), std::max<std::size_t>(length, 1)), "cannot make a text type");
  checked(H5Tset_strpad(type.get(), padding == Padding::zeros ? H5T_STR_NULLPAD : H5T_STR_NULLTERM),
          "cannot make a text type");
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

void require(bool condition, const std::string& what, const std::string& problem) {
  if (!condition) throw FormatError(what + problem);
}

/// Whether a call of HDF5 that read `what` succeeded, or an identifier is valid.
void require_read(hid_t result, const std::string& what) {
  if (result < 0) throw FormatError(what + " cannot be read: " + last_error());
}

Attribute find_attribute(hid_t object, const std::string& name) {
  const auto what = "the attribute '" + name + "'";
  require(H5Aexists(object, name.c_str()) > 0, what, " is missing");
  Attribute attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  require_read(attribute.get(), what);
  return attribute;
}

hssize_t entries(const Dataspace& space) {
  return space ? H5Sget_simple_extent_npoints(space.get()) : -1;
}

template <class Number>
std::vector<Number> read_numbers(hid_t object, const std::string& name, std::size_t count,
                                 H5T_class_t kind, hid_t memory_type) {
  const auto what = "the attribute '" + name + "'";
  const auto attribute = find_attribute(object, name);
  const Datatype type(H5Aget_type(attribute.get()));
  const auto found = entries(Dataspace(H5Aget_space(attribute.get())));
  require(type && H5Tget_class(type.get()) == kind, what, " is of the wrong type");
  require(found == static_cast<hssize_t>(count), what,
          fmt::format(" has {} entries instead of {}", found, count));
  std::vector<Number> numbers(count);
  require_read(H5Aread(attribute.get(), memory_type, numbers.data()), what);
  return numbers;
}

/// A single text of fixed length; `read` fills a buffer, given the type.
template <class Read>
std::string read_single(const Datatype& type, const Dataspace& space, const std::string& kind,
                        const std::string& name, std::size_t limit, const Read& read) {
  const bool fixed =
      type && H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0;
  require(fixed && entries(space) == 1, "'" + name, "' is not a fixed-length text");
  const auto length = H5Tget_size(type.get());
  require(length <= limit, "'" + name, fmt::format("' is longer than {} bytes", limit));
  std::string text(length, '\0');
  require_read(read(text.data()), fmt::format("the {} '{}'", kind, name));
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

}  // namespace

void write_attribute(hid_t object, const std::string& name, const std::string& text,
                     H5T_cset_t characters, Padding padding) {
  const auto type = text_type(text.size(), characters, padding);
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

void write_text(hid_t parent, const std::string& name, const std::string& text, bool fills) {
  write_dataset(parent, name, text_type(text.size()).get(), scalar_space(), text.c_str(), fills);
}

void write_words(hid_t parent, const std::string& name, std::span<const std::uint64_t> words,
                 bool fills) {
  write_dataset(parent, name, H5T_NATIVE_UINT64, row_space(words.size()), words.data(), fills);
}

void write_numbers(hid_t parent, const std::string& name, std::span<const double> numbers,
                   bool fills) {
  write_dataset(parent, name, H5T_NATIVE_DOUBLE, row_space(numbers.size()), numbers.data(), fills);
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
  return read_single(type, Dataspace(H5Aget_space(attribute.get())), "attribute", name, limit,
                     [&](char* text) { return H5Aread(attribute.get(), type.get(), text); });
}

std::string read_text(hid_t parent, const std::string& name, std::size_t limit) {
  const auto dataset = find_dataset(parent, name);
  require(static_cast<bool>(dataset), "the text '" + name, "' is missing");
  const Datatype type(H5Dget_type(dataset.get()));
  return read_single(
      type, Dataspace(H5Dget_space(dataset.get())), "text", name, limit, [&](char* text) {
        return H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
      });
}

std::vector<std::int64_t> read_integers(hid_t object, const std::string& name, std::size_t count) {
  return read_numbers<std::int64_t>(object, name, count, H5T_INTEGER, H5T_NATIVE_INT64);
}

std::vector<double> read_reals(hid_t object, const std::string& name, std::size_t count) {
  return read_numbers<double>(object, name, count, H5T_FLOAT, H5T_NATIVE_DOUBLE);
}

namespace {

/// Reads a data set that must be a row of `count` numbers of this class, converted to `memory`.
template <class Number>
std::vector<Number> read_row(hid_t parent, const std::string& name, std::size_t count,
                             H5T_class_t of_class, hid_t memory, const char* kind) {
  const auto what = "the data set '" + name + "'";
  const auto dataset = find_dataset(parent, name);
  require(static_cast<bool>(dataset), what, " is missing");
  const Datatype type(H5Dget_type(dataset.get()));
  require(type && H5Tget_class(type.get()) == of_class &&
              extents(dataset) == std::vector<hsize_t>{count},
          what, fmt::format(" is not a row of {} {}", count, kind));
  std::vector<Number> row(count);
  require_read(H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, row.data()), what);
  return row;
}

}  // namespace

std::vector<std::uint64_t> read_words(hid_t parent, const std::string& name, std::size_t count) {
  return read_row<std::uint64_t>(parent, name, count, H5T_INTEGER, H5T_NATIVE_UINT64,
                                 "whole numbers");
}

std::vector<double> read_numbers(hid_t parent, const std::string& name, std::size_t count) {
  return read_row<double>(parent, name, count, H5T_FLOAT, H5T_NATIVE_DOUBLE, "numbers");
}

bool is_name(const std::string& text) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && std::ranges::all_of(text, fits);
}

void write_named_numbers(hid_t object, const std::string& name,
                         const std::map<std::string, double>& numbers) {
  std::string names;
  std::vector<double> values;
  for (const auto& [of_number, value] : numbers) {
    names += (names.empty() ? "" : " ") + of_number;
    values.push_back(value);
  }
  write_attribute(object, name, names);
  write_attribute(object, name + "_values", std::span<const double>(values));
}

std::map<std::string, double> read_named_numbers(hid_t object, const std::string& name) {
  constexpr std::size_t most = 64;
  std::vector<std::string> names;
  std::istringstream text(read_text_attribute(object, name));
  for (std::string part; std::getline(text, part, ' ');) names.push_back(part);
  if (names.empty() || names.size() > most || !std::ranges::all_of(names, is_name))
    throw FormatError("the attribute '" + name + "' is not a list of names");
  const auto values = read_reals(object, name + "_values", names.size());
  std::map<std::string, double> numbers;
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (!std::isfinite(values[n]) || !numbers.emplace(names[n], values[n]).second)
      throw FormatError("the attribute '" + name + "_values' makes no sense");
  }
  return numbers;
}

}  // namespace halotherm::io::hdf5
