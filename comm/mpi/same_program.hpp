// SPDX-License-Identifier: MIT
// Finds ranks that run another program or command line, before they could block each other.
#pragma once

#include "comm/mpi/error.hpp"

#include <optional>
#include <string>
#include <vector>

namespace halotherm::comm {

/// What must be equal on all ranks. The environment may differ.
struct ProgramIdentity {
  std::string program;    ///< version, commit, preset and the linker's build id
  std::string arguments;  ///< without the program's name, separated by spaces
};

ProgramIdentity identity_of(int argc, const char* const* argv);

/// Collective, before any other message of the program. Throws CollectiveError (usage), which names
/// the ranks that differ and the difference. Other builds of Halotherm must be able to answer, so
/// the messages must never change: one MPI_Allgather of four 64-bit numbers on a duplicate of
/// MPI_COMM_WORLD (0x48414c4f54484552, FNV-1a of the program, of the arguments, 0) and, only if
/// these differ, another one of 2048 characters (the program, from 512 on the arguments; truncated,
/// and padded with zeros).
void require_same_program(const Communicator& world, const ProgramIdentity& mine);

/// The error for these identities, in the order of the ranks; none if they are equal.
std::optional<ErrorText> program_difference(const std::vector<ProgramIdentity>& ranks);

}  // namespace halotherm::comm
