// SPDX-License-Identifier: MIT
#include "solver/linear/search_direction.hpp"

#include "solver/field/set_cells.hpp"
#include "solver/linear/sum_of_strips.hpp"
#include "solver/linear/vectors.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

struct SetNext {
  SearchDirection vectors;
  KOKKOS_FORCEINLINE_FUNCTION float value(int i, int j, int k) const {
    return vectors.z(i, j, k) + vectors.factor * vectors.p(i, j, k);
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(int i, int j, int k, float value) const {
    vectors.next(i, j, k) = value;
  }
};

/// After `SetNext`.
template <int Dim, class Matrix>
struct SetFlow {
  Matrix A;
  comm::GridView<const float> p;
  comm::GridView<float> flow;
  KOKKOS_FORCEINLINE_FUNCTION float value(int i, int j, int k) const {
    return A.template around<Dim>(i, j, k).flow(star_at<Dim>(p, i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(int i, int j, int k, float value) const {
    flow(i, j, k) = value;
  }
};

/// Both of them on CPUs: the flow follows the direction by a plane.
template <class Matrix>
struct DirectionStrip : ExactReduction {
  LevelGrid grid;
  comm::Box owned;
  Matrix A;
  SearchDirection vectors;

  DirectionStrip(const SumScale& the_scale, const LevelGrid& the_grid, const comm::Box& the_owned,
                 const Matrix& matrix, const SearchDirection& the_vectors)
      : ExactReduction(the_scale),
        grid(the_grid),
        owned(the_owned),
        A(matrix),
        vectors(the_vectors) {}

  /// Bytes of a row in three planes of all that it reads and writes.
  static std::int64_t bytes_a_row(int cells) {
    constexpr int fields = 8;
    return std::int64_t{cells} * (StagePlanes::planes(1) + fields * 3) *
           static_cast<std::int64_t>(sizeof(float));
  }

  void operator()(const comm::Box& part, Collected& value) const {
    const auto whole = grid.grown(part, 1);
    StagePlanes stages(whole, 1);
    for (int n = whole.lower[2]; n <= part.upper[2]; ++n) {
      if (n < whole.upper[2]) set_next(stages, whole, part, n);
      if (n > part.lower[2]) set_flow(stages, part, n - 1, value);
    }
  }

 private:
  void set_next(StagePlanes& stages, const comm::Box& whole, const comm::Box& part, int k) const {
    const auto kept = kept_of(part, whole);
    const float factor = vectors.factor;
    const int begin = whole.lower[0], end = whole.upper[0];
    for (int j = whole.lower[1]; j < whole.upper[1]; ++j) {
      float* const to = stages.row(0, j, k);
      const float* const z = &vectors.z(0, j, k);
      const float* const p = &vectors.p(0, j, k);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i) to[i] = z[i] + factor * p[i];
      if (!kept.contains(kept.lower[0], j, k)) continue;
      std::copy(to + kept.lower[0], to + kept.upper[0], &vectors.next(kept.lower[0], j, k));
    }
  }
  void set_flow(StagePlanes& stages, const comm::Box& part, int k, Collected& value) const {
    const Matrix matrix = A;
    const int begin = part.lower[0], end = part.upper[0];
    for (int j = part.lower[1]; j < part.upper[1]; ++j) {
      const auto star = stages.around(0, j, k);
      float* const to = &vectors.flow(0, j, k);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i) to[i] = matrix.template around<3>(i, j, k).flow(star.at(i));
      add_products(end - begin, star.here + begin, to + begin, value);
    }
  }
  /// The cells that no other part sets: those of the part, and ghost cells beside it.
  comm::Box kept_of(const comm::Box& part, const comm::Box& whole) const {
    auto kept = part;
    for (int axis = 0; axis < 3; ++axis) {
      if (part.lower[axis] == owned.lower[axis]) kept.lower[axis] = whole.lower[axis];
      if (part.upper[axis] == owned.upper[axis]) kept.upper[axis] = whole.upper[axis];
    }
    return kept;
  }
};

struct Advance : ExactReduction {
  float step;
  comm::GridView<const float> p, q;
  comm::GridView<float> x, r;

  Advance(const SumScale& the_scale, float the_step, const comm::GridView<const float>& the_p,
          const comm::GridView<const float>& the_q, const comm::GridView<float>& the_x,
          const comm::GridView<float>& the_r)
      : ExactReduction(the_scale), step(the_step), p(the_p), q(the_q), x(the_x), r(the_r) {}

  struct Term {
    float x, r;
  };
  KOKKOS_FORCEINLINE_FUNCTION Term term(int i, int j, int k) const {
    return {x(i, j, k) + step * p(i, j, k), r(i, j, k) + step * q(i, j, k)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_term(const Term& term, int i, int j, int k,
                                            Collected& value) const {
    x(i, j, k) = term.x;
    r(i, j, k) = term.r;
    add(static_cast<double>(term.r) * static_cast<double>(term.r), value);
  }
  /// On CPUs.
  void row(int first, int end, int j, int k, Collected& value) const {
    const Advance cell = *this;
#pragma GCC ivdep
    for (int i = first; i < end; ++i) {
      const auto values = cell.term(i, j, k);
      cell.x(i, j, k) = values.x;
      cell.r(i, j, k) = values.r;
    }
    add_products(end - first, &r(first, j, k), &r(first, j, k), value);
  }
};

template <int Dim, class Matrix>
ProductSum set_direction_of(const comm::Space& space, const LevelGrid& grid, const comm::Box& owned,
                            const Matrix& A, const SearchDirection& direction,
                            const SumScale& scale) {
  if constexpr (comm::kernels_run_on_host && Dim == 3) {
    using Strip = DirectionStrip<Matrix>;
    const Strips strips(owned, Strip::bytes_a_row(owned.extent(0)), 1, space.concurrency());
    return sum_of_strips(space, "search direction", strips,
                         Strip(scale, grid, owned, A, direction));
  } else {
    const comm::GridView<const float> next = direction.next, flow = direction.flow;
    set_cells(space, "search direction", grid.grown(owned, 1), SetNext{direction});
    set_cells(space, "flow", owned, SetFlow<Dim, Matrix>{A, next, direction.flow});
    return sum_of_products(space, owned, next, flow, scale);
  }
}

}  // namespace

ProductSum set_direction(const comm::Space& space, const LevelGrid& grid, const comm::Box& owned,
                         const AnyMatrixView& A, const SearchDirection& direction,
                         const SumScale& scale) {
  ProductSum sum;
  with_matrix(A, grid.dimensions, [&](const auto& matrix, auto dim) {
    sum = set_direction_of<dim()>(space, grid, owned, matrix, direction, scale);
  });
  return sum;
}

ProductSum advance(const comm::Space& space, const comm::Box& owned, float step,
                   const comm::GridView<const float>& p, const comm::GridView<const float>& q,
                   const comm::GridView<float>& x, const comm::GridView<float>& r,
                   const SumScale& scale) {
  return exact_sum(space, "advance", owned, Advance(scale, step, p, q, x, r));
}

}  // namespace halotherm::solver
