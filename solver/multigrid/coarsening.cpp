// SPDX-License-Identifier: MIT
#include "solver/multigrid/coarsening.hpp"

#include "solver/field/set_cells.hpp"
#include "solver/multigrid/restriction.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace halotherm::solver {

namespace {

/// The conductance of a coarse face across an axis on a line of cells, whose fine faces are
/// `face(index)`; index −1 is that of a periodic side's other end.
template <class Face>
KOKKOS_FORCEINLINE_FUNCTION float coarse_face(const Coarsening& c, int axis, int coarse_index,
                                              const Face& face) {
  if (!c.joins(axis)) return face(coarse_index);
  const int cells = c.fine.cells[axis], coarse_cells = c.coarse_cells(axis);
  const int index = coarse_index < coarse_cells ? children(c, axis, coarse_index).first : cells;
  constexpr float half = 0.5F;
  const float own = face(index);
  if (!(own > 0)) return 0;
  float resistance = 1 / own;
  const auto add_half_of = [&](float other) {
    if (other > 0) resistance = resistance + half / other;
  };
  const auto is_pair = [&](int coarse) {
    const auto joined = children(c, axis, coarse);
    return joined.end - joined.first > 1;
  };
  // the face inside of the coarse cell below or above, if that has two cells
  const bool pair_below = coarse_index > 0 ? is_pair(coarse_index - 1)
                                           : c.fine.periodic[axis] && is_pair(coarse_cells - 1);
  if (pair_below) add_half_of(face(index - 1));
  if (coarse_index < coarse_cells && is_pair(coarse_index)) add_half_of(face(index + 1));
  return Kokkos::max(1 / resistance, own * half);
}

template <int Axis>
struct CoarseFaces {
  Coarsening c;
  comm::GridView<const float> fine;
  comm::GridView<float> coarse;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    constexpr int across[2] = {Axis == 0 ? 1 : 0, Axis == 2 ? 1 : 2};
    const int at[3] = {i, j, k};
    float sum = 0;
    const auto ones = children(c, across[0], at[across[0]]),
               others = children(c, across[1], at[across[1]]);
    for (int other = others.first; other < others.end; ++other) {
      for (int one = ones.first; one < ones.end; ++one) sum = sum + line(at[Axis], one, other);
    }
    coarse(i, j, k) = sum;
  }

 private:
  /// The fine conductance at this index of the axis on a line of cells.
  KOKKOS_FORCEINLINE_FUNCTION float face(int index, int one, int other) const {
    if constexpr (Axis == 0) return fine(index, one, other);
    if constexpr (Axis == 1) return fine(one, index, other);
    return fine(one, other, index);
  }
  /// A line through the coarse face.
  KOKKOS_FORCEINLINE_FUNCTION float line(int coarse_index, int one, int other) const {
    return coarse_face(c, Axis, coarse_index, [&](int index) { return face(index, one, other); });
  }
};

struct Correction {
  Coarsening c;
  comm::GridView<const float> coarse;
  comm::GridView<float> x;

