// SPDX-License-Identifier: MIT
// Which axis of a data set is which, if it says so.
#pragma once

#include "io/hdf5/handle.hpp"

#include <string>
#include <vector>

namespace halotherm::io {

/// The names of a data set's axes, the slowest first, from its attribute `axis_labels` (texts, as
/// in files of Halotherm's) or else `DIMENSION_LABELS` (HDF5's own, which h5py's `dims[n].label`
/// sets); none if there is neither, or not one text for each axis. Texts of fixed and of variable
/// length are read.
std::vector<std::string> axis_labels(const hdf5::Dataset& dataset);

/// Whether labels name x, y or z where the files' order (z, y, x), x fastest, has another axis.
/// Other labels say nothing.
bool contradict_order(const std::vector<std::string>& labels);

/// "(x, y, z)"
std::string labels_text(const std::vector<std::string>& labels);

}  // namespace halotherm::io
