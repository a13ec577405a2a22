// SPDX-License-Identifier: MIT
// How a run writes its checkpoints and snapshots: as configured, or as suits the file system.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/communicator.hpp"
#include "io/field/field_writer.hpp"
#include "io/files/file_system.hpp"

#include <string>

namespace halotherm::app {

struct FileWriter {
  io::WriteSettings settings;
  std::string file_system;  ///< of the checkpoints' folder: "ext4"
  std::string warning;      ///< what of the configuration has no effect here; mostly empty
};

/// What the configuration makes of a file system and an MPI library. Pure. Throws comm::Error
/// (usage) if parallel HDF5 is asked for and MPI does not allow calls from any thread.
FileWriter file_writer_for(const Config& config, const io::FileSystem& file_system,
                           bool threads_may_call_mpi);

/// Collective. The same for this library and the folder as rank 0 sees it; throws CollectiveError
/// (usage).
FileWriter choose_file_writer(const comm::Communicator& world, const Config& config);

/// "parallel-hdf5" or "background", as in the configuration.
std::string to_string(io::WriteMethod method);

}  // namespace halotherm::app
