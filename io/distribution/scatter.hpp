// SPDX-License-Identifier: MIT
// Distributes the bricks that a few ranks read to the blocks of all ranks.
#pragma once

#include "io/distribution/box_exchange.hpp"
#include "io/distribution/bricks.hpp"

#include <span>
#include <vector>

namespace halotherm::io {

/// Each round moves one brick of every reader. On every rank, for each round:
///
///     for (const auto& [box, values, skip] : scatter.boxes(round)) read(box, values);
///     scatter.send(round, messages);  ... messages have arrived ...  scatter.unpack(round, block);
///
/// `send` starts messages and must be called where MPI may be; the other members are local.
/// Instantiated for float and double.
template <class Real>
class Scatter {
 public:
  /// `blocks`: one a rank; they may be empty, overlap and reach beyond the data set. Cells beyond
  /// it get the values of the opposite side along axes marked `periodic`, and none along the
  /// others. No communication.
  Scatter(Bricks bricks, const std::vector<comm::Box>& blocks, int rank,
          const comm::Int3& periodic);

  int rounds() const { return exchange_.rounds(); }
  /// The most values kept besides the block in any round.
  std::int64_t buffered_values() const;
  /// Allocates the memory for all rounds. `everything`: bricks are read as a whole; else only what
  /// blocks need of them, in whole grains (see bricks_to_read).
  void prepare(bool everything, const comm::Int3& grain);

  /// What this rank must read in a round, in the order of the file, and the memory for it; empty if
  /// it reads nothing. Valid until the next call.
  const std::vector<BoxValues<Real>>& boxes(int round);
  void send(int round, comm::PendingMessages& messages);
  /// Puts the round's values into their places; `block` has the cells of this rank's block, x
  /// fastest.
  void unpack(int round, std::span<Real> block);

 private:
  using Part = typename BoxExchange<Real>::Part;

  std::vector<Part> parts_of(const comm::Box& block, const comm::Int3& periodic) const;
  std::vector<comm::Box> boxes_to_read(int round) const;
  BoxValues<const Real> values_around(const comm::Box& cells) const;

  Bricks bricks_;
  int rank_;
  comm::Box block_;
  bool everything_ = true;
  comm::Int3 grain_{1, 1, 1};
  BoxExchange<Real> exchange_;
  std::vector<BoxValues<Real>> boxes_;
  std::vector<Real> brick_;
};

}  // namespace halotherm::io
