// SPDX-License-Identifier: MIT
#include "solver/waves/apply_steps_of.hpp"

namespace halotherm::solver {

template int most_steps_at_once(const HeatEquation<double>&, const Boundary<double>&);
template void apply_steps(const comm::Space&, std::span<const comm::Box>, const EulerStep<double>&,
                          int, const comm::GridView<const double>&, const comm::GridView<double>&);

}  // namespace halotherm::solver
