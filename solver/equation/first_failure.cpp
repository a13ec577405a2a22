// SPDX-License-Identifier: MIT
#include "solver/equation/first_failure.hpp"

namespace halotherm::solver {

FirstFailure::FirstFailure() : failure_("first failure"), host_("first failure on the host") {}

FormulaFailure FirstFailure::read(const comm::Space& space) const {
  Kokkos::deep_copy(space, host_, failure_);
  space.fence("first failure");
  return host_();
}

}  // namespace halotherm::solver
