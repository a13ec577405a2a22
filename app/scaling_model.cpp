// SPDX-License-Identifier: MIT
#include "app/scaling_model.hpp"

#include "app/statistics.hpp"

#include <algorithm>
#include <array>

namespace halotherm::app {

namespace {

double copy_rate_of_rank(const ScaleFacts& f) {
  return f.copy_rate / f.ranks;
}

/// What a cell of this row's inner work takes.
double cell_seconds(const ScaleFacts& reference, const ScaleFacts& f) {
  const double alone = (reference.work_mean - reference.launches) / reference.cells;
  return f.own_memory ? alone : alone * copy_rate_of_rank(reference) / copy_rate_of_rank(f);
}

double shell_seconds(std::span<const ScaleFacts> rows) {
  double product = 0;
  double square = 0;
  for (const auto& f : rows.subspan(1)) {
    const double received = f.surface * f.cells;
    const double rest = f.work_mean - f.launches - f.cells * cell_seconds(rows.front(), f);
    product += received * rest;
    square += received * received;
  }
  return square > 0 ? std::max(0.0, product / square) : 0;
}

double median_or(const std::vector<double>& values, double otherwise) {
  return values.empty() ? otherwise : std::clamp(estimate(values).median, 0.0, 1.0);
}

void fit_exchange(const ScaleFacts& last, ScalingModel& model) {
  model.packing = 4 / copy_rate_of_rank(last);
  if (last.exchange <= 0) return;
  const double latency = std::min(last.latency, last.messages);
  const double transfer = std::max(0.02 * last.messages, last.messages - latency);
  model.link = {latency, last.message_bytes / transfer};
  model.packing = std::max(0.0, last.exchange - latency - transfer) / last.message_bytes;
}

void fit_overlap(std::span<const ScaleFacts> rows, ScalingModel& model) {
  std::vector<double> seen;
  std::vector<double> hiding;
  for (const auto& f : rows) {
    if (f.exchange <= 0) continue;
    const double exposed = std::clamp(f.step - f.computation, 0.0, f.exchange);
    if (f.exchange < f.work_mean) {
      seen.push_back(exposed / f.exchange);
    } else {
      hiding.push_back((f.exchange - exposed) / f.work_mean);
    }
  }
  model.seen = median_or(seen, 0);
  model.hiding = median_or(hiding, 1);
}

}  // namespace

ScalingModel fit_model(std::span<const ScaleFacts> rows) {
  ScalingModel model;
  const auto& last = rows.back();
  model.launches = last.launches;
  model.cell = cell_seconds(rows.front(), last);
  model.shell = shell_seconds(rows);
  fit_exchange(last, model);
  fit_overlap(rows, model);
  return model;
}

double predicted_again(const ScalingModel& model, std::span<const ScaleFacts> rows, const ScaleFacts& row) {
  auto model_there = model;
  model_there.cell = cell_seconds(rows.front(), row);
  model_there.launches = row.launches;
  return predict_step(model_there, load_of(row)).step();
}

Load load_of(const ScaleFacts& f) {
  return {f.cells, f.surface * f.cells, f.exchange > 0 ? f.message_bytes : 0, 0};
}

Cause PredictedStep::largest_loss() const {
  const double seen = exchange() > 0 ? exposed / exchange() : 0;
  const std::array<std::pair<double, Cause>, 4> losses{{{launches, Cause::launches},
                                                        {seen * latency, Cause::latency},
                                                        {seen * transfer, Cause::link},
                                                        {shell + seen * packing, Cause::surface}}};
  return std::ranges::max_element(losses)->second;
}

PredictedStep predict_step(const ScalingModel& model, const Load& load, const std::optional<Link>& far) {
  PredictedStep p;
  p.launches = model.launches;
  p.inner = load.cells * model.cell;
  p.shell = load.received * model.shell;
  p.packing = (load.near_bytes + load.far_bytes) * model.packing;
  const auto ways = {std::pair{load.near_bytes, model.link}, std::pair{load.far_bytes, far.value_or(model.link)}};
  for (const auto& [bytes, link] : ways) {
    if (bytes <= 0 || link.latency + bytes / link.bandwidth < p.latency + p.transfer) continue;
    p.latency = link.latency;
    p.transfer = bytes / link.bandwidth;
  }
  const double bytes = load.near_bytes + load.far_bytes;
  const double usual = bytes > 0 ? std::min(p.exchange(), p.packing + model.link.latency + bytes / model.link.bandwidth) : 0;
  const double room = model.hiding * p.work();
  const double seen = std::max(model.seen * usual, usual - room);
  p.exposed = seen + std::max(0.0, (p.exchange() - usual) - (room - (usual - seen)));
  return p;
}

double step_with_halo_depth(const ScalingModel& model, const Load& load, const std::optional<Link>& far, int depth) {
  // in the n-th step after an exchange there are depth − n layers left to compute beyond the block
  auto deep = load;
  deep.near_bytes *= depth;
  deep.far_bytes *= depth;
  deep.cells += load.received * 0.5 * (depth - 1);
  const auto between = predict_step(model, {deep.cells, 0, 0, 0}, far);
  const auto exchanging = predict_step(model, deep, far);
  return between.step() + (exchanging.step() - between.step()) / depth;
}

}  // namespace halotherm::app
