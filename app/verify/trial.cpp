// SPDX-License-Identifier: MIT
#include "app/verify/trial.hpp"

#include "app/integrate/implicit_steps.hpp"
#include "app/integrate/integrator.hpp"
#include "app/integrate/partition_choice.hpp"
#include "app/integrate/time_step_size.hpp"
#include "app/linear/steady_state.hpp"
#include "app/output/diagnostics.hpp"
#include "io/files/checksum.hpp"
#include "io/text/log.hpp"
#include "solver/diagnostics/accumulator_board.hpp"
#include "solver/formula/formula.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

namespace halotherm::app {

namespace {

template <class Real>
class Trial {
 public:
  Trial(const comm::Communicator& ranks, const Config& config, const TrialRequest& request)
      : ranks_(ranks),
        config_(config),
        request_(request),
        choice_(configured_partition(ranks, config)),
        domain_(ranks, config, choice_.partition),
        problem_(domain_, config),
        bounds_(step_bounds(ranks, problem_.equation, problem_.boundary, problem_.source_fall)),
        integrator_(streams_, domain_, problem_, scheme_of(config.time, bounds_)),
        state_(Integrator<Real>::quantities(), domain_.owned, domain_.ghosts),
        clock_(choose_dt(config.time, bounds_), end_of(config.time)) {
    const auto start = problem_.initial_temperature(config);
    solver::copy_from_host<Real>(start, state_);
  }

  TrialResult run() {
    if (config_.time.integrator == solver::Method::steady) reach_steady_state();
    if (solver::is_implicit(config_.time.integrator))
      implicit_.emplace(streams_, domain_, problem_, integrator_.scratch(), config_);
    if (request_.balance) set_up_balance();
    while (!clock_.finished()) step();
    streams_.fence();
    problem_.check_conditions();
    return result();
  }

 private:
  void reach_steady_state() {
    std::ostringstream unread;
    SteadyState<Real>(streams_, domain_, problem_, state_, config_)
        .solve(state_, io::Log(ranks_, unread));
  }

  /// The board of diagnostics, as a run has it.
  void set_up_balance() {
    places_ = flow_places(config_, domain_.grid);
    board_.emplace(make_board(domain_, problem_.equation, places_));
    sensors_.emplace(ranks_, config_, problem_.equation, domain_.owned);
  }

  void step() {
    if (request_.poison_ghosts) poison_ghosts();
    if (board_) board_->begin(clock_.dt());
    auto* board = board_ ? &*board_ : nullptr;
    if (implicit_) {
      implicit_->take(state_, clock_, board);
    } else {
      integrator_.advance(state_, clock_.time(), clock_.dt(), board);
      clock_.advance();
    }
    if (board_) judge_balance();
  }

  /// Only the owned cells' values survive in a new field.
  void poison_ghosts() {
    streams_.fence();
    auto fresh = domain_.field("temperature");
    solver::copy_from_host<Real>(owned_values(), domain_.owned, fresh);
    swap(fresh, state_.temperature());
  }

  void judge_balance() {
    streams_.fence();
    const auto diagnostics = reduce_diagnostics(
        ranks_, domain_.grid, *sensors_, board_->collect(), problem_.bounds(), board_->settings(),
        problem_.void_cells.body_volume, state_.temperature(), clock_);
    const auto balance = reduce_balance(ranks_, domain_.grid, places_, *board_->flows(),
                                        problem_.void_cells.power_of_flux, diagnostics.heat_change);
    const double share = std::abs(balance.missing) / balance.magnitude();
    if (!(share <= missing_)) missing_ = share;
  }

  std::vector<Real> owned_values() const {
    std::vector<Real> values(static_cast<std::size_t>(domain_.owned.size()));
    solver::copy_to_host<Real>(state_.temperature(), domain_.owned, values);
    return values;
  }

  TrialResult result() const {
    auto values = owned_values();
    if (ranks_.is_root()) values.back() += static_cast<Real>(request_.change_last_value);
    TrialResult result;
    result.steps = clock_.step();
    result.missing = missing_;
    result.checksum = io::field_checksum<Real>(choice_.partition.cells(), domain_.owned, values);
    ranks_.sum(std::span(&result.checksum, 1));
    result.values.assign(values.begin(), values.end());
    if (!request_.exact.empty()) compare(result);
    return result;
  }

  void compare(TrialResult& result) const {
    const solver::Formula exact(request_.exact, "xyzt");
    const auto& [lower, upper] = domain_.owned;
    double largest = 0, squares = 0;
    std::size_t n = 0;
    for (int k = lower[2]; k < upper[2]; ++k) {
      for (int j = lower[1]; j < upper[1]; ++j) {
        for (int i = lower[0]; i < upper[0]; ++i) {
          const double error =
              result.values[n++] - exact({domain_.grid.centre(0, i), domain_.grid.centre(1, j),
                                          domain_.grid.centre(2, k)},
                                         clock_.time());
          const double size = std::isfinite(error) ? std::abs(error) : infinite;
          largest = std::max(largest, size);
          squares += size * size;
        }
      }
    }
    result.largest_error = ranks_.max(largest);
    double all = 0;
    for (const double of_rank : ranks_.gather(squares)) all += of_rank;
    result.rms_error = std::sqrt(all / static_cast<double>(domain_.grid.cell_count()));
  }

  static constexpr double infinite = std::numeric_limits<double>::infinity();

  const comm::Communicator& ranks_;
  const Config& config_;
  const TrialRequest& request_;
  comm::Streams streams_;
  PartitionChoice choice_;
  Domain<Real> domain_;
  Problem<Real> problem_;
  StepBounds bounds_;
  Integrator<Real> integrator_;
  solver::State<Real> state_;
  solver::Clock clock_;
  std::optional<ImplicitSteps<Real>> implicit_;
  std::vector<FlowPlace> places_;
  std::optional<solver::AccumulatorBoard<Real>> board_;
  std::optional<Sensors<Real>> sensors_;
  double missing_ = 0;
};

}  // namespace

TrialResult run_trial(const comm::Communicator& ranks, const Config& config,
                      const TrialRequest& request) {
  return config.grid.precision == Precision::float64 ? Trial<double>(ranks, config, request).run()
                                                     : Trial<float>(ranks, config, request).run();
}

}  // namespace halotherm::app
