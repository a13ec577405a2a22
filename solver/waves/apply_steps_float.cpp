// SPDX-License-Identifier: MIT
#include "solver/waves/apply_steps_of.hpp"

namespace halotherm::solver {

template int most_steps_at_once(const HeatEquation<float>&, const Boundary<float>&);
template void apply_steps(const comm::Space&, std::span<const comm::Box>, const EulerStep<float>&,
                          int, const comm::GridView<const float>&, const comm::GridView<float>&);

}  // namespace halotherm::solver
