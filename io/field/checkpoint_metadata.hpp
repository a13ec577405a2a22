// SPDX-License-Identifier: MIT
// Writes and reads the description of a checkpoint (docs/file_formats.md lists its attributes).
// All functions are local.
#pragma once

#include "io/field/checkpoint.hpp"

#include <hdf5.h>

namespace halotherm::io {

/// The axes of the data sets of a grid.
FieldAxes axes_of(const GridShape& grid);

/// One line each: the checksum in hexadecimal digits, a space, the key.
std::string to_text(const std::vector<InputChecksum>& inputs);
/// Parses such lines. Throws hdf5::FormatError.
std::vector<InputChecksum> parse_inputs(const std::string& text);

/// Writes all attributes, those of the fields' data sets too, and the configuration, with zeros for
/// the checksums; `fills` as in SharedField::describe. Throws comm::Error (input_output).
void write_metadata(hid_t file, std::span<const hdf5::Dataset> datasets, const CheckpointInfo& info,
                    bool fills);

/// Overwrites the zeros by the checksums of `info`. Throws comm::Error (input_output).
void write_checksums(hid_t file, const CheckpointInfo& info);

/// Reads the description and checks that it is complete, plausible and fits the data sets. Throws
/// hdf5::FormatError.
CheckpointInfo read_metadata(hid_t file);

}  // namespace halotherm::io
