// SPDX-License-Identifier: MIT
#include "app/scale/prediction.hpp"
#include "comm/system/version.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr double most_error = 0.1;  ///< of a model that fits
constexpr auto misfit =
    "the model does not fit this study (a busy machine, or a grid so small that launches count "
    "most)";

std::string link_text(const Link& link) {
  const auto text =
      fmt::format("{:.3g} us + bytes / {:.4g} GB/s", 1e6 * link.latency, 1e-9 * link.bandwidth);
  return std::isfinite(link.at_once)
             ? text + fmt::format(", an answer first for messages of more than {:.0f} bytes",
                                  link.at_once)
             : text;
}

std::string model_lines(const Prediction& p) {
  const auto& m = p.model;
  auto text = fmt::format("study          {} scaling on {} to {} ranks of {}\n",
                          std::string(name_of(p.study.kind)), p.study.rows.front().ranks,
                          p.study.rows.back().ranks, p.study.device);
  text += fmt::format("work           {:.4g} us + {:.4g} ns a cell + {:.4g} ns a received cell\n",
                      1e6 * m.launches, 1e9 * m.cell, 1e9 * m.shell);
  text += fmt::format("exchange       {:.3g} ps to pack and unpack a byte; ", 1e12 * m.packing) +
          "measured links " + link_text(m.link) +
          (p.far ? "; between nodes, as given, " + link_text(*p.far) : "") + "\n";
  text += fmt::format(
      "step           work + {:.0f} % of the exchange by the measured links + what does not fit "
      "beside {:.0f} % of the work\n",
      100 * m.seen, 100 * m.hiding);
  text += "error          of the step, where it was measured:";
  for (const auto& e : p.errors) {
    text += fmt::format("{} {} rank{} {:+.1f} %", &e == p.errors.data() ? "" : ",", e.ranks,
                        e.ranks == 1 ? "" : "s", 100 * (e.predicted / e.measured - 1));
  }
  const bool fits = std::ranges::all_of(
      p.errors, [](const auto& e) { return std::abs(e.predicted / e.measured - 1) <= most_error; });
  return text + "\n" +
         (fits ? ""
               : "warning        " + std::string(misfit) + ": what it predicts means little\n");
}

std::string table(const Prediction& p) {
  auto text =
      fmt::format("\n{:>8} {:>8}  {:<14} {:>12} {:>10} {:>10} {:>8} {:>11} {:>9}  {:<18} {}\n",
                  "nodes", "ranks", "blocks", "cells a rank", "ms a step", "GCells/s", "effic.",
                  "exchange us", "exposed", "largest loss", "ghost layers that would help");
  for (const auto& row : p.rows) {
    const auto blocks = fmt::format("{} x {} x {}", row.blocks[0], row.blocks[1], row.blocks[2]);
    const auto& s = row.step;
    text += fmt::format(
        "{:8} {:8}  {:<14} {:12.4g} {:10.4g} {:10.4g} {:6.1f} % {:11.4g} {:7.1f} %  {:<18} ",
        row.nodes, row.ranks, blocks, row.load.cells, 1e3 * s.step(),
        1e-9 * row.all_cells / s.step(), 100 * row.efficiency, 1e6 * s.exchange(),
        100 * s.exposed / s.step(), std::string(name_of(s.largest_loss())));
    text += row.best_depth == 1 ? "none\n"
                                : fmt::format("{} every {} steps: -{:.0f} %\n", row.best_depth,
                                              row.best_depth, 100 * row.depth_gain);
  }
  return text;
}

/// The last row of the scan, from its beginning on, for which `good` holds.
template <class Good>
const PredictedRow* last_good(const std::vector<PredictedRow>& scan, const Good& good) {
  const auto bad = std::ranges::find_if(scan, [&](const auto& row) { return !good(row); });
  return bad == scan.begin() ? nullptr : &*(bad - 1);
}

std::string ends(const Prediction& p) {
  std::string text;
  for (const double share : {0.9, 0.5}) {
    const auto* row = last_good(p.scan, [&](const auto& r) { return r.efficiency >= share; });
    text +=
        fmt::format("{:<15}{:.0f} % or more {}\n", text.empty() ? "efficiency" : "", 100 * share,
                    row ? fmt::format("up to {} nodes, of 1, 2, 4 and so on", row->nodes)
                        : "on no number of nodes");
  }
  if (p.study.kind == ScaleKind::weak || p.scan.empty()) return text;
  const auto best =
      std::ranges::max_element(p.scan, {}, [](const auto& r) { return 1 / r.step.step(); });
  const bool ends_there = best + 1 != p.scan.end();
  return text +
         fmt::format(
             "strong scaling {} at {} nodes, {:.3g} cells a rank: {:.4g} ms a step, most of it "
             "lost to {}\n",
             ends_there ? "ends" : "goes on until the grid cannot be cut any further,", best->nodes,
             best->load.cells, 1e3 * best->step.step(),
             std::string(name_of(best->step.largest_loss())));
}

Json link_json(const Link& link) {
  return {{"latency_s", link.latency},
          {"bytes_per_s", link.bandwidth},
          {"sent_at_once_bytes", std::isfinite(link.at_once) ? Json(link.at_once) : Json(nullptr)}};
}

Json row_json(const PredictedRow& row) {
  const auto& s = row.step;
  return {{"nodes", row.nodes},
          {"ranks", row.ranks},
          {"blocks", {row.blocks[0], row.blocks[1], row.blocks[2]}},
          {"cells_per_rank", row.load.cells},
          {"bytes_within_node", row.load.near_bytes},
          {"bytes_between_nodes", row.load.far_bytes},
          {"step_s", s.step()},
          {"cells_per_s", row.all_cells / s.step()},
          {"efficiency", row.efficiency},
          {"launches_s", s.launches},
          {"inner_s", s.inner},
          {"shell_s", s.shell},
          {"exchange_s", s.exchange()},
          {"packing_s", s.packing},
          {"latency_s", s.latency},
          {"transfer_s", s.transfer},
          {"exposed_s", s.exposed},
          {"largest_loss", name_of(s.largest_loss())},
          {"best_halo_depth", row.best_depth},
          {"halo_depth_gain", row.depth_gain}};
}

Json rows_json(const std::vector<PredictedRow>& rows) {
  Json json = Json::array();
  for (const auto& row : rows) json.push_back(row_json(row));
  return json;
}

}  // namespace

std::string prediction_text(const Prediction& p) {
  return model_lines(p) + table(p) + "\n" + ends(p);
}

std::string prediction_json(const Prediction& p) {
  const auto& m = p.model;
  Json errors = Json::array();
  for (const auto& e : p.errors)
    errors.push_back(
        {{"ranks", e.ranks}, {"measured_s", e.measured}, {"predicted_s", e.predicted}});
  const Json report{{"program", {{"name", "halotherm"}, {"version", version}, {"commit", commit}}},
                    {"kind", name_of(p.study.kind)},
                    {"device", p.study.device},
                    {"ranks_per_node", p.ranks_per_node},
                    {"model",
                     {{"launches_s", m.launches},
                      {"cell_s", m.cell},
                      {"shell_cell_s", m.shell},
                      {"packing_s_per_byte", m.packing},
                      {"link", link_json(m.link)},
                      {"link_between_nodes", p.far ? link_json(*p.far) : Json(nullptr)},
                      {"seen_share_of_exchange", m.seen},
                      {"hiding_share_of_work", m.hiding}}},
                    {"errors", errors},
                    {"predictions", rows_json(p.rows)},
                    {"scan", rows_json(p.scan)}};
  return report.dump(1) + "\n";
}

}  // namespace halotherm::app
