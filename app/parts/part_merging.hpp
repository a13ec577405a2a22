// SPDX-License-Identifier: MIT
// Parts of the body that reach over the blocks of several ranks.
#pragma once

#include "app/parts/part_labels.hpp"
#include "comm/halo/halo_plan.hpp"
#include "comm/mpi/communicator.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace halotherm::app {

/// What is known of a part of the body.
struct PartFacts {
  std::int64_t first = 0;  ///< the lowest global linear index of its cells, x fastest: its name
  bool held = false;       ///< whether something holds its temperature
  bool heated = false;     ///< whether something may heat or cool it

  void include(const PartFacts& other) {
    first = std::min(first, other.first);
    held = held || other.held;
    heated = heated || other.heated;
  }
  bool operator==(const PartFacts&) const = default;
};

/// The labels of the cells that each message of a plan sends, x fastest.
struct SentLabels {
  explicit SentLabels(const comm::HaloPlan& halo_plan);
  /// Notes those of a piece of the block.
  void add(const comm::Box& piece, const std::vector<int>& labels);

  const comm::HaloPlan& plan;
  std::vector<std::vector<int>> of_messages;
  std::vector<std::vector<int>> of_local;
};

/// Collective. Makes the facts of each root of a block's labels those of the whole part, in as many
/// exchanges with the neighbours as a part passes blocks on its way; the result does not depend on
/// the partition. `facts`: of each label, those of roots count. The plan must be of faces and one
/// layer wide. Nothing else may be exchanged on `world` meanwhile.
void merge_over_ranks(const comm::Communicator& world, const SentLabels& sent, PartLabels& labels,
                      std::vector<PartFacts>& facts);

}  // namespace halotherm::app
