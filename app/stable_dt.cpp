// SPDX-License-Identifier: MIT
#include "app/stable_dt.hpp"

#include "comm/error.hpp"

#include <sstream>

namespace halotherm::app {

template <class Real>
double choose_dt(const comm::Communicator& world, const TimeConfig& config, const solver::HeatEquation<Real>& equation,
                 const comm::Box& owned) {
  const double bound = world.min(equation.stable_dt(owned));
  if (!config.dt) return config.safety * bound;
  constexpr double rounding = 1e-12;
  if (*config.dt > bound * (1 + rounding)) {
    std::ostringstream text;
    text.precision(6);
    text << "time.dt: " << *config.dt << " s is unstable (forward Euler's bound for these coefficients is " << bound
         << " s) choose a smaller one, or auto";
    throw comm::CollectiveError(comm::ExitCode::numerics, text.str());
  }
  return *config.dt;
}

template double choose_dt(const comm::Communicator&, const TimeConfig&, const solver::HeatEquation<float>&, const comm::Box&);
template double choose_dt(const comm::Communicator&, const TimeConfig&, const solver::HeatEquation<double>&, const comm::Box&);

}  // namespace halotherm::app
