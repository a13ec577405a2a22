// SPDX-License-Identifier: MIT
#include "solver/waves/apply_steps_of.hpp"

namespace halotherm::solver {

template int most_steps_at_once(const HeatEquation<double>&, const Boundary<double>&);
template bool can_step_in_ghosts(const HeatEquation<double>&);
template std::vector<comm::Region> regions_of_steps(const comm::Box&, const EulerStep<double>&,
                                                    int);
template void apply_steps(const comm::Space&, std::span<const comm::Box>, const EulerStep<double>&,
                          int, const comm::GridView<const double>&, const comm::GridView<double>&);

}  // namespace halotherm::solver
