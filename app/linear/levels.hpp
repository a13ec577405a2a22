// SPDX-License-Identifier: MIT
// The levels of a geometric multigrid, from the finest to a single cell.
#pragma once

#include "app/linear/level.hpp"

#include <memory>
#include <vector>

namespace halotherm::app {

/// A level that is too small for its ranks is followed by a copy of itself that each rank has as a
/// whole, so all ranks compute the coarser levels. No value depends on the partition.
class Levels {
 public:
  /// Collective. Makes the finest one; the caller sets its matrix, then calls `build`.
  Levels(const comm::Communicator& world, const comm::Streams& streams,
         const solver::LevelGrid& grid, const comm::Partition& partition, const KindTowards& kind);

  /// Collective. Makes the coarser levels from the finest one's matrix, anew if they exist; their
  /// vectors stay where the same cells are joined as before.
  void build();

  /// From the finest one on.
  Level& operator[](std::size_t n) { return *levels_[n]; }
  const Level& operator[](std::size_t n) const { return *levels_[n]; }
  std::size_t size() const { return levels_.size(); }
  /// Whether some side, or void cell, has a conductance, without which the matrix is singular.
  /// Blocking.
  bool anchored() const;

 private:
  /// The level after the present last one: that of an earlier build if it has the same cells.
  Level& next_level(std::size_t n, const comm::Communicator& communicator,
                    const solver::LevelGrid& grid, const comm::Partition& partition,
                    const KindTowards& kind);
  void add_coarser(std::size_t n, const solver::Coarsening& coarsening,
                   const comm::Partition& partition);
  void add_copy(std::size_t n);

  comm::Communicator alone_;
  KindTowards kind_;
  std::vector<std::unique_ptr<Level>> levels_;
};

}  // namespace halotherm::app
