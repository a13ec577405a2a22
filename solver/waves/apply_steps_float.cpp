// SPDX-License-Identifier: MIT
#include "solver/waves/apply_steps_of.hpp"

namespace halotherm::solver {

template int most_steps_at_once(const HeatEquation<float>&, const Boundary<float>&);
template bool can_step_in_ghosts(const HeatEquation<float>&);
template std::vector<comm::Region> regions_of_steps(const comm::Box&, const EulerStep<float>&, int);
template void apply_steps(const comm::Space&, std::span<const comm::Box>, const EulerStep<float>&,
                          int, const comm::GridView<const float>&, const comm::GridView<float>&);

}  // namespace halotherm::solver
