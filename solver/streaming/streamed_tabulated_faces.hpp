// SPDX-License-Identifier: MIT
// Faces of the cells of a streaming thread that follow the temperatures of each step.
#pragma once

#include "solver/material/kept_line.hpp"
#include "solver/streaming/streamed_faces.hpp"

#include <type_traits>

namespace halotherm::solver {

/// In place of lines: each K by a look-up, unless the thread's line holds the temperature.
struct LookUps {};

/// K of a cell and a face that the next cells of the stream need again are kept. Where the cells of
/// a stencil are of one material and on one line of its K, as most are, all K come from that line,
/// without a branch; also where all have the temperature at which the line begins, as many bodies
/// do at the start. On two lines, one after the other, each K chooses between them.
template <int Dim, int Rows, bool Isotropic, class Real, class Widths>
class StreamedFaces<Dim, Rows, Isotropic, TabulatedMedium<Real, Widths>> {
 public:
  static_assert(Rows == 1);
  using Cells = Pack<Real>;

  KOKKOS_FORCEINLINE_FUNCTION StreamedFaces(const TabulatedMedium<Real, Widths>& medium, int i,
                                            int j, int k)
      : medium_(medium), i_(i), j_(j), k_(k) {
    here_ = bytes<Cells>(0, 0, 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void arrive(bool ghosts_in_lanes) {
    ghosts_in_lanes_ = ghosts_in_lanes;
  }
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Cells> of_row(int, const Star<Dim, Cells>& T) {
    if constexpr (Isotropic) {
      if (!begun_) {
        begin(T);
      } else if (ghosts_in_lanes_) {
        K_here_ = K_of(LookUps(), T.here, here_);
      }
      return faces_around(T, materials_around());
    } else {
      return medium_.faces_of(T, i_, j_, k_, recent_);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void depart() { (Dim == 2 ? j_ : k_) += 1; }

 private:
  static constexpr int stream_axis = Dim - 1;
  static constexpr int last = Cells::width - 1;
  using Bytes = CellBytes<Cells::width>;
  /// The materials of the neighbours.
  struct Around {
    Bytes next, south, north;
    CellBytes<1> before, after;
  };

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION auto bytes(int di, int dj, int dk) const {
    return medium_.template bytes<Value>(i_ + di, j_ + dj, k_ + dk);
  }
  KOKKOS_FORCEINLINE_FUNCTION Around materials_around() const {
    Around around;
    if (!medium_.materials.has_several()) return around;
    around.next = bytes<Cells>(0, Dim == 2, Dim == 3);
    if constexpr (Dim > 2) {
      around.south = bytes<Cells>(0, -1, 0);
      around.north = bytes<Cells>(0, 1, 0);
    }
    around.before = bytes<Real>(-1, 0, 0);
    around.after = bytes<Real>(Cells::width, 0, 0);
    return around;
  }

  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Cells> faces_around(const Star<Dim, Cells>& T,
                                                                    const Around& around) {
    const Real next = T.upper[stream_axis].lanes[0];
    if (!medium_.materials.has_several() || are_of_its_material(around)) {
      const auto farthest = farthest_in(line_.range, T);
      if (line_.range.reaches(farthest)) return kept_faces(line_, T, around);
      const LinePair<Real> pair(line_, table(), line_.range.is_below(farthest));
      if (pair.range.reaches(farthest_in(pair.range, T))) {
        line_ = pair.at(next);
        return kept_faces(pair, T, around);
      }
    }
    const auto faces = kept_faces(LookUps(), T, around);
    line_ = line_to_keep(table(), next, here_.of(0));
    return faces;
  }
  /// The table of the first cell's material.
  KOKKOS_FORCEINLINE_FUNCTION const PropertyView<Real>& table() const {
    const auto& materials = medium_.materials;
    return materials.materials[here_.of(0) < materials.count ? here_.of(0) : 0].conductivity[0];
  }
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Star<Dim, Cells>& T) {
    const auto below = bytes<Cells>(0, -(Dim == 2), -(Dim == 3));
    line_ = line_to_keep(table(), Real(T.here.lanes[0]), here_.of(0));
    K_here_ = K_of(LookUps(), T.here, here_);
    const Cells K_below = K_of(LookUps(), T.lower[stream_axis], below);
    lower_ = face<LookUps, stream_axis>(0, below, K_below, here_, K_here_);
    begun_ = true;
  }

  static KOKKOS_FORCEINLINE_FUNCTION std::uint32_t farthest_in(const BitRange<Real>& range,
                                                               const Star<Dim, Cells>& T) {
    const Real before = T.lower[0].lanes[0], after = T.upper[0].lanes[last];
    if constexpr (Dim == 2) {
      return range.farthest(T.upper[1], before, after);
    } else {
      return range.farthest(T.upper[2], before, after, T.lower[1], T.upper[1]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION bool are_of_its_material(const Around& around) const {
    const int material = line_.material;
    bool all = here_.all(material) & around.next.all(material) & around.before.all(material) &
               around.after.all(material);
    if constexpr (Dim > 2) all = all & around.south.all(material) & around.north.all(material);
    return all;
  }

  /// By lines that hold all neighbours, or by look-ups.
  template <class Lines>
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Cells> kept_faces(const Lines& lines,
                                                                  const Star<Dim, Cells>& T,
                                                                  const Around& around) {
    VaryingFaces<Dim, Cells> faces;
    const Cells K_next = K_of(lines, T.upper[stream_axis], around.next);
    const Cells next = face<Lines, stream_axis>(1, here_, K_here_, around.next, K_next);
    faces.lower[stream_axis] = seen<stream_axis>(lower_);
    faces.upper[stream_axis] = seen<stream_axis>(next);
    if constexpr (Dim > 2) {
      const Cells K_south = K_of(lines, T.lower[1], around.south);
      const Cells K_north = K_of(lines, T.upper[1], around.north);
      faces.lower[1] = seen<1>(face<Lines, 1>(0, around.south, K_south, here_, K_here_));
      faces.upper[1] = seen<1>(face<Lines, 1>(1, here_, K_here_, around.north, K_north));
    }
    set_x_faces(lines, faces, T, around);
    lower_ = next;
    K_here_ = K_next;
    here_ = around.next;
    return faces;
  }

  template <class Lines, class Value, class Materials>
  KOKKOS_FORCEINLINE_FUNCTION Value K_of(const Lines& lines, const Value& T,
                                         const Materials& cells) const {
    if constexpr (std::is_same_v<Lines, LookUps>) {
      if (!cells.all(line_.material) || !line_.range.holds(T))
        return medium_.conductivity(T, medium_.template numbers_of<Value>(cells));
      return line_(T);
    } else {
      return lines(T);
    }
  }
  /// What both sides of a face share: the lower face of the current cells, or, `above` 1, the
  /// upper.
  template <class Lines, int Axis, class Value, class Materials>
  KOKKOS_FORCEINLINE_FUNCTION Value face(int above, const Materials& lower, const Value& K_lower,
                                         const Materials& upper, const Value& K_upper) const {
    const int index = (Axis == 0 ? i_ : Axis == 1 ? j_ : k_) + above;
    if constexpr (!std::is_same_v<Lines, LookUps>)
      return medium_.widths.template mean<AlignedEntries>(Axis, index, K_lower + K_upper);
    return medium_.conductance(Axis, index, medium_.template numbers_of<Value>(lower), K_lower,
                               medium_.template numbers_of<Value>(upper), K_upper);
  }
  template <int Axis>
  KOKKOS_FORCEINLINE_FUNCTION Cells seen(const Cells& shared) const {
    return medium_.widths.template seen<AlignedEntries>(Axis,
                                                        Axis == 0   ? i_
                                                        : Axis == 1 ? j_
                                                                    : k_,
                                                        shared);
  }
  /// The face beyond the last lane is the only one that the lower faces do not have.
  template <class Lines>
  KOKKOS_FORCEINLINE_FUNCTION void set_x_faces(const Lines& lines, VaryingFaces<Dim, Cells>& faces,
                                               const Star<Dim, Cells>& T, const Around& around) {
    const Real K_before = K_of(lines, Real(T.lower[0].lanes[0]), around.before);
    const Real K_after = K_of(lines, Real(T.upper[0].lanes[last]), around.after);
    const Cells shared = face<Lines, 0>(0, here_.shifted_up(around.before),
                                        shifted_up(K_here_, K_before), here_, K_here_);
    const Real beyond = face<Lines, 0>(Cells::width, here_.last(), Real(K_here_.lanes[last]),
                                       around.after, K_after);
    faces.lower[0] = seen<0>(shared);
    faces.upper[0] = seen<0>(shifted_down(shared, beyond));
  }

  const TabulatedMedium<Real, Widths>& medium_;
  RecentLine<Real> recent_[Dim];  ///< if not isotropic
  KeptLine<Real> line_;           ///< if isotropic: of most cells around
  Bytes here_;
  Cells K_here_, lower_;
  int i_, j_, k_;
  bool begun_ = false, ghosts_in_lanes_ = false;
};

}  // namespace halotherm::solver
