// SPDX-License-Identifier: MIT
// How long a run's steps are.
#pragma once

#include "app/config.hpp"
#include "solver/heat_equation.hpp"

namespace halotherm::app {

/// Collective. The full step [s]: the configured one, or `safety` times the stability bound of the actual coefficients. Throws
/// CollectiveError (numerics) that names both values if a configured step is above the bound.
template <class Real>
double choose_dt(const comm::Communicator& world, const TimeConfig& config, const solver::HeatEquation<Real>& equation,
                 const comm::Box& owned);

}  // namespace halotherm::app
