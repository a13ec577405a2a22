// SPDX-License-Identifier: MIT
// The heat that a step moves through the sides of a block and that its sources make.
#pragma once

#include "solver/diagnostics/exact_sum.hpp"
#include "solver/equation/boundary.hpp"
#include "solver/equation/heat_equation.hpp"

#include <vector>

namespace halotherm::solver {

/// A part of a side of the domain, or all faces towards void cells.
struct FlowPart {
  Side side;
  comm::Box cells;          ///< of the domain, next to the side; all where faces are void
  bool void_faces = false;  ///< between cells of the body and void cells, instead of a side's
};

/// The exact sum of rates per volume [W/m³], each times the share of its cell's volume in the
/// largest cell's; parts of it are combined by `join`.
struct RateSum {
  double lost = 0;  ///< 1 if a rate is not finite or beyond the scale; the sum is then meaningless
  ExactSum sum;

  KOKKOS_INLINE_FUNCTION void join(const RateSum& other) {
    lost = Kokkos::max(lost, other.lost);
    sum += other.sum;
  }
  KOKKOS_INLINE_FUNCTION void add(double rate, const SumScale& scale) {
    if (!(Kokkos::abs(rate) < scale.limit())) {
      lost = 1;
      return;
    }
    double chunks[SumScale::chunks] = {0, 0, 0};
    add_to_chunks(chunks, rate, scale);
    sum.add_chunks(chunks, scale);
  }
};

/// Adds up the flows of a step's stages: a stage counts with the weight that its rates of change
/// have in the step. The result does not depend on the partition. Memory is allocated at
/// construction only. Instantiated for float and double.
template <class Real>
class FlowSums {
 public:
  /// `parts`: the same on all ranks, in any block. `largest_capacity`: of rho c in the domain
  /// [J/(m³ K)].
  FlowSums(const HeatEquation<Real>& equation, const comm::Box& owned,
           const std::vector<FlowPart>& parts, double largest_capacity);

  /// Forgets the step before; the next one is `dt` long [s].
  void begin(double dt);
  /// Adds `weight` times the flows of temperature `T`, whose ghost cells are fresh, and of the
  /// present sides and source. Asynchronous on `space`, which must be the same for all stages;
  /// sides, source and `T` must stay until the kernels have read them.
  void add(const comm::Space& space, const comm::GridView<const Real>& T,
           const Boundary<Real>& boundary, double weight = 1);

  /// What was added since `begin`, on this block.
  struct Sums {
    /// in the order of the parts: conductance · (T_ghost − T), or (T_void − T)
    std::vector<RateSum> parts;
    RateSum source;  ///< of q where it varies from cell to cell
  };
  /// Blocking; the kernels must have ended.
  Sums collect() const;

  double dt() const { return dt_; }                   ///< of the step [s]
  const SumScale& scale() const { return scale_; }    ///< of the sums
  double uniform_source() const { return uniform_; }  ///< q where it is one number [W/m³]
  /// Whether the flows through void faces are part of the source as well.
  bool source_has_void_faces() const { return equation_.void_heat().present; }

 private:
  void add_source(const comm::Space& space, double weight);

  const HeatEquation<Real>& equation_;
  comm::Box owned_;
  std::vector<FlowPart> parts_;  ///< their cells in this block
  double largest_capacity_;
  double dt_ = 0;
  bool first_ = true;  ///< nothing was added yet
  SumScale scale_{0};
  double uniform_ = 0;
  /// of a stage, and of all so far; the source's are the last
  Kokkos::View<RateSum*, comm::Memory> stage_, total_;
  Kokkos::View<RateSum*, comm::PinnedMemory> host_;
};

}  // namespace halotherm::solver
