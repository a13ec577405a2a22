// SPDX-License-Identifier: MIT
// Several steps in one pass over memory on CPUs: a wavefront through the planes of a strip of rows.
#pragma once

#include "solver/equation/update.hpp"
#include "solver/waves/needed_cells.hpp"
#include "solver/waves/plane_rings.hpp"
#include "solver/waves/wave_faces.hpp"

#include <algorithm>

namespace halotherm::solver {

/// One thread's steps in a strip. Each step follows the one before by a plane, so what they
/// exchange stays in caches: of every step but the last, four planes are kept. Cells around the
/// strip that its last step depends on are computed here and by neighbours alike, with the same
/// bits (overlapped tiling). In two dimensions rows take the place of planes.
template <class Update, class Real>
class StepWave {
 public:
  static constexpr int dim = Update::dimensions;
  static constexpr int along = dim - 1;  ///< the axis of the wave
  /// Planes that a step takes at once, to load once what they share.
  static constexpr int together = dim > 2 ? 2 : 1;

  using Faces = WaveFaces<dim, Real, decltype(Update::medium)>;

  /// The temperatures before the steps are `update.T`, those after all of them go to `update.next`.
  /// `rings`, of temperatures, and `faces`: with room for the strip. References must outlive it.
  StepWave(const Update& update, int steps, const comm::Box& strip, PlaneRings<Real>& rings,
           Faces& faces, bool non_temporal)
      : update_(update),
        steps_(steps),
        strip_(strip),
        rings_(rings),
        faces_(faces),
        non_temporal_(non_temporal) {
    rings_.place(needed(1));
    faces_.place(needed(1));
  }

  void run() const {
    const int begin = needed(1).lower[along], end = strip_.upper[along] + steps_;
    for (int first = begin; first < end; first += together) {
      faces_.form_until(first + together);
      for (int step = 1; step <= steps_; ++step) take(step, first - (step - 1));
    }
  }

 private:
  using Cells = Pack<Real>;
  static constexpr int width = Cells::width;

  /// The cells in which a step is computed.
  comm::Box needed(int step) const {
    return needed_cells(strip_, update_.sides, dim, steps_ - step);
  }

  /// A row in consecutive planes.
  template <int Planes>
  struct Rows {
    const Real* from[Planes + 2];  ///< cell 0 of the row, in the plane before and so on
    std::int64_t next_row;         ///< from row to row
    Real* to[Planes];
    typename Faces::template Row<Planes> faces;
    int j, k;  ///< of the first plane
  };

  /// Ends a step in `together` planes from `first` on, as far as they are needed.
  void take(int step, int first) const {
    const auto box = needed(step);
    const int begin = std::max(first, box.lower[along]);
    const int end = std::min(first + together, box.upper[along]);
    if (begin >= end) return;
    if constexpr (dim == 2) return take_row<1>(step, box, begin, 0);
    if constexpr (dim > 2) {
      for (int j = box.lower[1]; j < box.upper[1]; ++j) {
        const bool at_side = update_.row_at_side(j, begin) || update_.row_at_side(j, end - 1);
        if (end - begin == together && !at_side) {
          take_row<together>(step, box, j, begin);
        } else {
          for (int k = begin; k < end; ++k) take_row<1>(step, box, j, k);
        }
      }
    }
  }

  template <int Planes>
  void take_row(int step, const comm::Box& box, int j, int k) const {
    Rows<Planes> rows;
    rows.next_row = step == 1 ? update_.T.row : rings_.row_stride();
    rows.faces = faces_.template row<Planes>(j, k);
    rows.j = j;
    rows.k = k;
    for (int n = 0; n < Planes + 2; ++n) rows.from[n] = source(step, j, k, n - 1);
    for (int n = 0; n < Planes; ++n) rows.to[n] = target(step, j, k + n);
    const int begin = box.lower[0], end = box.upper[0];
    if (end - begin < width) return take_cells(rows, begin, end);
    const bool at_side = update_.row_at_side(j, k);
    if (step < steps_ || !non_temporal_ || !aligned(rows, begin))
      return at_side ? take_packs<Planes, false, true>(rows, begin, end)
                     : take_packs<Planes, false, false>(rows, begin, end);
    at_side ? take_packs<Planes, true, true>(rows, begin, end)
            : take_packs<Planes, true, false>(rows, begin, end);
  }

