// SPDX-License-Identifier: MIT
// Streams of rows within one material, on the host, against the operators of this machine; kernels
// on GPUs are compared with each other in apply_tabulated_test.cpp.
#include "solver/streaming/one_material_stream.hpp"

#include "solver/kernels/apply.hpp"
#include "tests/support/uneven_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <variant>

namespace halotherm::solver {
namespace {

constexpr double dt = 1e-5;
constexpr int rows = 2;
const Grid even{.dimensions = 3, .cells = {64, 12, 9}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};

/// No sides: all cells have neighbours in the field.
template <class Real, class Widths>
struct Streamed {
  using Medium = TabulatedMedium<Real, Widths>;

  Streamed(const Grid& grid, const PropertyTable& capacity)
      : owned{{0, 0, 0}, grid.cells},
        equation(grid, owned, TabulatedMaterial{{{{conductivity}, capacity}}, {}, 0.0}),
        boundary(owned, {}),
        now("now", owned, grid.ghosts(1)),
        next("next", owned, grid.ghosts(1)),
        medium(std::get<Medium>(equation.medium())),
        heating{medium.materials, equation.source(), static_cast<Real>(dt)} {
    const auto all = comm::grown(owned, grid.ghosts(1), grid.ghosts(1));
    std::vector<Real> values;
    // on one line, on two, and anywhere
    for (std::int64_t n = 0; n < all.size(); ++n) {
      const auto x = static_cast<double>(n);
      values.push_back(static_cast<Real>(n % all.extent(0) < 30 ? 300 + 50 * std::sin(0.7 * x)
                                                                : 315 + 40 * std::sin(0.002 * x)));
    }
    copy_from_host<Real>(values, all, now);
  }
  comm::GridView<const Real> T() const { return now.view(); }

  template <class Operator>
  std::vector<Real> applied(const Operator& op) {
    apply(comm::Space(), comm::Region(owned), op, T(), next.view());
    comm::Space().fence("test");
    return taken();
  }
  template <class Cells>
  std::vector<Real> streamed(const Cells& cells) {
    const Update<3, Real, Medium, Cells> update{T(), next.view(), medium, cells, boundary.view()};
    for (int j = 0; j < owned.upper[1]; j += rows) {
      for (int i = 0; i < owned.upper[0]; i += Pack<Real>::width)
        stream_within_material<rows>(update, 0, i, j, j, 0, owned.upper[2]);
    }
    return taken();
  }

  /// The results, which are NaN from then on.
  std::vector<Real> taken() {
    std::vector<Real> values(static_cast<std::size_t>(owned.size()));
    copy_to_host<Real>(next, owned, values);
    copy_from_host<Real>(std::vector<Real>(values.size(), std::nan("")), owned, next);
    return values;
  }

  inline static const PropertyTable conductivity{{300, 2}, {310, 3}, {350, 5}};
  comm::Box owned;
  HeatEquation<Real> equation;
  Boundary<Real> boundary;
  Field<Real> now, next;
  const Medium& medium;
  TabulatedHeating<Real> heating;
};

template <class Real, class Widths>
void expect_operators_alike(const Grid& grid, const PropertyTable& capacity) {
  Streamed<Real, Widths> s(grid, capacity);
  const auto T = s.T();
  EXPECT_EQ(s.streamed(EulerCells<TabulatedHeating<Real>>{s.heating}),
            s.applied(EulerStep<Real>{s.equation, s.boundary, dt}));
  EXPECT_EQ(s.streamed(CellResidual<Real>{s.equation.source()}),
            s.applied(Residual<Real>{s.equation, s.boundary}));
  const Jacobi<Real> jacobi{s.equation, s.boundary};
  EXPECT_EQ(s.streamed(CellJacobi<Real>{{s.equation.source()}, static_cast<Real>(jacobi.weight)}),
            s.applied(jacobi));
  if (s.medium.materials.inverse_capacity == nullptr) return;
  EXPECT_EQ(
      s.streamed(RungeKuttaCells<TabulatedHeating<Real>, Real>{
          s.heating, {T}, {T}, {T}, Real(0.5), Real(0.25), Real(0.125)}),
      s.applied(RungeKuttaStage<Real>{s.equation, s.boundary, dt, 0.5, 0.25, 0.125, T, T, T}));
}

template <class Real>
class OneMaterialStreamOf : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(OneMaterialStreamOf, Reals);

TYPED_TEST(OneMaterialStreamOf, HasTheBitsOfTheOperators) {
  if (!comm::kernels_run_on_host) GTEST_SKIP() << "kernels run on a GPU";
  using Real = TypeParam;
  auto uneven = even;
  test::make_uneven(uneven);
  for (const auto& capacity :
       {PropertyTable{{0, 3}}, PropertyTable{{290, 1}, {320, 1.5}, {320, 3}, {350, 1.2}}}) {
    expect_operators_alike<Real, EvenWidths<Real>>(even, capacity);
    expect_operators_alike<Real, UnevenWidths<Real>>(uneven, capacity);
  }
}

}  // namespace
}  // namespace halotherm::solver
