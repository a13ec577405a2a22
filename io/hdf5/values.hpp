// SPDX-License-Identifier: MIT
// Small values in HDF5 files: numbers and texts as attributes and data sets.
// All functions are local. Writers throw comm::Error (input_output). Readers do not trust the file:
// they throw FormatError for whatever is missing or not of the expected kind and size.
#pragma once

#include "io/hdf5/handle.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace halotherm::io::hdf5 {

/// The content of a file is not what its format requires. The text does not name the file.
class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How a text of fixed length ends: padded with zeros up to its length, or with one zero.
enum class Padding { zeros, terminated };

/// Writes a new attribute. Texts have a fixed length; readers limited to ASCII refuse UTF-8, even
/// where every character is ASCII. The last overload writes one text an entry.
void write_attribute(hid_t object, const std::string& name, const std::string& text,
                     H5T_cset_t characters = H5T_CSET_UTF8, Padding padding = Padding::zeros);
void write_attribute(hid_t object, const std::string& name, std::int64_t number);
void write_attribute(hid_t object, const std::string& name, double number);
void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> numbers);
void write_attribute(hid_t object, const std::string& name, std::span<const double> numbers);
void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts);

/// Writes a new data set whose space is allocated at once: a text of any length, or unsigned
/// numbers. Where ranks create it together, exactly one passes `fills` = true and writes the
/// values.
void write_text(hid_t parent, const std::string& name, const std::string& text, bool fills = true);
void write_words(hid_t parent, const std::string& name, std::span<const std::uint64_t> words,
                 bool fills = true);
void write_numbers(hid_t parent, const std::string& name, std::span<const double> numbers,
                   bool fills = true);

/// Overwrites values in place, so that the file needs no more space; the new text must be as long
/// as the old one.
void overwrite_attribute(hid_t object, const std::string& name, const std::string& text);
void overwrite_words(hid_t parent, const std::string& name, std::span<const std::uint64_t> words);

/// `limit`: most bytes of a text. It bounds the memory that a hostile file can make these allocate.
std::string read_text_attribute(hid_t object, const std::string& name, std::size_t limit = 65536);
std::string read_text(hid_t parent, const std::string& name, std::size_t limit);
/// Exactly `count` entries of an attribute (the first two) or a data set.
std::vector<std::int64_t> read_integers(hid_t object, const std::string& name, std::size_t count);
std::vector<double> read_reals(hid_t object, const std::string& name, std::size_t count);
std::vector<std::uint64_t> read_words(hid_t parent, const std::string& name, std::size_t count);
std::vector<double> read_numbers(hid_t parent, const std::string& name, std::size_t count);

/// Whether a text is of letters, digits and _.
bool is_name(const std::string& text);

/// Numbers with such names, as an attribute with the names, separated by spaces, and another one,
/// `name`_values, with the values. At least one, at most 64, finite.
void write_named_numbers(hid_t object, const std::string& name,
                         const std::map<std::string, double>& numbers);
std::map<std::string, double> read_named_numbers(hid_t object, const std::string& name);

}  // namespace halotherm::io::hdf5