  KOKKOS_FORCEINLINE_FUNCTION float value(int i, int j, int k) const {
    return x(i, j, k) + coarse(c.parent(0, i), c.parent(1, j), c.parent(2, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(int i, int j, int k, float value) const {
    x(i, j, k) = value;
  }
  /// On CPUs, which add to several pairs at once.
  void row(int first, int last, int j, int k) const {
    if (c.partly[0].exists()) return rest(first, last, j, k);
    const bool joined = c.factors[0] == 2;
    const int pairs = joined ? first + first % 2 : first;
    const int end = joined ? std::min(last, 2 * c.coarse_cells(0)) : last;
    const int count = (end - pairs) / c.factors[0];
    if (count <= 0) return rest(first, last, j, k);
    const float* from = &coarse(c.parent(0, pairs), c.parent(1, j), c.parent(2, k));
    float* to = &x(pairs, j, k);
    if (joined) {
      add<2>(count, from, to);
    } else {
      add<1>(count, from, to);
    }
    rest(first, pairs, j, k);
    rest(pairs + c.factors[0] * count, last, j, k);
  }

 private:
  template <int Factor>
  static void add(int count, const float* from, float* to) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
#pragma GCC ivdep  // of different fields
#endif
    for (int n = 0; n < count; ++n) {
      for (int child = 0; child < Factor; ++child)
        to[Factor * n + child] = to[Factor * n + child] + from[n];
    }
  }
  void rest(int first, int last, int j, int k) const {
    for (int i = first; i < last; ++i) set(i, j, k, value(i, j, k));
  }
};

}  // namespace

PartlyJoined::PartlyJoined(const std::vector<int>& first)
    : first_("first of joined cells", first.size()),
      parent_("coarse cells", static_cast<std::size_t>(first.back())),
      first_on_host_(Kokkos::create_mirror_view(first_)),
      parent_on_host_(Kokkos::create_mirror_view(parent_)),
      coarse_cells_(static_cast<int>(first.size()) - 1) {
  std::ranges::copy(first, first_on_host_.data());
  for (int coarse = 0; coarse < coarse_cells_; ++coarse) {
    for (int index = first_on_host_(coarse); index < first_on_host_(coarse + 1); ++index)
      parent_on_host_(index) = coarse;
  }
  Kokkos::deep_copy(first_, first_on_host_);
  Kokkos::deep_copy(parent_, parent_on_host_);
}

LevelGrid Coarsening::coarse() const {
  auto grid = fine;
  for (int axis = 0; axis < 3; ++axis) grid.cells[axis] = coarse_cells(axis);
  return grid;
}

void coarsen(const comm::Space& space, const Coarsening& coarsening, const comm::Box& coarse_owned,
             const MatrixView& fine, Matrix& coarse) {
  const auto grid = coarsening.coarse();
  const auto along = [&](auto axis) {
    constexpr int a = axis();
    if (a >= grid.dimensions || (grid.periodic[a] && grid.cells[a] == 1)) return;
    comm::for_each_cell(space, "coarse conductances", grid.faces(coarse_owned, a),
                        CoarseFaces<a>{coarsening, fine.lower[a], coarse.lower(a).view()});
  };
  along(std::integral_constant<int, 0>{});
  along(std::integral_constant<int, 1>{});
  along(std::integral_constant<int, 2>{});
  if (coarse.anchored())
    restrict_to(space, coarsening, coarse_owned, fine.anchor, coarse.anchor().view());
}

namespace {

/// Of the face between two cells of these widths.
double between(double conductivity, double one, double other) {
  return conductivity / ((one + other) / 2);
}
/// Of a side whose cell becomes wider; `own`: before that. What lies beyond the face stays.
double at_side(double conductivity, double own, double fine_width, double coarse_width) {
  const double farther = (coarse_width - fine_width) / 2;
  return own > 0 ? 1 / (1 / own + farther / conductivity) : 0.0;
}

/// The factors of joined cells along an axis.
AxisFactors joined_along(const Coarsening& coarsening, int axis, const AxisFactors& fine) {
  const double conductivity = fine.conductivity;
  AxisFactors coarse{{}, {}, conductivity};
  auto& face = coarse.face;
  auto& area = coarse.area;
  const int cells = coarsening.coarse_cells(axis);
  for (int index = 0; index < cells; ++index) {
    const auto joined = children(coarsening, axis, index);
    area.push_back(
        std::accumulate(fine.area.begin() + joined.first, fine.area.begin() + joined.end, 0.0));
  }
  const bool periodic = coarsening.fine.periodic[axis];
  face.push_back(periodic
                     ? between(conductivity, area.back(), area.front())
                     : at_side(conductivity, fine.face.front(), fine.area.front(), area.front()));
  for (std::size_t n = 1; n < area.size(); ++n)
    face.push_back(between(conductivity, area[n - 1], area[n]));
  face.push_back(periodic ? face.front()
                          : at_side(conductivity, fine.face.back(), fine.area.back(), area.back()));
  if (periodic && cells == 1) face = {0, 0};  // a cell beside itself
  return coarse;
}

}  // namespace

SeparableMatrix coarsened(const Coarsening& coarsening, const SeparableMatrix& fine) {
  std::array<AxisFactors, 3> factors;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& along = fine.along(axis);
    factors[static_cast<std::size_t>(axis)] =
        coarsening.joins(axis) ? joined_along(coarsening, axis, along) : along;
  }
  return {coarsening.coarse(), std::move(factors), fine.mass()};
}

void add_correction(const comm::Space& space, const Coarsening& coarsening,
                    const comm::Box& fine_owned, const comm::GridView<const float>& coarse,
                    const comm::GridView<float>& x) {
  set_cells(space, "correction", fine_owned, Correction{coarsening, coarse, x});
}

}  // namespace halotherm::solver
