// SPDX-License-Identifier: MIT
// What a checkpoint says besides the temperature: written, and read with distrust
// (docs/file_formats.md lists the attributes).
#pragma once

#include "io/field/checkpoint.hpp"

#include <hdf5.h>

namespace halotherm::io {

inline constexpr const char* temperature_dataset = "T";

/// The data set's axes: those that the grid has.
FieldAxes axes_of(const GridShape& grid);

/// One line each: the checksum in hexadecimal digits, a space, the key.
std::string to_text(const std::vector<InputChecksum>& inputs);
/// The opposite. Throws hdf5::FormatError.
std::vector<InputChecksum> parse_inputs(const std::string& text);

/// Writes all attributes and the configuration, and leaves room for the checksums; `fills` as
/// SharedField::describe has it. Throws comm::Error (input_output).
void write_metadata(hid_t file, hid_t dataset, const CheckpointInfo& info, bool fills);

/// Fills in `info`'s checksums. Throws comm::Error (input_output).
void write_checksums(hid_t file, const CheckpointInfo& info);

/// Reads them and checks that they are complete, sane and fit the data set. Throws
/// hdf5::FormatError.
CheckpointInfo read_metadata(hid_t file);

}  // namespace halotherm::io
