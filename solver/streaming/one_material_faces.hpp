// SPDX-License-Identifier: MIT
// Faces of the cells of a streaming thread within one material whose K follows the temperatures.
#pragma once

#include "comm/device/lanes.hpp"
#include "solver/material/kept_line.hpp"
#include "solver/medium/medium_traits.hpp"
#include "solver/medium/tabulated_medium.hpp"
#include "solver/streaming/streamed_cells.hpp"

#include <type_traits>

namespace halotherm::solver {

/// Faces of which the flows along z are known, but not the conductances, for operators that ask for
/// flows only.
template <class Value>
struct FacesWithFlows {
  Value lower[2], upper[2];      ///< conductances along x and y
  Value flow_below, flow_above;  ///< upwards [W/m³]

  KOKKOS_FORCEINLINE_FUNCTION Value add_flows(int axis, const Value& below, const Value& above,
                                              const Value& sum) const {
    if (axis == 2) return sum + (flow_above - flow_below);
    return sum + (upper[axis] * above - lower[axis] * below);
  }
};

/// As StreamedFaces of tables, with the same bits, for rows of cells of the first material in three
/// dimensions, none of which lies beyond a side across y or z. K of all rows come from the same
/// line, pair of lines, or look-ups. The faces between the rows are formed once, and so are, for an
/// operator that asks for flows only, the flows between planes, where cells are equally wide, so
/// that both see the same conductance.
template <int Rows, bool FlowsOnly, class Real, class Widths>
class OneMaterialFaces {
 public:
  using Cells = Pack<Real>;
  using Temperatures = StreamedCells<3, Rows, Real>;
  static constexpr bool keeps_flows =
      FlowsOnly && !MediumTraits<TabulatedMedium<Real, Widths>>::uneven;
  using Faces = std::conditional_t<keeps_flows, FacesWithFlows<Cells>, VaryingFaces<3, Cells>>;

  KOKKOS_FORCEINLINE_FUNCTION OneMaterialFaces(const TabulatedMedium<Real, Widths>& medium, int i,
                                               int j, int k, const Temperatures& T)
      : medium_(medium), i_(i), j_(j), k_(k) {
    line_ = line_at(T.here);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      K_here_[r] = looked_up(T.here[r]);
      lower_[r] = mean<2>(k, looked_up(T.below[r]), K_here_[r]);
      if constexpr (keeps_flows) lower_[r] = lower_[r] * (T.here[r] - T.below[r]);
    }
  }

  /// Finds K of all cells around the rows.
  KOKKOS_FORCEINLINE_FUNCTION void follow(const Temperatures& T) {
    const auto farthest = farthest_in(line_.range, T);
    // the threads of a warp take one way together, as fast as if each of them needed it
    if (comm::true_in_warp(line_.range.reaches(farthest))) return set_all(T, line_);
    const LinePair<Real> pair(line_, table(), line_.range.is_below(farthest));
    if (pair.range.reaches(farthest_in(pair.range, T))) {
      set_all(T, pair);
      line_ = pair.at(T.above[0].lanes[0]);
    } else {
      set_all(T, [&](const auto& cells) { return looked_up(cells); });
      line_ = line_at(T.above);
    }
  }
  /// The faces of a row; call it for rows in ascending order.
  KOKKOS_FORCEINLINE_FUNCTION Faces of_row(int r, const Star<3, Cells>& T) {
    const Cells x = mean<0>(i_, shifted_up(K_here_[r], K_before_[r]), K_here_[r]);
    // beyond the last lane
    const Real x_end = mean<0>(i_ + Cells::width, Real(K_here_[r].lanes[last]), K_after_[r]);
    const Cells south = r > 0 ? y_lower_ : mean<1>(j_, K_south_, K_here_[0]);
    y_lower_ = mean<1>(j_ + r + 1, K_here_[r],
                       r + 1 < Rows ? K_here_[r + 1 < Rows ? r + 1 : r] : K_north_);
    const Cells above = mean<2>(k_ + 1, K_here_[r], K_above_[r]);

    Faces faces;
    faces.lower[0] = seen<0>(i_, x);
    faces.upper[0] = seen<0>(i_, shifted_down(x, x_end));
    faces.lower[1] = seen<1>(j_ + r, south);
    faces.upper[1] = seen<1>(j_ + r, y_lower_);
    if constexpr (keeps_flows) {
      faces.flow_below = lower_[r];
      lower_[r] = faces.flow_above = above * (T.upper[2] - T.here);
    } else {
      faces.lower[2] = seen<2>(k_, lower_[r]);
      faces.upper[2] = seen<2>(k_, above);
      lower_[r] = above;
    }
    return faces;
  }
  KOKKOS_FORCEINLINE_FUNCTION void depart() {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) K_here_[r] = K_above_[r];
    ++k_;
  }

 private:
  static constexpr int last = Cells::width - 1;

  static KOKKOS_FORCEINLINE_FUNCTION std::uint32_t farthest_in(const BitRange<Real>& range,
                                                               const Temperatures& T) {
    std::uint32_t farthest = range.farthest(T.south, T.north);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r)
      farthest = Kokkos::max(farthest, range.farthest(T.above[r], T.before[r], T.after[r]));
    return farthest;
  }
  KOKKOS_FORCEINLINE_FUNCTION const PropertyView<Real>& table() const {
    return medium_.materials.materials[0].conductivity[0];
  }
  /// The line of the first of some cells.
  KOKKOS_FORCEINLINE_FUNCTION KeptLine<Real> line_at(const Cells* T) const {
    return line_to_keep(table(), Real(T->lanes[0]), 0);
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value looked_up(const Value& T) const {
    if (line_.range.holds(T)) return line_(T);
    using Numbers = typename TabulatedMedium<Real, Widths>::template Numbers<Value>;
    return medium_.conductivity(T, Numbers{});
  }
  template <class Conductivity>
  KOKKOS_FORCEINLINE_FUNCTION void set_all(const Temperatures& T, const Conductivity& K) {
    K_south_ = K(T.south);
    K_north_ = K(T.north);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      K_above_[r] = K(T.above[r]);
      K_before_[r] = K(T.before[r]);
      K_after_[r] = K(T.after[r]);
    }
  }
  template <int Axis, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value mean(int index, const Value& lower, const Value& upper) const {
    return medium_.widths.template mean<AlignedEntries>(Axis, index, lower + upper);
  }
  template <int Axis>
  KOKKOS_FORCEINLINE_FUNCTION Cells seen(int index, const Cells& shared) const {
    return medium_.widths.template seen<AlignedEntries>(Axis, index, shared);
  }

  const TabulatedMedium<Real, Widths>& medium_;
  KeptLine<Real> line_;  ///< of most cells around
  int i_, j_, k_;
  Cells K_here_[Rows], K_above_[Rows], K_south_, K_north_;
  Real K_before_[Rows], K_after_[Rows];
  Cells lower_[Rows];  ///< conductances of the lower faces along z, or flows through them
  Cells y_lower_;
};

}  // namespace halotherm::solver
