// SPDX-License-Identifier: MIT
// Steps that follow K(T) and c(T): as long as the temperatures that the field can take allow.
#pragma once

#include "app/integrate/time_step_size.hpp"
#include "app/problem/problem.hpp"
#include "solver/field/state.hpp"
#include "solver/material/property_limits.hpp"

namespace halotherm::app {

/// Whether `dt: auto` follows the temperatures: properties depend on them, and steps keep to the
/// monotone bound, so that the maximum principle says which temperatures come next.
bool steps_follow(const Config& config);

/// Chooses the full step at every multiple of `interval` steps. It takes the range of the field and
/// of all that sides impose in the next `interval` steps, wider by what sources and fluxes may heat
/// or cool meanwhile, and the monotone bound for K and rho c within that range. A step within that
/// bound leaves no temperature outside of the range (solver/equation/monotone_dt.hpp), so the bound
/// holds until the next choice. Never below the bound for the whole tables. The choice depends on
/// the field, the time, the step and the configuration only. Instantiated for float and double.
template <class Real>
class StepRange {
 public:
  static constexpr std::int64_t interval = 64;
  /// The names of its numbers in the state: the range [K] for which the full step holds.
  static constexpr const char* lowest = "dt_holds_from_K";
  static constexpr const char* highest = "dt_holds_to_K";

  /// Collective. `whole`: the bounds for the whole tables. References must outlive it. Throws
  /// CollectiveError.
  StepRange(const comm::Streams& streams, const Domain<Real>& domain, const Problem<Real>& problem,
            const Config& config, const StepBounds& whole);

  /// Collective, before a step. Sets the clock's full step if it is time to, or if a restarted run
  /// begins whose full step does not hold for its conditions. Keeps the range in the state.
  void follow(solver::State<Real>& state, solver::Clock& clock);

 private:
  /// What drives temperatures during a span of time.
  struct Drive {
    solver::TemperatureRange imposed;       ///< by sides [K]
    double cooling = 0, heating = 0;        ///< most heat from a volume and into it [W/m³]
    double film_below = 0, film_above = 0;  ///< how far faces differ from both sides by flux [K]
  };

  Drive drive(double begin, double end) const;
  void add_surface(const SurfaceConfig& surface, const solver::VariableBounds& variables,
                   double width, Drive& drive, solver::Bounds& flux) const;
  solver::Bounds source_bounds(const solver::VariableBounds& variables) const;
  solver::TemperatureRange range_now(const solver::State<Real>& state) const;
  solver::TemperatureRange range_until(const solver::TemperatureRange& now, double time,
                                       std::int64_t steps, double dt) const;
  double dt_within(const solver::TemperatureRange& range, const Drive& drive);

  const comm::Streams& streams_;
  const Domain<Real>& domain_;
  const Problem<Real>& problem_;
  const Config config_;  ///< with the sources per volume of regions that have a power
  const double safety_;
  const double whole_;           ///< full step for the whole tables [s]
  double least_conductivity_;    ///< of the tables [W/(m K)]
  double least_capacity_;        ///< rho c of the tables [J/(m³ K)]
  solver::Bounds fixed_source_;  ///< where no source changes with time [W/m³]
  solver::PropertyLimits<Real> limits_;
  std::int64_t chosen_at_ = -1;  ///< step
};

}  // namespace halotherm::app
