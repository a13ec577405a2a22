// SPDX-License-Identifier: MIT
// Memory that the ranks of a node share, by POSIX.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <cstddef>

namespace halotherm::comm {

/// Zeroed memory of `bytes` for each rank of a node, mapped by all of them. Its name is gone once
/// they have it, so that nothing is left behind by a rank that is killed. MPI's own shared windows
/// would take half a megabyte of a rank, and be freed collectively.
class NodeMemory {
 public:
  /// Collective over `node`. Throws Error (internal) on all of its ranks if one of them cannot map
  /// the memory, as in containers that share none.
  NodeMemory(const Communicator& node, std::size_t bytes);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  /// The beginning of the first rank's part.
  void* data() const { return data_; }

 private:
  std::size_t size_;
  void* data_;
};

}  // namespace halotherm::comm
