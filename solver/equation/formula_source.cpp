// SPDX-License-Identifier: MIT
#include "solver/equation/formula_source.hpp"

#include "solver/field/reduce_cells.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

AxisEntries<double> entries_of(const comm::Box& owned, const comm::Box& box,
                               const AxisCoordinates& coordinates) {
  AxisEntries<double> entries;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& along = coordinates[static_cast<std::size_t>(axis)];
    entries.add(owned, axis, [&](int index) {
      const int last = static_cast<int>(along.size()) - 1;
      return along[static_cast<std::size_t>(std::clamp(index - box.lower[axis], 0, last))];
    });
  }
  return entries;
}

/// Evaluates all factors: i counts the cells along the axis j.
template <class Real>
struct EvaluateFactors {
  using Extremes = typename ProductSource<Real>::Extremes;
  using Largest = typename ProductSource<Real>::Largest;
  using value_type = Extremes;

  const FormulaOperation* code[3];
  int count[3];
  const double* coordinates[3];
  Real* factor[3];
  comm::Box box;
  double time;

  KOKKOS_INLINE_FUNCTION void init(Extremes& extremes) const {
    for (auto& largest : extremes.along) largest = {0, -1, 0};
  }
  static KOKKOS_INLINE_FUNCTION void join(Largest& largest, const Largest& other) {
    const bool earlier = other.size == largest.size && other.index < largest.index;
    if (other.size > largest.size || earlier) largest = other;
  }
  KOKKOS_INLINE_FUNCTION void join(Extremes& extremes, const Extremes& other) const {
    for (int axis = 0; axis < 3; ++axis) join(extremes.along[axis], other.along[axis]);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int axis, int, Extremes& extremes) const {
    const int index = box.lower[axis] + i;
    if (index >= box.upper[axis]) return;
    FormulaValues values{{0, 0, 0, time, 0}};
    values.of[axis] = coordinates[axis][index];
    const auto value = static_cast<Real>(evaluate(code[axis], count[axis], values));
    factor[axis][index] = value;
    const auto number = static_cast<double>(value);
    const double size =
        Kokkos::isfinite(number) ? Kokkos::abs(number) : Kokkos::Experimental::infinity_v<double>;
    join(extremes.along[axis], {number, size, index});
  }
};

/// Notes that the product of the largest factors is not finite.
template <class Real>
struct NoteProduct {
  Kokkos::View<typename ProductSource<Real>::Extremes, comm::Memory> extremes;
  Kokkos::View<FormulaFailure, comm::Memory> failure;
  double time;

  KOKKOS_INLINE_FUNCTION void operator()(int) const {
    const auto& [x, y, z] = extremes().along;
    const auto value = static_cast<double>(CellSource<Real>::product(
        static_cast<Real>(x.value), static_cast<Real>(y.value), static_cast<Real>(z.value)));
    if (failure().found || Kokkos::isfinite(value)) return;
    failure() = {true, time, value, {x.index, y.index, z.index}, 0};
  }
};

template <class Real>
struct EvaluateCells {
  using First = typename CellwiseSource<Real>::First;
  using value_type = First;

  const FormulaOperation* code;
  int count;
  double number;
  const double* coordinates[3];
  double time;
  CellsOfFormula cells;
  comm::Box box;
  comm::GridView<Real> field;
  comm::GridView<const Real> T;  ///< without data where the formula does not depend on it

