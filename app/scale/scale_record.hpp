// SPDX-License-Identifier: MIT
// The measurements of a scaling study, and what follows from them.
#pragma once

#include "app/integrate/passes.hpp"
#include "app/integrate/phase_timers.hpp"
#include "app/measure/bottleneck.hpp"
#include "app/measure/statistics.hpp"
#include "comm/machine/environment.hpp"
#include "comm/machine/meters.hpp"
#include "comm/partition/box.hpp"
#include "comm/transport/transport.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

/// One repeat on one number of ranks. Times are means over its steps [s], on the slowest rank
/// where nothing else is said.
struct ScaleSample {
  double step = 0;
  double computation = 0;  ///< a step without its exchange
  double work_max = 0;     ///< computation while a rank had its core or device: the busiest rank's
  double work_mean = 0;    ///< and the mean over the ranks
  double processor = 1;    ///< least share of its core's or device's time that a rank got
  double exchange = 0;     ///< an exchange by itself
  double copy_rate = 0;    ///< of all ranks copying at once, summed [bytes/s, read and written]
  double clock = 1;        ///< of the slowest device right after the steps, over its maximum
  comm::ClockLimit clock_limit = comm::ClockLimit::none;  ///< the most severe of all devices'
  std::array<double, phase_count> phases{};               ///< of `step`, mean over the ranks
  double solve = 0;                                       ///< a solve, in studies that have them
  double coarse = 0;                                      ///< of it, levels below the finest
  double run_step = 0;                                    ///< a step as runs take it
};

/// The solves of a study, on one number of ranks.
struct SolveSummary {
  std::int64_t iterations = 0;  ///< of a solve
  int levels = 0;
  std::int64_t solves = 0;       ///< of a repeat
  double setup = 0;              ///< matrix and all levels, once [s]
  std::int64_t field_bytes = 0;  ///< of the temperature on all ranks
  std::uint64_t checksum = 0;    ///< of the solution
};

/// How runs take steps on one number of ranks.
struct RunStepsSummary {
  int together = 1;  ///< after one exchange
  Pass pass = Pass::divided;
  int submitted = 1;      ///< by one call of the host, at most
  bool same_bits = true;  ///< as single steps, after some

  /// Whether they take several together; else all are single steps.
  bool several() const { return together > 1 || submitted > 1; }
};

/// One number of ranks.
struct ScaleRow {
  int ranks = 1;
  comm::Int3 blocks{};
  comm::Int3 cells{};              ///< of the whole grid
  std::int64_t block_cells = 0;    ///< of the largest block
  int bytes_per_cell = 0;          ///< that a step must move
  double surface = 0;              ///< received over owned cells, on the rank where it is largest
  std::int64_t halo_bytes = 0;     ///< sent in a step by all ranks
  std::int64_t halo_messages = 0;  ///< sent in a step by all ranks
  std::int64_t rank_bytes = 0;     ///< sent in a step by the rank that sends most
  std::string balance;             ///< measured speeds and what followed; empty if not measured
  std::string transport;           ///< or transports
  std::int64_t steps = 0;          ///< of a repeat
  double launches = 0;             ///< launch overhead: a step's kernels on next to no cells [s]
  double messages = 0;             ///< messages packed and exchanged, without a field [s]
  double latency = 0;              ///< the same with messages of a single value [s]
  double oversubscription = 1;     ///< threads per core, or ranks per device, at most
  std::uint64_t checksum = 0;      ///< of the field after the first `checked_steps` steps
  bool on_one_host = false;        ///< and computed by its CPUs
  Steady steady;                   ///< with settled clocks; 0 if nothing limited them
  std::optional<SolveSummary> solves;        ///< of configurations that solve
  std::optional<RunStepsSummary> run_steps;  ///< of forward Euler
  std::vector<ScaleSample> samples;

  std::int64_t all_cells() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }
  Estimate of(double ScaleSample::*quantity) const;
  double phase(Phase phase) const;       ///< median of the samples [s]
  comm::ClockLimit clock_limit() const;  ///< the most severe of the samples'
  double exposed() const;                ///< median step less median computation, at least 0 [s]
  double hidden_share() const;           ///< 1 − exposed / exchange, from 0 to 1
  double imbalance() const;              ///< work of the busiest rank over the mean
  double copy_share() const;  ///< bytes that the steps must move per second, over the copy rate
  double copies_of_solve() const;  ///< median solve in copies of the temperature field
  double coarse_share() const;     ///< of a solve: all levels of the multigrid below the finest
  ScaleFacts facts() const;
};

struct ScaleRecord {
  ScaleKind kind = ScaleKind::strong;
  std::string title;
  std::string device;
  std::string config;                  ///< resolved, as YAML
  std::optional<comm::Places> places;  ///< on rank 0
  int element_bytes = 8;
  bool own_memory = false;  ///< each rank has its own: kernels run on devices
  int repeats = 0;
  std::uint64_t seed = 0;
  std::vector<int> order;  ///< numbers of ranks in the order of measurement
  int checked_steps = 0;
  std::vector<ScaleRow> rows;  ///< by ascending ranks; the first is the reference

  const ScaleRow& reference() const { return rows.front(); }
  /// Cells that all ranks update, or solve for, in a second; `time` is that of a step or a solve.
  Estimate cell_rate(const ScaleRow& row, double ScaleSample::*time = &ScaleSample::step) const;
  /// Rate over the reference's, times its ranks.
  Estimate speed_up(const ScaleRow& row, double ScaleSample::*time = &ScaleSample::step) const;
  Estimate efficiency(const ScaleRow& row, double ScaleSample::*time = &ScaleSample::step) const;
  /// With settled clocks; none unless both numbers of ranks were measured so.
  std::optional<double> steady_efficiency(const ScaleRow& row) const;
  Bottleneck bottleneck(const ScaleRow& row) const;
  /// Whether runs take steps otherwise than one by one on some number of ranks.
  bool has_run_steps() const;
  /// Whether all numbers of ranks, and all ways to take steps, gave the same bits; none in weak
  /// studies, whose fields differ, if all take single steps.
  std::optional<bool> same_bits() const;
};

}  // namespace halotherm::app
