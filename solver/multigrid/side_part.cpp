// SPDX-License-Identifier: MIT
#include "solver/multigrid/side_part.hpp"

#include "comm/device/for_each_cell.hpp"
#include "solver/field/dimensions.hpp"
#include "solver/linear/vectors.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::solver {

namespace {

/// The cells of a block within three layers of a side: those whose b the side part may change.
comm::BoxList cells_near_sides(const LevelGrid& grid, const comm::Box& owned) {
  constexpr int layers = 3;
  comm::Box inside = owned;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    if (grid.periodic[axis]) continue;
    inside.lower[axis] = std::max(owned.lower[axis], layers);
    inside.upper[axis] = std::min(owned.upper[axis], grid.cells[axis] - layers);
  }
  if (inside.empty()) return comm::BoxList(std::span(&owned, 1));
  return comm::BoxList(comm::difference(owned, inside));
}

template <int Dim>
struct PartOf {
  SidePart part;
  comm::GridView<const float> b;
  KOKKOS_FORCEINLINE_FUNCTION float operator()(int i, int j, int k) const {
    return part.template of<Dim>(b, i, j, k);
  }
};

template <int Dim>
struct WithoutPart {
  PartOf<Dim> x;
  comm::GridView<float> result;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int, std::int64_t, int i, int j, int k) const {
    const auto around = x.part.A.template around<Dim>(i, j, k);
    result(i, j, k) = x.b(i, j, k) + around.flow(star_at<Dim>(x, i, j, k));
  }
};

struct SetPart {
  comm::GridView<float> target;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, float x) const {
    target(i, j, k) = x;
  }
};

template <class Real>
struct AddPart {
  double factor;
  comm::GridView<Real> values;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, float x) const {
    values(i, j, k) = corrected(values(i, j, k), factor, x);
  }
};

template <int Dim, class Target>
struct TakePart {
  PartOf<Dim> x;
  Target target;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int, std::int64_t, int i, int j, int k) const {
    target(i, j, k, x(i, j, k));
  }
};

struct Replace {
  comm::GridView<const float> from;
  comm::GridView<float> b;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int, std::int64_t, int i, int j, int k) const {
    b(i, j, k) = from(i, j, k);
  }
};

struct PutBack {
  comm::GridView<const float> part;
  comm::GridView<float> x;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int, std::int64_t, int i, int j, int k) const {
    x(i, j, k) = x(i, j, k) + part(i, j, k);
  }
};

template <class Target>
void take_out_by(const comm::Space& space, const comm::Box& owned, const SidePart& part,
                 Field<float>& b, Field<float>& scratch, const Target& target) {
  const auto cells = cells_near_sides(part.grid, owned);
  with_dimensions(part.grid.dimensions, [&](auto dim) {
    const PartOf<dim()> x{part, std::as_const(b).view()};
    comm::for_each_cell_of(space, "without side part", cells,
                           WithoutPart<dim()>{x, scratch.view()});
    comm::for_each_cell_of(space, "side part", cells, TakePart<dim(), Target>{x, target});
  });
  comm::for_each_cell_of(space, "take side part out", cells,
                         Replace{std::as_const(scratch).view(), b.view()});
}

}  // namespace

SidePart::SidePart(const Coarsening& coarsening, const SeparableView& the_A,
                   const Interpolation& interpolation)
    : grid(coarsening.fine), A(the_A), weights{} {
  const auto all = [](const AxisWeights& cell) { return cell.low + cell.high; };
  for (int axis = 0; axis < 3; ++axis) {
    const auto& along = interpolation.along(axis);
    weights[axis] = {all(along.front()), all(along.back()), 1};
    if (coarsening.ends_in_three[axis]) weights[axis].last_but_one = all(along[along.size() - 2]);
  }
}

void take_out(const comm::Space& space, const comm::Box& owned, const SidePart& part,
              Field<float>& b, Field<float>& scratch, const comm::GridView<float>& target) {
  take_out_by(space, owned, part, b, scratch, SetPart{target});
}

template <class Real>
void take_out_onto(const comm::Space& space, const comm::Box& owned, const SidePart& part,
                   Field<float>& b, Field<float>& scratch, double factor,
                   const comm::GridView<Real>& values) {
  take_out_by(space, owned, part, b, scratch, AddPart<Real>{factor, values});
}

void put_back(const comm::Space& space, const comm::Box& owned, const LevelGrid& grid,
              const comm::GridView<const float>& part, const comm::GridView<float>& x) {
  comm::for_each_cell_of(space, "put side part back", cells_near_sides(grid, owned),
                         PutBack{part, x});
}

#define HALOTHERM_INSTANTIATE(Real)                                                  \
  template void take_out_onto(const comm::Space&, const comm::Box&, const SidePart&, \
                              Field<float>&, Field<float>&, double, const comm::GridView<Real>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::solver
