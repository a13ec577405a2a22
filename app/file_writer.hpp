// SPDX-License-Identifier: MIT
// How a run writes its checkpoints and snapshots: as configured, or as suits the file system.
#pragma once

#include "app/config.hpp"
#include "comm/communicator.hpp"
#include "io/field_writer.hpp"

#include <string>

namespace halotherm::app {

struct FileWriter {
  io::WriteSettings settings;
  std::string file_system;  ///< of the output directory: "ext4"
};

/// Collective. Throws CollectiveError (usage) if parallel HDF5 is asked for and MPI does not allow calls from any thread.
FileWriter choose_file_writer(const comm::Communicator& world, const Config& config);

/// "parallel-hdf5" or "background", as in the configuration.
std::string to_string(io::WriteMethod method);

}  // namespace halotherm::app
