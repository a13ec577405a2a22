// SPDX-License-Identifier: MIT
// Small values in HDF5 files: numbers and texts, written plainly and read with distrust.
// Writers throw comm::Error (input_output). Readers throw FormatError for whatever is missing or
// not of the expected kind and size.
#pragma once

#include "io/hdf5/handle.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace halotherm::io::hdf5 {

/// What a file says is not what its format demands; the text says what, without the file's name.
class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A text of fixed length. Readers that know ASCII only refuse UTF-8, even where every character is
/// ASCII.
void write_attribute(hid_t object, const std::string& name, const std::string& text,
                     H5T_cset_t characters = H5T_CSET_UTF8);
void write_attribute(hid_t object, const std::string& name, std::int64_t number);
void write_attribute(hid_t object, const std::string& name, double number);
void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> numbers);
void write_attribute(hid_t object, const std::string& name, std::span<const double> numbers);
/// One text an entry.
void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts);
/// A text of any length, as a data set. Where ranks make it together, one of them `fills` it.
void write_text(hid_t parent, const std::string& name, const std::string& text, bool fills = true);

/// Unsigned numbers as a data set with all its space set aside, named `name`; `fills` as above.
void write_words(hid_t parent, const std::string& name, std::span<const std::uint64_t> words,
                 bool fills = true);

/// Other values in the same place, so that the file needs no more space; the text must have the old
/// one's length.
void overwrite_attribute(hid_t object, const std::string& name, const std::string& text);
void overwrite_words(hid_t parent, const std::string& name, std::span<const std::uint64_t> words);

/// `limit` bounds what a hostile file can make this allocate.
std::string read_text_attribute(hid_t object, const std::string& name, std::size_t limit = 65536);
std::string read_text(hid_t parent, const std::string& name, std::size_t limit);
std::vector<std::int64_t> read_integers(hid_t object, const std::string& name, std::size_t count);
std::vector<double> read_reals(hid_t object, const std::string& name, std::size_t count);
std::vector<std::uint64_t> read_words(hid_t parent, const std::string& name, std::size_t count);

/// For opening files without locking them: nobody else works on a file of ours, and some parallel
/// file systems have no locks.
PropertyList unlocked_access();

/// Opens an existing file to read, by this process alone. Throws comm::Error (input_output) that
/// says whether it is missing, not a regular file, not HDF5 or damaged; `what` names its role, such
/// as "checkpoint".
File open_to_read(const std::filesystem::path& file, const std::string& what);

/// Whether the file begins as HDF5 files do; false if it cannot be read.
bool looks_like_hdf5(const std::filesystem::path& file);

/// The data set, if `name` is one that lies in this very file (no link to another file, no external
/// storage) and whose chunks are not much larger than itself; else an empty handle.
Dataset find_dataset(hid_t file, const std::string& name);

/// A data set's extents, slowest axis first.
std::vector<hsize_t> extents(const Dataset& dataset);

}  // namespace halotherm::io::hdf5
