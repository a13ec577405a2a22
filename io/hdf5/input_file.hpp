// SPDX-License-Identifier: MIT
// Opens HDF5 files and finds their data sets, with safeguards against hostile or damaged files.
// All functions are local to the calling process.
#pragma once

#include "io/hdf5/handle.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::io::hdf5 {

/// File access without locks: no other program works on a file of Halotherm's, and some parallel
/// file systems have no locks. Throws CallError.
PropertyList unlocked_access();

/// Opens an existing file to read. Throws comm::Error (input_output) if it is missing, not a
/// regular file, not HDF5 or damaged; `what` names its role, such as "checkpoint".
File open_to_read(const std::filesystem::path& file, const std::string& what);

/// Whether the file begins with HDF5's signature; false if it cannot be read.
bool looks_like_hdf5(const std::filesystem::path& file);

/// The data set `name`, provided that its values lie in this very file (no link to another file, no
/// external storage) and that its chunks are not much larger than itself; else an empty handle.
Dataset find_dataset(hid_t file, const std::string& name);

/// A data set's extents, slowest axis first.
std::vector<hsize_t> extents(const Dataset& dataset);

/// The names of a data set's axes, slowest first, from its attribute `axis_labels` (texts, as in
/// Halotherm's files) or else `DIMENSION_LABELS` (HDF5's own, which h5py's `dims[n].label` sets).
/// Empty if neither has one text for each axis. Texts may be of fixed or variable length.
std::vector<std::string> axis_labels(const Dataset& dataset);

/// The text of a data set's attribute `units`, of fixed or variable length; none if it has none, ""
/// if that is no single text.
std::optional<std::string> units_text(const Dataset& dataset);

/// Whether labels name x, y or z where the order of Halotherm's files (z, y, x), x fastest, has
/// another axis. Other labels do not matter.
bool contradict_order(const std::vector<std::string>& labels);

}  // namespace halotherm::io::hdf5
