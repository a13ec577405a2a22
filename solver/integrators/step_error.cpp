// SPDX-License-Identifier: MIT
#include "solver/integrators/step_error.hpp"

#include "solver/field/reduce_cells.hpp"

namespace halotherm::solver {

namespace {

template <class Real>
struct LargestError {
  ErrorEstimate estimate;
  ErrorFields<Real> fields;
  using value_type = double;

  KOKKOS_INLINE_FUNCTION void init(double& largest) const { largest = 0; }
  KOKKOS_INLINE_FUNCTION void join(double& largest, const double& other) const {
    largest = Kokkos::max(largest, other);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, double& largest) const {
    const double before = static_cast<double>(fields.before(i, j, k));
    const auto increment = [&](const comm::GridView<const Real>& field) {
      return static_cast<double>(field(i, j, k)) - before;
    };
    const double error = estimate.of_result * increment(fields.result) +
                         estimate.of_last * increment(fields.last) +
                         estimate.of_first * increment(fields.first);
    const double size = Kokkos::abs(error);
    constexpr double infinity = Kokkos::Experimental::infinity_v<double>;
    largest = Kokkos::max(largest, size <= infinity ? size : infinity);
  }
};

}  // namespace

template <class Real>
double largest_error(const comm::Space& space, const comm::Box& box, const ErrorEstimate& estimate,
                     const ErrorFields<Real>& fields) {
  double largest = 0;
  reduce_cells(space, "step error", box, LargestError<Real>{estimate, fields}, largest);
  space.fence("step error");
  return largest;
}

template double largest_error(const comm::Space&, const comm::Box&, const ErrorEstimate&,
                              const ErrorFields<float>&);
template double largest_error(const comm::Space&, const comm::Box&, const ErrorEstimate&,
                              const ErrorFields<double>&);

}  // namespace halotherm::solver
