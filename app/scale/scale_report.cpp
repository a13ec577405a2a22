// SPDX-License-Identifier: MIT
#include "app/scale/scale_report.hpp"

#include "app/measure/bottleneck_text.hpp"
#include "io/text/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>

namespace halotherm::app {

namespace {

std::string interval(const Estimate& e, double unit, fmt::format_string<double> format) {
  return "[" + fmt::format(format, unit * e.low) + ", " + fmt::format(format, unit * e.high) + "]";
}

std::string speed_table(const ScaleRecord& r) {
  auto text =
      fmt::format("{:>5}  {:<12} {:>12} {:>10} {:<20} {:>9} {:>9} {:>8} {:>8} {:<14} {:>8}\n",
                  "ranks", "blocks", "cells a rank", "ms a step", "  interval", "GCells/s",
                  "a rank", "speed-up", "effic.", "  interval", "outliers");
  for (const auto& row : r.rows) {
    const auto step = row.of(&ScaleSample::step);
    const auto rate = r.cell_rate(row);
    const auto efficiency = r.efficiency(row);
    text += fmt::format(
        "{:5}  {:<12} {:12} {:10.4g} {:<20} {:9.4g} {:9.4g} {:8.3g} {:6.1f} % {:<14} {:5}/{}\n",
        row.ranks, comm::product_text(row.blocks), row.block_cells, 1e3 * step.median,
        interval(step, 1e3, "{:.4g}"), 1e-9 * rate.median, 1e-9 * rate.median / row.ranks,
        r.speed_up(row).median, 100 * efficiency.median, interval(efficiency, 100, "{:.1f}"),
        step.outliers, r.repeats);
  }
  return text;
}

std::string solve_table(const ScaleRecord& r) {
  if (!r.reference().solves) return "";
  auto text = fmt::format(
      "{:>5} {:>10} {:<20} {:>8} {:>10} {:>8} {:>8} {:<14} {:>10} {:>7} {:>8} {:>8} "
      "{:>10}\n",
      "ranks", "ms a solve", "  interval", "GDOF/s", "copies", "speed-up", "effic.", "  interval",
      "iterations", "levels", "coarse", "outliers", "set-up ms");
  for (const auto& row : r.rows) {
    const auto solve = row.of(&ScaleSample::solve);
    const auto efficiency = r.efficiency(row, &ScaleSample::solve);
    text += fmt::format(
        "{:5} {:10.4g} {:<20} {:8.4g} {:10.4g} {:8.3g} {:6.1f} % {:<14} {:10} {:7} {:6.1f} % "
        "{:6}/{} {:10.4g}\n",
        row.ranks, 1e3 * solve.median, interval(solve, 1e3, "{:.4g}"),
        1e-9 * r.cell_rate(row, &ScaleSample::solve).median, row.copies_of_solve(),
        r.speed_up(row, &ScaleSample::solve).median, 100 * efficiency.median,
        interval(efficiency, 100, "{:.1f}"), row.solves->iterations, row.solves->levels,
        100 * row.coarse_share(), solve.outliers, r.repeats, 1e3 * row.solves->setup);
  }
  return "\nsolves\n" + text;
}

std::string run_steps_table(const ScaleRecord& r) {
  if (!r.has_run_steps()) return "";
  auto text = fmt::format("{:>5} {:>8} {:>10} {:>10} {:<20} {:>9} {:>9} {:>8} {:>8} {:<14} {:>8}\n",
                          "ranks", "at once", "submitted", "ms a step", "  interval", "GCells/s",
                          "a rank", "speed-up", "effic.", "  interval", "outliers");
  for (const auto& row : r.rows) {
    const auto step = row.of(&ScaleSample::run_step);
    const auto rate = r.cell_rate(row, &ScaleSample::run_step);
    const auto efficiency = r.efficiency(row, &ScaleSample::run_step);
    text += fmt::format(
        "{:5} {:8} {:>10} {:10.4g} {:<20} {:9.4g} {:9.4g} {:8.3g} {:6.1f} % {:<14} {:5}/{}\n",
        row.ranks, row.run_steps->together,
        row.run_steps->submitted > 1 ? std::to_string(row.run_steps->submitted) : "-",
        1e3 * step.median, interval(step, 1e3, "{:.4g}"), 1e-9 * rate.median,
        1e-9 * rate.median / row.ranks, r.speed_up(row, &ScaleSample::run_step).median,
        100 * efficiency.median, interval(efficiency, 100, "{:.1f}"), step.outliers, r.repeats);
  }
  return "\nsteps as runs take them\n" + text;
}

std::string phase_table(const ScaleRecord& r) {
  auto text = fmt::format(
      "{:>5} {:>9} {:>9} {:>9} {:>9} {:>10} {:>10} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>10}\n",
      "ranks", "formulas", "start", "interior", "wait", "shell", "exchange", "hidden", "messages",
      "MB a step", "imbalance", "copy GB/s", "of copy", "processor");
  for (const auto& row : r.rows) {
    const auto percent = [&](Phase phase) {
      return 100 * row.phase(phase) / row.of(&ScaleSample::step).median;
    };
    const bool exchanges = row.halo_messages > 0;
    text += fmt::format(
        "{:5} {:7.1f} % {:7.1f} % {:7.1f} % {:7.1f} % {:8.1f} % {:7.1f} us {:>7} {:9} {:9.4g} "
        "{:9.3f} {:9.4g} {:7.1f} % {:8.0f} %\n",
        row.ranks, percent(Phase::formulas), percent(Phase::halo_start), percent(Phase::interior),
        percent(Phase::halo_wait), percent(Phase::shell),
        exchanges ? 1e6 * row.of(&ScaleSample::exchange).median : 0.0,
        exchanges ? fmt::format("{:.0f} %", 100 * row.hidden_share()) : "-", row.halo_messages,
        1e-6 * static_cast<double>(row.halo_bytes), row.imbalance(),
        1e-9 * row.of(&ScaleSample::copy_rate).median, 100 * row.copy_share(),
        100 * row.of(&ScaleSample::processor).median);
  }
  return text;
}

std::string header(const ScaleRecord& r) {
  double confidence = 1;
  std::vector<std::int64_t> steps;
  for (const auto& row : r.rows) {
    confidence = std::min(confidence, row.of(&ScaleSample::step).confidence);
    steps.push_back(row.steps);
  }
  return fmt::format(
      "study          {} scaling of {} cells, float{}, on {}\n"
      "repeats        {} of each number of ranks, in an order made from the seed {}; steps of a "
      "repeat: {}\n"
      "intervals      of the median, {:.1f} % sure{}; outliers are counted, and count\n",
      name_of(r.kind), comm::product_text(r.reference().cells), 8 * r.element_bytes, r.device,
      r.repeats, r.seed, fmt::join(steps, " "), 100 * confidence,
      confidence < 0.95 ? " (95 % takes --repeats 6 or more)" : "");
}

std::string balance_lines(const ScaleRecord& r) {
  std::string text;
  for (const auto& row : r.rows) {
    if (!row.balance.empty())
      text += fmt::format("balance        on {} ranks {}\n", row.ranks, row.balance);
  }
  return text;
}

/// Where power or heat limited devices' clocks, which shows in long repeats more than in short
/// ones; and the speed that long runs reach.
std::string clock_lines(const ScaleRecord& r) {
  std::string clocks, steady;
  for (const auto& row : r.rows) {
    const char* plural = row.ranks == 1 ? "" : "s";
    if (row.clock_limit() != comm::ClockLimit::none) {
      const auto [least, most] = std::ranges::minmax(row.samples, {}, &ScaleSample::clock);
      clocks += fmt::format(
          "clocks         on {} rank{} at {:.0f} to {:.0f} % of the highest, limited by {}\n",
          row.ranks, plural, 100 * least.clock, 100 * most.clock, name_of(row.clock_limit()));
    }
    if (const auto efficiency = r.steady_efficiency(row)) {
      steady += fmt::format(
          "steady         {} rank{} {:.4g} ms a step after {} s{}, efficiency {:.1f} %\n",
          row.ranks, plural, 1e3 * row.steady.step, row.steady.windows,
          row.steady.settled ? "" : ", not settled", 100 * *efficiency);
    }
  }
  if (!clocks.empty())
    clocks += "               as in long runs; fewer --steps show the speed of short runs\n";
  return clocks + steady;
}

std::string check_line(const ScaleRecord& r) {
  const auto same = r.same_bits();
  if (!same) return "";
  return fmt::format(
      "check          {}{} after {} steps{}\n",
      *same ? "same bits" : "NOT the same bits: the numbers mean nothing, report a defect;",
      r.kind == ScaleKind::strong ? " on every number of ranks" : "", r.checked_steps,
      r.has_run_steps() ? ", one by one and as runs take them" : "");
}

}  // namespace

std::string scale_text(const ScaleRecord& r) {
  std::string text = header(r) + "\n" + speed_table(r) + "\n" + phase_table(r) +
                     run_steps_table(r) + solve_table(r) + "\n" + balance_lines(r) +
                     clock_lines(r) + check_line(r) + "bottleneck\n";
  for (const auto& row : r.rows)
    text += to_string(r.bottleneck(row), r.kind, r.reference().facts(), row.facts());
  return text;
}

std::string scale_csv(const ScaleRecord& r) {
  std::string text =
      "kind,ranks,blocks_x,blocks_y,blocks_z,cells_x,cells_y,cells_z,cells_per_rank,steps,repeats,"
      "outliers,step_s,step_low_s,step_high_s,cells_per_s,cells_per_s_per_rank,speed_up,efficiency,"
      "efficiency_low,efficiency_high,computation_s,exchange_s,exposed_s,hidden_share,formulas_s,"
      "halo_start_s,interior_s,halo_wait_s,shell_s,halo_messages,halo_bytes,imbalance,"
      "copy_bytes_per_s,processor_share,solve_s,solve_low_s,solve_high_s,solve_efficiency,"
      "solve_iterations,solve_levels,solve_coarse_share,run_step_s,run_step_low_s,run_step_high_s,"
      "run_step_efficiency,steps_at_once,steps_submitted,bottleneck\n";
  for (const auto& row : r.rows) {
    const auto step = row.of(&ScaleSample::step), efficiency = r.efficiency(row);
    const auto rate = r.cell_rate(row).median;
    const auto median = [&](double ScaleSample::*quantity) { return row.of(quantity).median; };
    const auto add = [&](auto... values) {
      const auto field = [](auto value) {
        if constexpr (std::floating_point<decltype(value)>)
          return io::to_text(value);
        else
          return std::to_string(value);
      };
      ((text += "," + field(values)), ...);
    };
    text += name_of(r.kind);
    add(row.ranks, row.blocks[0], row.blocks[1], row.blocks[2], row.cells[0], row.cells[1],
        row.cells[2], row.block_cells, row.steps, r.repeats, step.outliers);
    add(step.median, step.low, step.high, rate, rate / row.ranks, r.speed_up(row).median,
        efficiency.median, efficiency.low, efficiency.high, median(&ScaleSample::computation),
        median(&ScaleSample::exchange), row.exposed(), row.hidden_share());
    add(row.phase(Phase::formulas), row.phase(Phase::halo_start), row.phase(Phase::interior),
        row.phase(Phase::halo_wait), row.phase(Phase::shell), row.halo_messages, row.halo_bytes);
    add(row.imbalance(), median(&ScaleSample::copy_rate), median(&ScaleSample::processor));
    const auto add_times = [&](double ScaleSample::*time, std::int64_t one, int other) {
      const auto all = row.of(time);
      add(all.median, all.low, all.high, r.efficiency(row, time).median, one, other);
    };
    constexpr auto no_times = ",,,,,,";
    if (row.solves) {
      add_times(&ScaleSample::solve, row.solves->iterations, row.solves->levels);
      add(row.coarse_share());
    } else {
      text += no_times;
      text += ',';
    }
    if (row.run_steps) {
      add_times(&ScaleSample::run_step, row.run_steps->together, row.run_steps->submitted);
    } else {
      text += no_times;
    }
    text += "," + verdict_name(r.bottleneck(row)) + "\n";
  }
  return text;
}

}  // namespace halotherm::app
