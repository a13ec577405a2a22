// SPDX-License-Identifier: MIT
// What a scaling study has measured.
#pragma once

#include "app/integrate/phase_timers.hpp"
#include "app/measure/bottleneck.hpp"
#include "app/measure/statistics.hpp"
#include "app/measure/steady.hpp"
#include "comm/machine/environment.hpp"
#include "comm/machine/meters.hpp"
#include "comm/partition/box.hpp"
#include "comm/transport/transport.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

/// One repeat on one number of ranks. Times are the means of its steps, on the slowest rank unless
/// said otherwise [s].
struct ScaleSample {
  double step = 0;
  double computation = 0;  ///< a step without its exchange
  double work_max =
      0;  ///< of `computation`, while a rank had its core or device: the largest of the ranks
  double work_mean = 0;  ///< and their mean
  double processor = 1;  ///< share of its cores' or device's time that the worst-off rank got
  double exchange = 0;   ///< alone
  double copy_rate =
      0;             ///< all ranks copying at once, the sum over ranks [bytes/s, read and written]
  double clock = 1;  ///< of its highest, that the slowest device had after the steps, during some
                     ///< more; 1 if not told
  comm::ClockLimit clock_limit = comm::ClockLimit::none;  ///< the gravest of the devices'
  std::array<double, phase_count> phases{};               ///< of `step`, mean over the ranks
};

/// One number of ranks.
struct ScaleRow {
  int ranks = 1;
  comm::Int3 blocks{};
  comm::Int3 cells{};            ///< of the whole grid
  std::int64_t block_cells = 0;  ///< of the largest block
  int bytes_per_cell = 0;        ///< that a step cannot avoid to move
  double surface = 0;  ///< cells that are received over those that are owned, of the rank with the
                       ///< most to receive
  std::int64_t halo_bytes = 0;     ///< sent in a step, all ranks
  std::int64_t halo_messages = 0;  ///< in a step, all ranks
  std::int64_t rank_bytes = 0;     ///< sent in a step by the rank that sends most
  std::string balance;  ///< what was measured to cut by, and what came of it; empty if nothing was
  std::string transport;  ///< or transports
  std::string tile;
  std::int64_t steps = 0;       ///< of a repeat
  double launches = 0;          ///< a step's kernels on next to no cells [s]
  double messages = 0;          ///< messages packed and exchanged, without a field [s]
  double latency = 0;           ///< the same with messages of a single value [s]
  double oversubscription = 1;  ///< threads a core, or ranks a device, where it is worst
  std::uint64_t checksum = 0;   ///< of the field after the first `checked_steps` steps
  bool on_one_host = false;     ///< and computed by its CPUs
  Steady steady;  ///< once the devices' clocks had settled; 0 where nothing limits them
  std::vector<ScaleSample> samples;

  std::int64_t all_cells() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }
  Estimate of(double ScaleSample::*quantity) const;
  double phase(Phase phase) const;       ///< the samples' median [s]
  comm::ClockLimit clock_limit() const;  ///< the gravest of the samples'
  double exposed() const;       ///< medians of the step less the computation, at least 0 [s]
  double hidden_share() const;  ///< 1 − exposed / exchange, from 0 to 1
  double imbalance() const;     ///< work of the busiest rank over the mean
  double copy_share()
      const;  ///< bytes that the steps cannot avoid to move a second, over the copy rate
  ScaleFacts facts() const;
};

struct ScaleRecord {
  ScaleKind kind = ScaleKind::strong;
  std::string title;
  std::string device;
  std::string config;  ///< resolved, as YAML
  std::vector<comm::Place> places;
  int element_bytes = 8;
  bool own_memory = false;  ///< of every rank: kernels run on devices
  int repeats = 0;
  std::uint64_t seed = 0;
  std::vector<int> order;  ///< the numbers of ranks, as they were measured
  int checked_steps = 0;
  std::vector<ScaleRow> rows;  ///< by ascending ranks; the first is the reference

  const ScaleRow& reference() const { return rows.front(); }
  Estimate cell_rate(const ScaleRow& row) const;  ///< [cells/s]
  Estimate speed_up(const ScaleRow& row) const;   ///< rate over the reference's, times its ranks
  Estimate efficiency(const ScaleRow& row) const;
  /// Once clocks have settled on both numbers of ranks; none where nothing limits them.
  std::optional<double> steady_efficiency(const ScaleRow& row) const;
  Bottleneck bottleneck(const ScaleRow& row) const;
  /// Whether the field had the same bits on every number of ranks; none in weak studies, whose
  /// fields differ.
  std::optional<bool> same_bits() const;
};

/// The tables and verdicts.
std::string scale_text(const ScaleRecord& record);
std::string scale_json(const ScaleRecord& record);
/// A line of headings, then one a number of ranks; SI units, named in the headings.
std::string scale_csv(const ScaleRecord& record);

}  // namespace halotherm::app
