// SPDX-License-Identifier: MIT
// Texts of all ranks, of which many are equal: each travels once.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <string>
#include <vector>

namespace halotherm::comm {

/// A text of each rank.
struct RankTexts {
  std::vector<std::string> distinct;  ///< in the order of the lowest rank that has each
  std::vector<int> of_rank;           ///< the place of each rank's text in `distinct`

  const std::string& of(int rank) const {
    return distinct[static_cast<std::size_t>(of_rank[static_cast<std::size_t>(rank)])];
  }
};

/// Collective, blocking. Ranks send the distinct texts that they know up a binary tree, so that
/// rank 0 receives log2 P messages; all then receive the distinct texts and four bytes of each
/// rank. For texts of a host or a model; those that differ on every rank are better gathered as
/// they are.
RankTexts gather_alike(const Communicator& communicator, const std::string& mine);

/// Collective, blocking. The distinct texts that are not empty, in the order of the lowest rank
/// that has each, on all ranks. Costs one reduction if all are empty.
std::vector<std::string> distinct_texts(const Communicator& communicator, const std::string& mine);

}  // namespace halotherm::comm
