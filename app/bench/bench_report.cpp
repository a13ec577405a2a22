// SPDX-License-Identifier: MIT
#include "app/bench/bench_report.hpp"

#include "app/measure/json.hpp"
#include "comm/system/version.hpp"

#include <fmt/format.h>

namespace halotherm::app {

namespace {

std::string beginning(const std::string& name, const std::string& precision,
                      const comm::Int3& cells) {
  return fmt::format("{:<36} {:<8} {:<18}", name, precision, comm::product_text(cells));
}

std::string ending(const std::string& warning) {
  return warning.empty() ? "" : "  (" + warning + ")";
}

}  // namespace

static void to_json(Json& json, const BenchSolve& s) {
  json = {{"iterations", s.iterations}, {"levels", s.levels},
          {"residual", s.residual},     {"reduction_per_iteration", s.reduction},
          {"copies", s.copies},         {"setup_seconds", s.setup_seconds}};
}

static void to_json(Json& json, const BenchRow& r) {
  json = {{"kind", r.kind},
          {"name", r.name},
          {"precision", r.precision},
          {"cells", r.cells},
          {"seconds", r.seconds},
          {"seconds_min", r.seconds_min},
          {"seconds_max", r.seconds_max},
          {"processor_share", r.processor},
          {"repeats", r.repeats},
          {"cells_per_second", r.cells_per_second},
          {"bytes_per_cell", r.bytes_per_cell},
          {"flops_per_cell", r.flops_per_cell},
          {"bandwidth", r.bandwidth()},
          {"ceiling", r.ceiling},
          {"fraction", r.fraction},
          {"joules_per_cell", r.joules_per_cell},
          {"solve", r.solve},
          {"detail", r.detail},
          {"warning", text_or_null(r.warning)}};
}

std::string disturbance(double copy, double best_copy, double processor) {
  constexpr double own_cores = 0.9;
  std::string text;
  if (copy < undisturbed * best_copy) {
    text = fmt::format("disturbed: its copies ran at {:.0f} % of this grid's best",
                       100 * copy / best_copy);
  }
  if (processor < own_cores) {
    text += (text.empty() ? "" : "; ") +
            fmt::format("other programs: it got {:.0f} % of its cores' time", 100 * processor);
  }
  return text;
}

std::string disturbance(const BenchCeiling& c) {
  constexpr double alike = 0.75;
  return c.slowest < alike * c.bandwidth ? "disturbed: the repeats differ" : "";
}

std::string bench_heading(const BenchRecord& r) {
  const auto peak = r.peak_bandwidth
                        ? fmt::format("{:.4g} GB/s at its physical peak", 1e-9 * *r.peak_bandwidth)
                        : "physical peak not known";
  return fmt::format(
      "device         {}{}\nmemory         {}, last cache {:.4g} MB\n\n"
      "{:<36} {:<8} {:<18} {:>9} {:>15} {:>9} {:>8} {:>9} {:>6} {:>6} {:>9}",
      r.device, r.ranks > 1 ? fmt::format(", {} ranks at once", r.ranks) : "", peak,
      1e-6 * static_cast<double>(r.cache_bytes), "what", "numbers", "cells", "GCells/s",
      "worst .. best", "GB/s", "of copy", "copy GB/s", "B/cell", "flops", "nJ/cell");
}

std::string bench_line(const BenchCeiling& c) {
  return fmt::format("{} {:>9} {:>15} {:9.4g}  from {:.4g}{}",
                     beginning(c.name, c.precision, c.cells), "", "", 1e-9 * c.bandwidth,
                     1e-9 * c.slowest, ending(c.warning));
}

/// Unknowns a second stand in the column of cells, as each cell has one.
static std::string solve_line(const BenchRow& r) {
  const auto& s = *r.solve;
  const auto rate = [&](double seconds) { return 1e-9 * r.cells_per_second * r.seconds / seconds; };
  return fmt::format(
      "{} {:9.4g} {:>15}  {:.4g} s a solve: {:.4g} copies, {} iterations on {} levels, each "
      "reduces "
      "by {:.2g}; set-up {:.3g} s{}",
      beginning(r.name, r.precision, r.cells), 1e-9 * r.cells_per_second,
      fmt::format("{:.3g} .. {:.3g}", rate(r.seconds_max), rate(r.seconds_min)), r.seconds,
      s.copies, s.iterations, s.levels, s.reduction, s.setup_seconds, ending(r.warning));
}

std::string bench_line(const BenchRow& r) {
  if (r.solve) return solve_line(r);
  const auto rate = [&](double seconds) { return 1e-9 * r.cells_per_second * r.seconds / seconds; };
  const auto spread =
      r.seconds_max > 0 ? fmt::format("{:.3g} .. {:.3g}", rate(r.seconds_max), rate(r.seconds_min))
                        : "";
  return fmt::format(
      "{} {:9.4g} {:>15} {:9.4g} {:>8} {:>9} {:6.4g} {:6.4g} {:>9}{}{}{}",
      beginning(r.name, r.precision, r.cells), 1e-9 * r.cells_per_second, spread,
      1e-9 * r.bandwidth(), r.fraction ? fmt::format("{:.1f} %", 100 * *r.fraction) : "",
      r.ceiling ? fmt::format("{:.4g}", 1e-9 * *r.ceiling) : "", r.bytes_per_cell, r.flops_per_cell,
      r.joules_per_cell ? fmt::format("{:.3g}", 1e9 * *r.joules_per_cell) : "",
      r.detail.empty() ? "" : "  ", r.detail, ending(r.warning));
}

std::string bench_json(const BenchRecord& r) {
  Json ceilings = Json::array();
  for (const auto& c : r.ceilings) {
    ceilings.push_back({{"name", c.name},
                        {"precision", c.precision},
                        {"cells", c.cells},
                        {"bytes", c.bytes},
                        {"seconds", static_cast<double>(c.bytes) * r.ranks / c.bandwidth},
                        {"bandwidth", c.bandwidth},
                        {"slowest_bandwidth", c.slowest},
                        {"warning", text_or_null(c.warning)}});
  }
  const Json report{{"version", version},
                    {"commit", commit},
                    {"preset", build_preset},
                    {"flags", build_flags},
                    {"ranks", r.ranks},
                    {"device",
                     {{"name", r.device},
                      {"peak_bandwidth", r.peak_bandwidth},
                      {"compute_mhz", r.compute_mhz},
                      {"memory_mhz", r.memory_mhz},
                      {"cache_bytes", r.cache_bytes}}},
                    {"ceilings", ceilings},
                    {"rows", r.rows}};
  return report.dump(1) + "\n";
}

}  // namespace halotherm::app
