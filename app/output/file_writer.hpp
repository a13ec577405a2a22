// SPDX-License-Identifier: MIT
// Chooses how a run writes its checkpoints and snapshots, by configuration and file system.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/communicator.hpp"
#include "io/field/field_writer.hpp"
#include "io/files/file_system.hpp"

#include <string>

namespace halotherm::app {

struct FileWriter {
  io::WriteSettings settings;
  std::string file_system;  ///< of the checkpoints' folder, for example "ext4"
  std::string warning;      ///< the keys that have no effect with this method; usually empty
};

/// Chooses the method for a given file system and MPI library. Local. Throws comm::Error (usage) if
/// parallel HDF5 is configured and MPI does not allow calls from any thread.
FileWriter file_writer_for(const Config& config, const io::FileSystem& file_system,
                           bool threads_may_call_mpi);

/// Collective. Calls file_writer_for with this MPI library and the file system of rank 0's output
/// directory. Throws CollectiveError (usage).
FileWriter choose_file_writer(const comm::Communicator& world, const Config& config);

/// "parallel-hdf5" or "background", as in the configuration.
std::string to_string(io::WriteMethod method);

}  // namespace halotherm::app
