// SPDX-License-Identifier: MIT
// Geometric multigrid for a symmetric matrix of face conductances.
#pragma once

#include "app/linear/level.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace halotherm::app {

/// The levels from the finest to a single cell. A level that is too small for its ranks is followed
/// by a copy of itself that each rank has as a whole, so all ranks compute the coarser levels. No
/// value depends on the partition.
class Multigrid {
 public:
  /// Collective. A matrix of zeros; the caller sets that of `finest()`, then calls `build`.
  Multigrid(const comm::Communicator& world, const comm::Streams& streams,
            const solver::LevelGrid& grid, const comm::Partition& partition,
            const KindTowards& kind, bool anchored);

  Level& finest() { return *levels_.front(); }
  /// Collective. Makes the coarser levels from the finest one's matrix, anew if they exist.
  void build();
  /// Collective. x ≈ A⁻¹ b on the finest level by one V-cycle with two sweeps before and two after
  /// each correction: a symmetric operator.
  void cycle() { cycle(0); }
  /// Whether some side, or void cell, has a conductance, without which A is singular. Blocking.
  bool anchored() const;
  std::size_t size() const { return levels_.size(); }

 private:
  void add_coarser(const solver::Coarsening& coarsening, const comm::Partition& partition);
  void add_copy();
  void cycle(std::size_t n);
  static void smooth(Level& level, float weight);
  static void gather(const Level& from, const solver::Field<float>& values, Level& to,
                     solver::Field<float>& copy,
                     const std::function<comm::Box(const comm::Box&)>& part);

  comm::Communicator alone_;
  KindTowards kind_;
  std::vector<std::unique_ptr<Level>> levels_;
};

}  // namespace halotherm::app
