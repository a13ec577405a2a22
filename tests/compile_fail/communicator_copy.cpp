// SPDX-License-Identifier: MIT
// Two owners of one MPI communicator would free it twice.
#include "comm/mpi/communicator.hpp"

#include <utility>

halotherm::comm::Communicator take(halotherm::comm::Communicator& original) {
#ifdef CORRECT
  return std::move(original);
#else
  return original;
#endif
}
