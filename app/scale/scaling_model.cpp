// SPDX-License-Identifier: MIT
#include "app/scale/scaling_model.hpp"

#include "app/measure/statistics.hpp"

#include <algorithm>
#include <array>

namespace halotherm::app {

namespace {

double copy_rate_of_rank(const ScaleFacts& f) {
  return f.copy_rate / f.ranks;
}

/// What a cell of this row's inner work takes: where ranks share a memory longer, but no longer
/// than the row's work shows, since work may wait for the processor rather than for the memory.
double cell_seconds(const ScaleFacts& reference, const ScaleFacts& f) {
  const double alone = (reference.computation - reference.launches) / reference.cells;
  if (f.own_memory) return alone;
  const double shown = (f.computation - f.launches) / f.cells;
  return std::clamp(alone * copy_rate_of_rank(reference) / copy_rate_of_rank(f), alone,
                    std::max(alone, shown));
}

double shell_seconds(std::span<const ScaleFacts> rows) {
  double product = 0;
  double square = 0;
  for (const auto& f : rows.subspan(1)) {
    const double received = f.surface * f.cells;
    const double rest = f.computation - f.launches - f.cells * cell_seconds(rows.front(), f);
    product += received * rest;
    square += received * received;
  }
  return square > 0 ? std::max(0.0, product / square) : 0;
}

double median_or(const std::vector<double>& values, double otherwise) {
  return values.empty() ? otherwise : estimate(values).median;
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
    const double exposed = std::max(0.0, f.step - f.computation);
    if (f.exchange < f.computation) {
      seen.push_back(exposed / f.exchange);
    } else {
      hiding.push_back(std::clamp((f.exchange - exposed) / f.computation, 0.0, 1.0));
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

double predicted_again(const ScalingModel& model, std::span<const ScaleFacts> rows,
                       const ScaleFacts& row) {
  auto model_there = model;
  model_there.cell = cell_seconds(rows.front(), row);
  model_there.launches = row.launches;
  return predict_step(model_there, load_of(row)).step();
}

Load load_of(const ScaleFacts& f) {
  return {.cells = f.cells,
          .received = f.surface * f.cells,
          .near_bytes = f.exchange > 0 ? f.message_bytes : 0};
}

Cause PredictedStep::largest_loss() const {
  const double seen = exchange() > 0 ? exposed / exchange() : 0;
  const std::array<std::pair<double, Cause>, 4> losses{{{launches, Cause::launches},
                                                        {seen * latency, Cause::latency},
                                                        {seen * transfer, Cause::link},
                                                        {shell + seen * packing, Cause::surface}}};
  return std::ranges::max_element(losses)->second;
}

PredictedStep predict_step(const ScalingModel& model, const Load& load,
                           const std::optional<Link>& far) {
  PredictedStep p;
  p.launches = model.launches;
  p.inner = load.cells * model.cell;
  p.shell = load.received * model.shell;
  p.packing = (load.near_bytes + load.far_bytes) * model.packing;
  bool answered = false;  // before the bytes leave
  const auto take_if_slower = [&](double bytes, const Link& link, double message) {
    const bool waits = message > link.at_once;
    const double latency = (waits ? 3 : 1) * link.latency;
    if (bytes <= 0 || latency + bytes / link.bandwidth < p.latency + p.transfer) return;
    p.latency = latency;
    p.transfer = bytes / link.bandwidth;
    answered = waits;
  };
  take_if_slower(load.near_bytes, model.link, 0);
  take_if_slower(load.far_bytes, far.value_or(model.link), load.far_message);
  const double bytes = load.near_bytes + load.far_bytes;
  const double usual =
      bytes > 0
          ? std::min(p.exchange(), p.packing + model.link.latency + bytes / model.link.bandwidth)
          : 0;
  const double room = model.hiding * p.work();
  const double seen = std::max(model.seen * usual, usual - room);
  const double left =
      std::min(room - std::max(0.0, usual - seen), answered ? p.latency / 3 : p.exchange());
  p.exposed = seen + std::max(0.0, (p.exchange() - usual) - left);
  return p;
}

double step_with_halo_depth(const ScalingModel& model, const Load& load,
                            const std::optional<Link>& far, int depth) {
  // in the n-th step after an exchange there are depth − n layers left to compute beyond the block
  auto deep = load;
  deep.near_bytes *= depth;
  deep.far_bytes *= depth;
  deep.far_message *= depth;
  deep.cells += load.received * 0.5 * (depth - 1);
  const auto between = predict_step(model, {.cells = deep.cells}, far);
  const auto exchanging = predict_step(model, deep, far);
  return between.step() + (exchanging.step() - between.step()) / depth;
}

}  // namespace halotherm::app