  /// Cell 0 of a row of the step before, `way` planes from it.
  const Real* source(int step, int j, int k, int way) const {
    if constexpr (dim == 2) j += way;
    if constexpr (dim > 2) k += way;
    return step == 1 ? &update_.T(0, j, k) : rings_.row(step - 2, j, k);
  }
  Real* target(int step, int j, int k) const {
    return step == steps_ ? &update_.next(0, j, k) : rings_.row(step - 1, j, k);
  }
  template <int Planes>
  bool aligned(const Rows<Planes>& rows, int begin) const {
    for (Real* const row : rows.to) {
      if (reinterpret_cast<std::uintptr_t>(row + begin) % pack_bytes != 0) return false;
    }
    return true;
  }

  /// A row of at least one pack: the last may overlap the one before, which gives the same bits.
  template <int Planes, bool NonTemporal, bool AtSide>
  void take_packs(const Rows<Planes>& rows_, int begin, int end) const {
    const Update step = update_;  // local copies: the compiler sees that stores do not change them
    const Rows<Planes> rows = rows_;
    constexpr auto x = AtSide ? Ghosts::any : Ghosts::x,
                   inner = AtSide ? Ghosts::any : Ghosts::none;
    column<Cells, Planes, NonTemporal, x>(step, rows, begin);
    int i = begin + width;
    for (; i < end - width; i += width) column<Cells, Planes, NonTemporal, inner>(step, rows, i);
    if (i < end) column<Cells, Planes, false, x>(step, rows, end - width);
  }
  template <int Planes>
  void take_cells(const Rows<Planes>& rows, int begin, int end) const {
    for (int i = begin; i < end; ++i) column<Real, Planes, false, Ghosts::any>(update_, rows, i);
  }

  /// Which neighbours may lie beyond physical sides.
  enum class Ghosts { none, x, any };

  template <class Value, int Planes, bool NonTemporal, Ghosts Beyond>
  static KOKKOS_FORCEINLINE_FUNCTION void column(const Update& step, const Rows<Planes>& rows,
                                                 int i) {
    Value below = load_unaligned<Value>(rows.from[0] + i);
    Value here = load_unaligned<Value>(rows.from[1] + i);
    HALOTHERM_UNROLL
    for (int n = 0; n < Planes; ++n) {
      const int j = rows.j, k = rows.k + n;
      const Real* const centre = rows.from[n + 1] + i;
      const Value above = load_unaligned<Value>(rows.from[n + 2] + i);
      Star<dim, Value> star;
      star.here = here;
      star.lower[0] = load_unaligned<Value>(centre - 1);
      star.upper[0] = load_unaligned<Value>(centre + 1);
      if constexpr (dim > 2) {
        star.lower[1] = load_unaligned<Value>(centre - rows.next_row);
        star.upper[1] = load_unaligned<Value>(centre + rows.next_row);
      }
      star.lower[along] = below;
      star.upper[along] = above;
      if constexpr (Beyond == Ghosts::x)
        step.sides.template replace_ghosts_across<0>(star, i, j, k);
      if constexpr (Beyond == Ghosts::any) step.sides.replace_ghosts(star, i, j, k);
      const Value result =
          step.op.template operator()<dim>(star, rows.faces.of(n, star, i, j, k), i, j, k);
      if constexpr (NonTemporal) {
        store_non_temporal(rows.to[n] + i, result);
      } else {
        store(rows.to[n] + i, result);
      }
      below = here;
      here = above;
    }
  }

  const Update& update_;
  int steps_;
  comm::Box strip_;
  PlaneRings<Real>& rings_;
  Faces& faces_;
  bool non_temporal_;
};

}  // namespace halotherm::solver
