// SPDX-License-Identifier: MIT
// Geometric multigrid for a symmetric matrix of face conductances.
#pragma once

#include "app/linear/levels.hpp"
#include "comm/device/recording.hpp"
#include "solver/linear/vectors.hpp"
#include "solver/multigrid/residual_restriction.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace halotherm::app {

/// Cycles through the levels.
class Multigrid {
 public:
  /// Collective. The caller sets the matrix of `finest()`, then calls `build`; see Levels.
  Multigrid(const comm::Communicator& world, const comm::Streams& streams,
            const solver::LevelGrid& grid, const comm::Partition& partition,
            const KindTowards& kind)
      : levels_(world, streams, grid, partition, kind) {}
  Multigrid(const Multigrid&) = delete;  // what is recorded refers to it
  Multigrid& operator=(const Multigrid&) = delete;
  /// Collective. Makes the coarser levels anew, from the matrix of the finest.
  void build();
  bool anchored() const { return levels_.anchored(); }
  std::size_t size() const { return levels_.size(); }
  Level& finest() { return levels_[0]; }
  const Level& finest() const { return levels_[0]; }

  /// Collective. x ≈ A⁻¹ b on the finest level by one V-cycle with two sweeps before and two after
  /// each correction, which is interpolated by what conducts (solver::TransferView): a symmetric
  /// operator. This rank's part of the sum of b · x. Blocking.
  solver::ProductSum symmetric_cycle_and_sum(const solver::SumScale& scale);
  /// Collective. b = the rounded values on the finest level; this rank's part of the sum of their
  /// squares. Where the matrix is separable, restricts b to the next level in the same pass.
  /// Blocking. Instantiated for float and double, as the two cycles are.
  template <class Real>
  solver::ProductSum set_b(const solver::Rounded<Real>& rounded, const solver::SumScale& scale);
  /// Whether `set_b` takes a residual of this equation that is not computed yet: then that is part
  /// of the same pass.
  template <class Real>
  bool restricts_residuals(const solver::HeatEquation<Real>& equation) const;
  template <class Real>
  solver::ProductSum set_b(const solver::RoundedResidual<Real>& residual,
                           const solver::SumScale& scale);
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
  /// Collective. The parts of the cycles below the finest level, from the b of the next one to its
  /// x.
  void cycle_coarse_levels();
  void symmetric_cycle_coarse_levels();

 private:
  bool restricts_at_once() const;
  using Correct = std::function<void(const solver::SymmetricCycle&, Level&, const Level& coarse)>;
  void symmetric_cycle(std::size_t n, const Correct& correct);
  solver::ProductSum restrict_and_sum(std::size_t n, const solver::SumScale& scale);
  void restrict_from(std::size_t n);
  void solve_coarsest();
  enum class Corrections { as_solved, enlarged };
  using Ascend = std::function<void(const solver::Ascent&, const solver::Exchange&)>;
  void ascend(std::size_t n, Corrections corrections, const Ascend& work);
  void ascend_to(std::size_t n, Corrections corrections);
  void ascend_coarse_levels(std::size_t n, Corrections corrections);
  template <class Real>
  void ascend_onto(Corrections corrections, double factor, const comm::GridView<Real>& values);
  std::size_t first_restricted() const;
  std::size_t first_whole_level() const;
  void cycle_whole_levels(std::size_t whole);

  Levels levels_;
  struct RecordedCycle {
    std::vector<const float*> x;  ///< of these levels: sweeps of symmetric cycles change places
    comm::Recording launches;
  };
  std::vector<std::unique_ptr<RecordedCycle>> recorded_;  ///< with the present matrix
  bool whole_cycle_ran_ = false;                          ///< with it
};

}  // namespace halotherm::app
