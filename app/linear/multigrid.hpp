// SPDX-License-Identifier: MIT
// Geometric multigrid for a symmetric matrix of face conductances.
#pragma once

#include "app/linear/level.hpp"
#include "solver/linear/vectors.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace halotherm::app {

/// The levels from the finest to a single cell. A level that is too small for its ranks is followed
/// by a copy of itself that each rank has as a whole, so all ranks compute the coarser levels. No
/// value depends on the partition.
class Multigrid {
 public:
  /// Collective. The caller sets the matrix of `finest()`, then calls `build`.
  Multigrid(const comm::Communicator& world, const comm::Streams& streams,
            const solver::LevelGrid& grid, const comm::Partition& partition,
            const KindTowards& kind);

  Level& finest() { return *levels_.front(); }
  /// Collective. Makes the coarser levels from the finest one's matrix, anew if they exist; their
  /// vectors stay where the same cells are joined as before.
  void build();
  /// Collective. x ≈ A⁻¹ b on the finest level by one V-cycle with two sweeps before and two after
  /// each correction, which is constant in a coarse cell: a symmetric operator. This rank's part of
  /// the sum of b · x. Blocking.
  solver::ProductSum symmetric_cycle_and_sum(const solver::SumScale& scale);
  /// Collective. b = the rounded values on the finest level; this rank's part of the sum of their
  /// squares. Where the matrix is separable, restricts b to the next level in the same pass.
  /// Blocking. Instantiated for float and double, as the two cycles are.
  template <class Real>
  solver::ProductSum set_b(const solver::Rounded<Real>& rounded, const solver::SumScale& scale);
  /// Collective. values += factor · x with x ≈ A⁻¹ b, for a separable matrix and after `set_b`: b
  /// is restricted to all levels, and each level sweeps three times after an interpolated
  /// correction. That reduces errors more than the symmetric cycle in a third of its time, but is
  /// no symmetric operator.
  template <class Real>
  void cycle_onto(double factor, const comm::GridView<Real>& values);
  /// Collective. The same for a start that is far from the solution: each level first takes out
  /// what cells have from beyond their sides (solver::SidePart), which no correction of the coarser
  /// levels has. So b need not be small beside sides, and the x of all levels are consistent with
  /// one another, as those of a full multigrid cycle (Brandt 1977, Math. Comp. 31).
  template <class Real>
  void first_cycle_onto(double factor, const comm::GridView<Real>& values);
  /// Whether some side, or void cell, has a conductance, without which A is singular. Blocking.
  bool anchored() const;
  std::size_t size() const { return levels_.size(); }

 private:
  /// The level after the present last one: that of an earlier build if it has the same cells.
  Level& next_level(std::size_t n, const comm::Communicator& communicator,
                    const solver::LevelGrid& grid, const comm::Partition& partition,
                    const KindTowards& kind);
  void add_coarser(std::size_t n, const solver::Coarsening& coarsening,
                   const comm::Partition& partition);
  void add_copy(std::size_t n);
  using Correct = std::function<void(const solver::SymmetricCycle&, Level&, const Level& coarse)>;
  void symmetric_cycle(std::size_t n, const Correct& correct);
  solver::ProductSum restrict_and_sum(std::size_t n, const solver::SumScale& scale);
  void restrict_from(std::size_t n);
  void solve_coarsest();
  enum class Corrections { as_solved, enlarged };
  using Ascend = std::function<void(const solver::Ascent&, const solver::Exchange&)>;
  void ascend(std::size_t n, Corrections corrections, const Ascend& work);
  template <class Real>
  void ascend_onto(Corrections corrections, double factor, const comm::GridView<Real>& values);

  comm::Communicator alone_;
  KindTowards kind_;
  std::vector<std::unique_ptr<Level>> levels_;
};

}  // namespace halotherm::app
