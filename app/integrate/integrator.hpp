// SPDX-License-Identifier: MIT
// Explicit integrators. Each stage of a step: start the exchange, diffuse the interior, finish the
// exchange, diffuse the shell.
#pragma once

#include "app/integrate/passes.hpp"
#include "app/integrate/step_attempts.hpp"
#include "app/problem/problem.hpp"
#include "comm/device/execution.hpp"
#include "solver/field/state.hpp"
#include "solver/integrators/apply_stage.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// Takes steps of a problem on its domain, in runs and in measurements. What a step consists of,
/// its stages, is data (`solver::Scheme`), so all methods share this class. Instantiated for float
/// and double.
template <class Real>
class Integrator : public StepAttempts<Real> {
 public:
  /// Allocates the scheme's scratch fields beside the temperature. All references must outlive it.
  Integrator(const comm::Streams& streams, Domain<Real>& domain, Problem<Real>& problem,
             const solver::Scheme& scheme);

  /// The fields of the state, which checkpoints hold: one, as no method keeps anything else from
  /// step to step.
  static std::vector<comm::Quantity> quantities() { return {comm::temperature}; }

  /// Advances the state from `time` to `time` + `dt` [s]. Collective over neighbours. The
  /// host waits for the kernels in timed steps only. `board` takes what the kernels of the last
  /// stage accumulate and the flows of all stages, if not null.
  void advance(solver::State<Real>& state, double time, double dt,
               solver::AccumulatorBoard<Real>* board = nullptr);

  /// The scheme must keep the temperature.
  double attempt(solver::State<Real>& state, double time, double dt,
                 solver::AccumulatorBoard<Real>* board) override;
  void accept(solver::State<Real>& state, double dt,
              solver::AccumulatorBoard<Real>* board) override;
  StepWork work(double dt) const override;

  /// The fields of a step, all equal to the temperature, with valid ghost cells: for measurements
  /// of the computation alone. Valid until the next step.
  using Fields = std::vector<comm::Ghosted<Real>>;

  /// How several plain steps follow one exchange. The method must be forward Euler.
  Passes<Real>& passes() { return passes_; }
  const Passes<Real>& passes() const { return passes_; }
  int together() const { return passes_.steps(); }
  /// Takes `together()` plain steps of length `dt` [s]. Collective over neighbours. The same bits
  /// as so many calls of `advance`.
  void advance_together(solver::State<Real>& state, double dt);

  /// Whether `repeat` can be recorded (comm::Recording): nothing changes the conditions, and the
  /// host takes no part in a step but to launch this library's own kernels.
  bool can_be_recorded() const;
  /// Takes plain steps of length `dt` [s], a multiple of `together()`, as `advance` and
  /// `advance_together` do, and times none. Its exchanges are those of a recording.
  void repeat(solver::State<Real>& state, double dt, int steps);
  /// Before a recording of so many steps, a multiple of twice `together()`, is submitted.
  void begin_submission(int steps) {
    domain_.halo.begin_submission(streams_, steps / together());
    timers_.pass(steps);
  }
  /// A submission must begin with the phase that its recording began with.
  int phase() const { return domain_.halo.phase(); }

  /// Evaluates the formulas that change with time, as often as a step of length `dt` does.
  void apply_conditions(double time, double dt);
  /// The exchanges of a step of length `dt` alone; returns when they have ended.
  void exchange(solver::Field<Real>& temperature, double dt);

  /// Collective over neighbours. Copies the temperature to the scratch fields.
  Fields fields_at_rest(solver::Field<Real>& temperature);
  /// The kernels of a step of length `dt` on these cells, without exchanges and with increments of
  /// 0, so every field stays equal to the temperature. Asynchronous, not collective.
  void diffuse(const comm::Region& interior, const comm::Region& shell,
               solver::Field<Real>& temperature, const Fields& fields, double dt);
  /// The same with the formulas that each stage evaluates: all of a step's computation.
  void compute(const comm::Region& interior, const comm::Region& shell,
               solver::Field<Real>& temperature, const Fields& fields, double time, double dt);

  const comm::Streams& streams() const { return streams_; }
  const Domain<Real>& domain() const { return domain_; }
  const solver::Scheme& scheme() const { return scheme_; }
  /// The domain's, with the tiles for this problem.
  const comm::Region& interior() const { return interior_; }
  const comm::Region& shell() const { return shell_; }
  PhaseTimers& timers() { return timers_; }
  const PhaseTimers& timers() const { return timers_; }
  /// A field that steps write: free between steps.
  solver::Field<Real>& scratch() { return scratch_.front(); }
  /// Memory traffic that a step of length `dt` cannot avoid: the fields that its stages read and
  /// write, and the coefficients that vary [bytes a cell].
  int bytes_per_cell(double dt) const {
    const int stages = scheme_.stages(dt);
    return stages * problem_.equation.bytes_per_cell() +
           static_cast<int>(sizeof(Real)) * (scheme_.values_per_cell(stages) - 2 * stages);
  }
  /// Memory of the fields and varying coefficients that a step accesses [bytes a cell].
  int held_bytes_per_cell() const {
    return problem_.equation.bytes_per_cell() +
           static_cast<int>(sizeof(Real)) * (scheme_.fields() - 2);
  }
  /// Floating-point operations of the stencil and its update in such a step, a cell.
  int flops_per_cell(double dt) const {
    const int stages = scheme_.stages(dt);
    int flops = stages * problem_.equation.flops_per_cell();
    for (int n = 0; n < stages; ++n) flops += solver::extra_flops(scheme_.stage(n, stages));
    return flops;
  }

 private:
  solver::Field<Real>& field(int n, solver::Field<Real>& temperature) {
    return n == 0 ? temperature : scratch_[static_cast<std::size_t>(n - 1)];
  }
  solver::StageViews<Real> views(solver::Field<Real>& temperature);
  /// What a stage adds to the board of an instrumented step; null where it adds nothing.
  struct Noted {
    solver::AccumulatorBoard<Real>* flows;
    double weight;  ///< of the stage's flows
    solver::AccumulatorBoard<Real>* temperatures;
  };
  /// All stages of a step; returns the field of the result.
  int take_stages(solver::Field<Real>& temperature, double time, double dt,
                  solver::AccumulatorBoard<Real>* board);
  void take(const solver::Stage& stage, solver::Field<Real>& temperature, double time, double dt,
            const Noted& noted);
  comm::Ghosted<Real> exchange(solver::Field<Real>& values);
  template <class In>
  void launch(const comm::Space& space, const comm::Region& region, const solver::Stage& stage,
              double dt, const In& in, solver::Field<Real>& temperature,
              solver::AccumulatorBoard<Real>* board = nullptr);

  const comm::Streams& streams_;
  Domain<Real>& domain_;
  Problem<Real>& problem_;
  solver::Scheme scheme_;
  Passes<Real> passes_;
  comm::Region interior_, shell_;
  std::vector<solver::Field<Real>> scratch_;
  PhaseTimers timers_{timing_gaps()};
};

}  // namespace halotherm::app
