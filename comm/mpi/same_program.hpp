// SPDX-License-Identifier: MIT
// Ranks that were started with different programs or command lines, found before they wait for each
// other in vain.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <string>
#include <vector>

namespace halotherm::comm {

/// What must be the same on all ranks. Not the environment: what Halotherm reads there may differ
/// between ranks.
struct ProgramIdentity {
  std::string program;    ///< version, commit, preset and the linker's build id
  std::string arguments;  ///< without the program's name, separated by spaces
};

ProgramIdentity identity_of(int argc, const char* const* argv);

/// Collective, before any other message of the program; throws CollectiveError (usage) that names
/// the ranks that differ and in what. What travels here must never change, so that other builds of
/// Halotherm understand it: one MPI_Allgather of four 64-bit numbers on a duplicate of
/// MPI_COMM_WORLD (0x48414c4f54484552, FNV-1a of the program, of the arguments, 0), and only if
/// these differ another one of 2048 characters (the program, then from 512 on the arguments; cut
/// off, and filled with zeros).
void require_same_program(const Communicator& world, const ProgramIdentity& mine);

/// The message for these identities, in the order of the ranks; empty if they are the same.
std::string program_difference(const std::vector<ProgramIdentity>& ranks);

}  // namespace halotherm::comm
