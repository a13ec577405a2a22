// SPDX-License-Identifier: MIT
#include "app/scale/scale_record.hpp"

#include <algorithm>

namespace halotherm::app {

Estimate ScaleRow::of(double ScaleSample::*quantity) const {
  std::vector<double> values;
  for (const auto& sample : samples) values.push_back(sample.*quantity);
  return estimate(values);
}

double ScaleRow::phase(Phase phase) const {
  std::vector<double> values;
  for (const auto& sample : samples)
    values.push_back(sample.phases[static_cast<std::size_t>(phase)]);
  return estimate(values).median;
}

comm::ClockLimit ScaleRow::clock_limit() const {
  return samples.empty() ? comm::ClockLimit::none
                         : std::ranges::max(samples, {}, &ScaleSample::clock_limit).clock_limit;
}

double ScaleRow::exposed() const {
  return std::max(0.0, of(&ScaleSample::step).median - of(&ScaleSample::computation).median);
}

double ScaleRow::hidden_share() const {
  return std::clamp(1 - exposed() / of(&ScaleSample::exchange).median, 0.0, 1.0);
}

double ScaleRow::imbalance() const {
  return of(&ScaleSample::work_max).median / of(&ScaleSample::work_mean).median;
}

double ScaleRow::copy_share() const {
  const double bytes = static_cast<double>(all_cells()) * bytes_per_cell;
  return bytes / of(&ScaleSample::step).median / of(&ScaleSample::copy_rate).median;
}

double ScaleRow::copies_of_solve() const {
  const double copy =
      2 * static_cast<double>(solves->field_bytes) / of(&ScaleSample::copy_rate).median;
  return of(&ScaleSample::solve).median / copy;
}

double ScaleRow::coarse_share() const {
  return of(&ScaleSample::coarse).median / of(&ScaleSample::solve).median;
}

ScaleFacts ScaleRow::facts() const {
  const auto step = of(&ScaleSample::step);
  ScaleFacts f;
  f.ranks = ranks;
  f.step = step.median;
  f.step_low = step.low;
  f.step_high = step.high;
  f.computation = of(&ScaleSample::computation).median;
  f.work_max = of(&ScaleSample::work_max).median;
  f.work_mean = of(&ScaleSample::work_mean).median;
  f.processor = of(&ScaleSample::processor).median;
  f.shared_by_ranks = oversubscription > 1;
  f.launches = launches;
  f.messages = messages;
  f.latency = latency;
  f.message_bytes = static_cast<double>(rank_bytes);
  f.surface = surface;
  f.copy_rate = of(&ScaleSample::copy_rate).median;
  f.cells = static_cast<double>(block_cells);
  f.on_one_host = on_one_host;
  f.fastest_step = std::ranges::min(samples, {}, &ScaleSample::step).step;
  if (clock_limit() != comm::ClockLimit::none) {
    f.clock = std::ranges::min(samples, {}, &ScaleSample::clock).clock;
    f.clock_limit = comm::name_of(clock_limit());
  }
  if (halo_messages == 0) return f;
  // its parts are the best of several: so is what they are parts of
  f.exchange = std::ranges::min(samples, {}, &ScaleSample::exchange).exchange;
  return f;
}

Estimate ScaleRecord::cell_rate(const ScaleRow& row, double ScaleSample::*time) const {
  const auto cells = static_cast<double>(row.all_cells());
  return ratio({.median = cells, .low = cells, .high = cells, .confidence = 1}, row.of(time));
}

Estimate ScaleRecord::speed_up(const ScaleRow& row, double ScaleSample::*time) const {
  const auto ranks = static_cast<double>(reference().ranks);
  if (&row == &rows.front()) return {.median = ranks, .low = ranks, .high = ranks, .confidence = 1};
  return scaled(ratio(cell_rate(row, time), cell_rate(reference(), time)), ranks);
}

Estimate ScaleRecord::efficiency(const ScaleRow& row, double ScaleSample::*time) const {
  return scaled(speed_up(row, time), 1.0 / row.ranks);
}

std::optional<double> ScaleRecord::steady_efficiency(const ScaleRow& row) const {
  if (row.steady.step <= 0 || reference().steady.step <= 0) return std::nullopt;
  const auto rate = [](const ScaleRow& r) {
    return static_cast<double>(r.all_cells()) / r.steady.step / r.ranks;
  };
  return rate(row) / rate(reference());
}

Bottleneck ScaleRecord::bottleneck(const ScaleRow& row) const {
  return find_bottleneck(kind, reference().facts(), row.facts());
}

bool ScaleRecord::has_run_steps() const {
  return std::ranges::any_of(
      rows, [](const auto& row) { return row.run_steps && row.run_steps->several(); });
}

std::optional<bool> ScaleRecord::same_bits() const {
  const bool taken_alike = std::ranges::all_of(
      rows, [](const auto& row) { return !row.run_steps || row.run_steps->same_bits; });
  if (kind == ScaleKind::weak) return has_run_steps() ? std::optional(taken_alike) : std::nullopt;
  const auto& first = rows.front();
  return taken_alike && std::ranges::all_of(rows, [&](const auto& row) {
           return row.checksum == first.checksum &&
                  (!row.solves || row.solves->checksum == first.solves->checksum);
         });
}

}  // namespace halotherm::app
