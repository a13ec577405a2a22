// SPDX-License-Identifier: MIT
// Faces of the cells of a streaming thread within one material whose K follows the temperatures.
#pragma once

#include "solver/material/kept_line.hpp"
#include "solver/medium/tabulated_medium.hpp"
#include "solver/streaming/streamed_cells.hpp"

namespace halotherm::solver {

/// As StreamedFaces of tables, with the same bits, for rows of cells of the first material in three
/// dimensions, none of which lies beyond a side across y or z. K of all rows come from the same
/// line, pair of lines, or look-ups; the faces between the rows are formed once.
template <int Rows, class Real, class Widths>
class OneMaterialFaces {
 public:
  using Cells = Pack<Real>;
  using Temperatures = StreamedCells<3, Rows, Real>;

  KOKKOS_FORCEINLINE_FUNCTION OneMaterialFaces(const TabulatedMedium<Real, Widths>& medium, int i,
                                               int j, int k, const Temperatures& T)
      : medium_(medium), i_(i), j_(j), k_(k) {
    take_line(T);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      K_here_[r] = looked_up(T.here[r]);
      lower_[r] = mean<2>(k, looked_up(T.below[r]), K_here_[r]);
    }
  }

  /// Finds K of all cells around the rows.
  KOKKOS_FORCEINLINE_FUNCTION void follow(const Temperatures& T) {
    if (!are_on(line_, T)) {
      const auto line = take_line(T);
      if (!are_on(line, T)) {
        const auto pair = lines_around(line, T);
        if (are_on(pair, T)) return set_all(T, [&](const auto& cells) { return pair(cells); });
        return set_all(T, [&](const auto& cells) { return looked_up(cells); });
      }
    }
    set_all(T, [&](const auto& cells) { return line_(cells); });
  }
  /// The faces of a row; call it for rows in ascending order.
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<3, Cells> of_row(int r) {
    const Cells x = mean<0>(i_, shifted_up(K_here_[r], K_before_[r]), K_here_[r]);
    // beyond the last lane
    const Real x_end = mean<0>(i_ + Cells::width, Real(K_here_[r].lanes[last]), K_after_[r]);
    const Cells south = r > 0 ? y_lower_ : mean<1>(j_, K_south_, K_here_[0]);
    y_lower_ = mean<1>(j_ + r + 1, K_here_[r],
                       r + 1 < Rows ? K_here_[r + 1 < Rows ? r + 1 : r] : K_north_);
    const Cells below = lower_[r];
    lower_[r] = mean<2>(k_ + 1, K_here_[r], K_above_[r]);

    VaryingFaces<3, Cells> faces;
    faces.lower[0] = seen<0>(i_, x);
    faces.upper[0] = seen<0>(i_, shifted_down(x, x_end));
    faces.lower[1] = seen<1>(j_ + r, south);
    faces.upper[1] = seen<1>(j_ + r, y_lower_);
    faces.lower[2] = seen<2>(k_, below);
    faces.upper[2] = seen<2>(k_, lower_[r]);
    return faces;
  }
  KOKKOS_FORCEINLINE_FUNCTION void depart() {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) K_here_[r] = K_above_[r];
    ++k_;
  }

 private:
  static constexpr int last = Cells::width - 1;

  template <class Lines>
  static KOKKOS_FORCEINLINE_FUNCTION bool are_on(const Lines& lines, const Temperatures& T) {
    bool all = hold(lines, T.south, T.north);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) all = all & hold(lines, T.above[r], T.before[r], T.after[r]);
    return all;
  }
  /// The line of the first cell.
  KOKKOS_FORCEINLINE_FUNCTION PropertyLine<Real> take_line(const Temperatures& T) {
    const auto line = medium_.materials.line_at(0, 0, Real(T.here[0].lanes[0]));
    line_ = {line, 0};
    return line;
  }
  /// The same with the next one towards the temperatures around it.
  KOKKOS_FORCEINLINE_FUNCTION LinePair<Real> lines_around(const PropertyLine<Real>& line,
                                                          const Temperatures& T) const {
    bool above = any_reaches(line.to, T.south) | any_reaches(line.to, T.north);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r)
      above = above | any_reaches(line.to, T.here[r]) | any_reaches(line.to, T.above[r]) |
              (T.before[r] >= line.to) | (T.after[r] >= line.to);
    return line_pair(medium_.materials.materials[0].conductivity[0], Real(T.here[0].lanes[0]),
                     above);
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value looked_up(const Value& T) const {
    if (line_.holds(T)) return line_(T);
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
  Cells lower_[Rows], y_lower_;  ///< faces that are formed already
};

}  // namespace halotherm::solver
