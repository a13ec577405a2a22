// SPDX-License-Identifier: MIT
// How many steps of forward Euler a run takes after one exchange.
#pragma once

#include "app/integrate/integrator.hpp"

#include <vector>

namespace halotherm::app {

/// The ghost cells of a run: as many layers as steps that it may take at once.
HaloSettings halo_for_steps_together(const Config& config, const comm::Partition& partition);

/// Seconds of a step on the slowest rank where 1, 2, ... steps are taken at once, and submitted as
/// the run would; none if no number was chosen.
using TrialsTogether = std::vector<double>;

/// Collective. Makes the integrator take as many steps at once as `time.fused_steps` says; with
/// auto the fastest number, if `measures`, and 1 otherwise. If it measures, several steps are taken
/// in the fastest way. The state keeps its values, the integrator's other fields are overwritten.
/// Throws CollectiveError (usage) if the number is not
/// possible on some rank.
template <class Real>
TrialsTogether choose_steps_together(Integrator<Real>& integrator, solver::State<Real>& state,
                                     const Config& config, bool measures);

}  // namespace halotherm::app
