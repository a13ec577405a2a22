// SPDX-License-Identifier: MIT
// The steps of a scaling study as runs take them: several at once, or many by one call of the host.
#pragma once

#include "app/integrate/plain_steps.hpp"
#include "app/scale/scale_record.hpp"

#include <optional>

namespace halotherm::app {

/// Whether runs of this configuration may take several steps of forward Euler together.
bool has_run_steps(const Config& config);

/// Measures steps as a run of the configuration takes them, on the fields of single steps. All
/// members are collective, and leave the integrator at single steps. Instantiated for float and
/// double.
template <class Real>
class ScaleRunSteps {
 public:
  /// References must outlive it; `dt` is the length of a step [s].
  ScaleRunSteps(Integrator<Real>& integrator, solver::State<Real>& state, const Config& config,
                double dt);

  /// Chooses as a run does. Throws CollectiveError (usage) where the configuration asks for what is
  /// not possible.
  RunStepsSummary prepare();
  /// Takes so many steps, if a run takes several together.
  void advance(std::int64_t steps);
  /// The mean time of so many steps [s], on the slowest rank; 0 if a run takes single steps.
  double measure(std::int64_t steps);

 private:
  void take_several();
  void take_single();
  void launch(std::int64_t steps);

  Integrator<Real>& integrator_;
  solver::State<Real>& state_;
  const Config& config_;
  double dt_;
  RunStepsSummary how_;                    ///< runs take steps
  std::optional<PlainSteps<Real>> plain_;  ///< while several steps are taken together
};

}  // namespace halotherm::app
