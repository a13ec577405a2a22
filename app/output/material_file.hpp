// SPDX-License-Identifier: MIT
// The materials of the cells as a file that can be looked at.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/partition/box.hpp"

#include <filesystem>

namespace halotherm::app {

/// Collective, where Kokkos is ready. Writes a netCDF file with the index into Config::materials of
/// each cell, one more than the last for void cells, and their names (docs/file_formats.md).
/// `owned`: this rank's cells; those of all ranks are the grid. Throws CollectiveError: usage if a
/// cell has no material, input_output.
void write_materials(const comm::Communicator& world, const Config& config, const comm::Box& owned,
                     const std::filesystem::path& file);

}  // namespace halotherm::app
