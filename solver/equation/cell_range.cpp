// SPDX-License-Identifier: MIT
#include "solver/equation/cell_range.hpp"

#include "solver/field/reduce_cells.hpp"

#include <limits>

namespace halotherm::solver {

namespace {

struct Extremes {
  double lowest, highest;
  double lost;  ///< 1 if a value is not finite
};

template <class Values>
struct FindExtremes {
  using value_type = Extremes;
  Values values;

  KOKKOS_INLINE_FUNCTION void init(Extremes& extremes) const {
    constexpr double infinity = Kokkos::Experimental::infinity_v<double>;
    extremes = {infinity, -infinity, 0};
  }
  KOKKOS_INLINE_FUNCTION void join(Extremes& extremes, const Extremes& other) const {
    extremes.lowest = Kokkos::min(extremes.lowest, other.lowest);
    extremes.highest = Kokkos::max(extremes.highest, other.highest);
    extremes.lost = Kokkos::max(extremes.lost, other.lost);
  }
  KOKKOS_INLINE_FUNCTION double term(int i, int j, int k) const {
    return static_cast<double>(values(i, j, k));
  }
  KOKKOS_INLINE_FUNCTION void add_term(double value, int, int, int, Extremes& extremes) const {
    join(extremes, {value, value, Kokkos::isfinite(value) ? 0.0 : 1.0});
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, Extremes& extremes) const {
    add_term(term(i, j, k), i, j, k, extremes);
  }
};

template <class Values>
std::pair<double, double> found_in(const comm::Box& box, const Values& values) {
  const auto found = reduce_cells("extremes", box, FindExtremes<Values>{values});
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  if (found.lost > 0) return {nothing, nothing};
  return {found.lowest, found.highest};
}

}  // namespace

template <class Real>
std::pair<double, double> range_of(const comm::Box& box, const comm::GridView<const Real>& values) {
  return found_in(box, values);
}

template <class Real>
std::pair<double, double> range_of(const comm::Box& box, const CellSource<Real>& source) {
  return found_in(box, source);
}

template std::pair<double, double> range_of(const comm::Box&, const comm::GridView<const float>&);
template std::pair<double, double> range_of(const comm::Box&, const comm::GridView<const double>&);
template std::pair<double, double> range_of(const comm::Box&, const CellSource<float>&);
template std::pair<double, double> range_of(const comm::Box&, const CellSource<double>&);

}  // namespace halotherm::solver
