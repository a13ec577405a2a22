// SPDX-License-Identifier: MIT
// Who writes which chunk of a shared file, and who sends whom the values for it.
#pragma once

#include "comm/communicator.hpp"
#include "io/file_chunks.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace halotherm::io {

/// Values of one block that lie in one chunk.
struct ChunkPart {
  std::int64_t chunk = 0;
  comm::Box box;
  std::int64_t offset = 0;  ///< among the values of its transfer, each part's being x fastest
};

/// What goes from one rank to another.
struct Transfer {
  int rank = 0;
  std::vector<ChunkPart> parts;
  std::int64_t values = 0;
};

/// One rank's share of a file. A chunk is written by a rank that has (nearly) most of its values, so that little travels where
/// blocks are cut across the slow axes; ranks that have about equally many take turns. Whole chunks, on boundaries of the file that
/// suit its blocks, keep ranks of different nodes out of each other's pages and locks.
struct WritePlan {
  FileChunks chunks;
  comm::Box block;
  std::vector<int> writers;        ///< of every chunk
  std::vector<ChunkPart> local;    ///< of this rank's block in its own chunks, in the order of the file
  std::vector<Transfer> sends;     ///< by ascending rank
  std::vector<Transfer> receives;  ///< by ascending rank

  /// The chunks that `rank` writes, ascending.
  std::vector<std::int64_t> written_by(int rank) const;
  /// Values that travel from or to this rank, which it keeps besides its block meanwhile.
  std::int64_t travelling() const;
};

/// `blocks`: one a rank, disjoint, together the whole extent; empty ones may be among them. No communication.
WritePlan make_write_plan(const FileChunks& chunks, const std::vector<comm::Box>& blocks, int rank);

/// Collective: every rank's block.
std::vector<comm::Box> gather_blocks(const comm::Communicator& communicator, const comm::Box& block);

}  // namespace halotherm::io