  KOKKOS_INLINE_FUNCTION void init(First& first) const { first = {0, no_place}; }
  KOKKOS_INLINE_FUNCTION void join(First& first, const First& other) const {
    if (other.place < first.place) first = other;
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, First& first) const {
    const auto row = std::int64_t{k - box.lower[2]} * box.extent(1) + (j - box.lower[1]);
    const auto place = row * box.extent(0) + (i - box.lower[0]);
    if (cells.owners != nullptr && cells.owners[place] != cells.owner) return;
    double value = number;
    if (count > 0) {
      value = evaluate(code, count,
                       {{coordinates[0][i], coordinates[1][j], coordinates[2][k], time,
                         T.data == nullptr ? 0.0 : temperature(i, j, k)}});
    }
    if (!Kokkos::isfinite(value)) join(first, {value, place});
    field(i, j, k) = static_cast<Real>(cells.added == nullptr ? value : value + cells.added[place]);
  }
  KOKKOS_INLINE_FUNCTION double temperature(int i, int j, int k) const {
    const auto here = static_cast<double>(T(i, j, k));
    const auto& [lower, upper] = cells.temperatures;
    return here < lower ? lower : here > upper ? upper : here;
  }
};

template <class First>
struct NoteCell {
  Kokkos::View<First, comm::Memory> first;
  Kokkos::View<FormulaFailure, comm::Memory> failure;
  comm::Box box;
  double time;
  std::int32_t part;

  KOKKOS_INLINE_FUNCTION void operator()(int) const {
    note_failure(failure(), time, first().value, box, first().place, part);
  }
};

}  // namespace

template <class Real>
ProductSource<Real>::ProductSource(const comm::Box& owned, const comm::Box& box,
                                   const AxisCoordinates& coordinates,
                                   const FormulaFactors& factors)
    : box_(box), coordinates_(entries_of(owned, box, coordinates)), extremes_("largest factors") {
  for (int axis = 0; axis < 3; ++axis) {
    const auto n = static_cast<std::size_t>(axis);
    factors_.add(owned, axis, [](int) { return Real(0); });
    codes_[n] = on_device("factor", factors[n]);
  }
}

template <class Real>
void ProductSource<Real>::evaluate(const comm::Space& space, double time,
                                   const FirstFailure& failure) const {
  EvaluateFactors<Real> work{{}, {}, {}, {}, box_, time};
  int longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto n = static_cast<std::size_t>(axis);
    work.code[axis] = codes_[n].data();
    work.count[axis] = static_cast<int>(codes_[n].size());
    work.coordinates[axis] = coordinates_[n];
    work.factor[axis] = factors_.changing(n);
    longest = std::max(longest, box_.extent(axis));
  }
  reduce_cells(space, "factors of the source", {{0, 0, 0}, {longest, 3, 1}}, work, extremes_);
  launch_once(space, "note a failure", NoteProduct<Real>{extremes_, failure.view(), time});
}

template <class Real>
CellSource<Real> ProductSource<Real>::view() const {
  return {.value = {{}, Real(0), false}, .factor = {factors_[0], factors_[1], factors_[2]}};
}

template <class Real>
CellwiseSource<Real>::CellwiseSource(const comm::Box& owned, const comm::Box& box,
                                     const AxisCoordinates& coordinates)
    : box_(box), coordinates_(entries_of(owned, box, coordinates)), first_("first failure") {}

template <class Real>
void CellwiseSource<Real>::evaluate(const comm::Space& space,
                                    const DeviceArray<FormulaOperation>& code, double number,
                                    double time, const CellsOfFormula& cells, std::int32_t part,
                                    const comm::GridView<Real>& field, const FirstFailure& failure,
                                    const comm::GridView<const Real>& T) const {
  if (cells.cells.empty()) return;
  const EvaluateCells<Real> work{code.data(),
                                 static_cast<int>(code.size()),
                                 number,
                                 {coordinates_[0], coordinates_[1], coordinates_[2]},
                                 time,
                                 cells,
                                 box_,
                                 field,
                                 T};
  reduce_cells(space, "source", cells.cells, work, first_);
  launch_once(space, "note a failure", NoteCell<First>{first_, failure.view(), box_, time, part});
}

template class ProductSource<float>;
template class ProductSource<double>;
template class CellwiseSource<float>;
template class CellwiseSource<double>;

}  // namespace halotherm::solver
