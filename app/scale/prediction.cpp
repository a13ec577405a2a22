// SPDX-License-Identifier: MIT
#include "app/scale/prediction.hpp"

#include "app/problem/block.hpp"
#include "app/problem/problem.hpp"
#include "app/scale/rank_counts.hpp"
#include "comm/mpi/error.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

constexpr int most_ranks = 1 << 17;
constexpr int most_depth = 8;

/// The largest of each kind that any rank has.
Load largest_load(const Config& config, const comm::Partition& partition,
                  const std::vector<int>& node_of) {
  const double element = config.grid.precision == Precision::float64 ? 8 : 4;
  Load largest;
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    Load load;
    load.cells = static_cast<double>(partition.owned(rank).size());
    for (const auto& message : halo_plan_of(config, partition, rank).messages) {
      const auto cells = static_cast<double>(message.send.size());
      const bool far = node_of[static_cast<std::size_t>(message.neighbour)] !=
                       node_of[static_cast<std::size_t>(rank)];
      load.received += cells;
      (far ? load.far_bytes : load.near_bytes) += element * cells;
      if (far) load.far_message = std::max(load.far_message, element * cells);
    }
    for (auto part :
         {&Load::cells, &Load::received, &Load::near_bytes, &Load::far_bytes, &Load::far_message}) {
      largest.*part = std::max(largest.*part, load.*part);
    }
  }
  return largest;
}

void choose_depth(const Prediction& p, PredictedRow& row) {
  double best = row.step.step();
  for (int depth = 2; depth <= most_depth; ++depth) {
    const double step = step_with_halo_depth(p.model, row.load, p.far, depth);
    if (step >= best) continue;
    best = step;
    row.best_depth = depth;
  }
  row.depth_gain = 1 - best / row.step.step();
}

PredictedRow row_of(const Prediction& p, int nodes) {
  PredictedRow row;
  row.nodes = nodes;
  row.ranks = nodes * p.ranks_per_node;
  const auto config = config_for(p.study.kind, p.study.config, row.ranks);
  std::vector<int> node_of(static_cast<std::size_t>(row.ranks));
  for (std::size_t rank = 0; rank < node_of.size(); ++rank)
    node_of[rank] = static_cast<int>(rank) / p.ranks_per_node;
  const auto partition = make_partition(config, node_of);
  row.blocks = partition.dims();
  row.all_cells = static_cast<double>(partition.global().size());
  row.load = largest_load(config, partition, node_of);
  row.step = predict_step(p.model, row.load, p.far);
  const auto& reference = p.errors.front();
  const double ideal = p.study.kind == ScaleKind::strong
                           ? reference.predicted * reference.ranks / row.ranks
                           : reference.predicted;
  row.efficiency = ideal / row.step.step();
  choose_depth(p, row);
  return row;
}

/// Until the grid cannot be cut any further.
std::vector<PredictedRow> scan(const Prediction& p) {
  std::vector<PredictedRow> rows;
  try {
    for (int nodes = 1; std::int64_t{nodes} * p.ranks_per_node <= most_ranks; nodes *= 2)
      rows.push_back(row_of(p, nodes));
  } catch (const comm::Error&) {
    // what has been found so far is the answer
  }
  return rows;
}

void check(const PredictOptions& options, const ScaleStudy& study, int ranks_per_node) {
  const bool measured = study.rows.back().exchange > 0;
  if (!measured && !options.link) {
    throw comm::Error(comm::ExitCode::usage,
                      "halotherm scale: --predict has no link to calculate with (the study is of "
                      "one rank, which exchanges nothing) "
                      "give --link SECONDS,BYTES_PER_SECOND, or measure 2 ranks or more");
  }
  if (std::int64_t{options.nodes.back()} * ranks_per_node > most_ranks) {
    throw comm::Error(comm::ExitCode::usage, "halotherm scale: --predict asks for " +
                                                 std::to_string(options.nodes.back()) +
                                                 " nodes of " + std::to_string(ranks_per_node) +
                                                 " ranks (at most " + std::to_string(most_ranks) +
                                                 " ranks can be) ask for fewer");
  }
}

}  // namespace

Prediction predict(ScaleStudy study, const PredictOptions& options) {
  Prediction p;
  p.ranks_per_node = options.ranks_per_node.value_or(study.ranks_per_node);
  check(options, study, p.ranks_per_node);
  p.study = std::move(study);
  p.model = fit_model(p.study.rows);
  if (p.study.rows.back().exchange <= 0) p.model.link = *options.link;
  p.far = options.link;
  for (const auto& facts : p.study.rows) {
    p.errors.push_back({facts.ranks, facts.step, predicted_again(p.model, p.study.rows, facts)});
  }
  for (const int nodes : options.nodes) p.rows.push_back(row_of(p, nodes));
  p.scan = scan(p);
  return p;
}

}  // namespace halotherm::app
