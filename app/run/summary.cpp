// SPDX-License-Identifier: MIT
#include "app/run/summary.hpp"

#include "app/measure/bottleneck.hpp"
#include "app/measure/bottleneck_text.hpp"
#include "app/run/forecast.hpp"
#include "app/run/forecast_text.hpp"
#include "io/text/log.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace halotherm::app {

namespace {

std::string heading(const char* name) {
  return fmt::format("{:<15}", name);
}

bool solves(const RunRecord& r) {
  return r.solve.levels > 0;
}

std::string result_lines(const RunRecord& r, io::TemperatureUnit unit) {
  const auto last = in_unit(r.last, unit);
  const char* in = io::symbol(unit);
  std::string text =
      heading("result") + fmt::format("T = {:.6g} .. {:.6g} {}, mean {:.6g} {} {}\n", last.lowest,
                                      last.highest, in, last.mean, in,
                                      solves(r) && r.solve.solves == 0
                                          ? "in the steady state"
                                          : fmt::format("at t = {:.6g} s", last.time));
  for (const auto& found : r.out_of_bounds)
    text += heading("out of bounds") + "T = " + found.text(unit) + " (see the warning)\n";
  const double change = r.last.heat - r.first.heat;
  return text + heading("heat") +
         fmt::format("{:.9g} J, {:+.3g} J since the start\n", r.last.heat, change);
}

/// "x- +120 W, x+ -80 W, sources +5 W; stored +45 W": what is zero is left out.
std::string flow_lines(const RunRecord& r) {
  if (!r.last.balance) return "";
  const auto& balance = *r.last.balance;
  std::string flows;
  const auto add = [&](const std::string& name, double power) {
    if (power == 0) return;
    flows += fmt::format("{}{} {:+.6g} W", flows.empty() ? "" : ", ", name, power);
  };
  for (const auto& [name, power] : balance.sides) add(name, power);
  add("sources", balance.source);
  if (flows.empty()) return heading("flows") + "none through sides, none from sources\n";
  const double share = std::abs(balance.missing) / balance.magnitude();
  return heading("flows") + "into the domain in the last step: " + flows + "\n" + heading("") +
         fmt::format("stored {:+.6g} W; {:.2g} of the largest flow is missing ({})\n",
                     balance.stored, share, r.solve.solves > 0 ? "left by the solves" : "rounding");
}

std::string adaptive_line(const RunRecord& r) {
  if (!r.adaptive) return "";
  const auto& counts = r.adaptive->counts;
  const auto stages = solves(r) ? "" : fmt::format(", {} stages", counts.stages);
  return heading("steps") +
         fmt::format("{} of {:.3g} to {:.3g} s{}; {} taken again (tolerance {:.4g} K)\n",
                     counts.steps, counts.smallest_dt, counts.largest_dt, stages, counts.rejected,
                     r.adaptive->tolerance);
}

std::string solver_line(const RunRecord& r) {
  const auto& s = r.solve;
  if (s.solves > 0) {
    return heading("solver") +
           fmt::format("{} steps{} in {:.3g} s; {:.3g} iterations a solve on {} levels\n", r.steps,
                       r.adaptive ? "" : fmt::format(" of {:.4g} s", r.dt), s.seconds,
                       static_cast<double>(s.iterations) / static_cast<double>(s.solves), s.levels);
  }
  return heading("solver") +
         fmt::format(
             "{} iterations on {} levels, {:.3g} s: the time of {:.3g} copies of the field{}\n",
             s.iterations, s.levels, s.seconds, s.copies,
             s.at_rounding ? "; to the rounding of the temperatures" : "");
}

std::string speed_lines(const RunRecord& r) {
  std::string text =
      heading("speed") +
      fmt::format(
          "{:.4g} GCells/s, {:.4g} GB/s effective ({} bytes and {} flops a cell and step{})\n",
          1e-9 * r.updates_per_second(), 1e-9 * r.effective_bandwidth(), r.bytes_per_cell,
          r.flops_per_cell, r.stages > 1 ? fmt::format(" of {} stages", r.stages) : "");
  if (!r.calibration.measured) {
    return text + heading("ceiling") +
           (r.adaptive ? "not measured (steps differ)\n" : "not measured (fewer than 100 steps)\n");
  }
  if (const auto why = r.not_graded(); !why.empty())
    return text + heading("ceiling") + "not graded: " + why + "\n";
  text +=
      heading("ceiling") +
      fmt::format("{:.1f} % of the {:.4g} GB/s that copying the field reaches on the same ranks\n",
                  100 * r.copy_share(), 1e-9 * r.calibration.copy_bandwidth);
  if (r.copy_share() > 1) {
    text += heading("") + "above 100 %: " +
            (r.together > 1 && r.pass != Pass::stepwise
                 ? "several steps share a pass over memory\n"
                 : "caches serve what a copy streams from memory\n");
  }
  return text;
}

/// "up to 128, by one call of the host"
std::string submission_line(const RunRecord& r) {
  if (r.submitted == 1) return "";
  return heading("steps submitted") +
         fmt::format("up to {}, by one call of the host\n", r.submitted);
}

/// "3, of whole blocks after the exchange (a step took 11 ms one by one, 7.2 by 2, 6.3 by 3)".
std::string together_line(const RunRecord& r) {
  if (r.together == 1 && r.trials_together.empty()) return "";
  std::string text = heading("steps at once") + std::to_string(r.together);
  if (r.together > 1 && r.pass == Pass::whole) text += ", of whole blocks after the exchange";
  if (r.together > 1 && r.pass == Pass::stepwise) text += ", one after another after the exchange";
  for (std::size_t n = 0; n < r.trials_together.size(); ++n) {
    text += fmt::format("{}{:.3g}{}", n == 0 ? " (a step took " : ", ", 1e3 * r.trials_together[n],
                        n == 0 ? " ms one by one" : fmt::format(" by {}", n + 1));
  }
  return text + (r.trials_together.empty() ? "\n" : ")\n");
}

std::string phase_lines(const RunRecord& r) {
  double total = 0;
  for (const double seconds : r.phases) total += seconds;
  std::string text =
      heading("time") + io::duration_text(r.loop_seconds) + fmt::format(" for {} steps: ", r.steps);
  for (int phase = 0; phase < phase_count; ++phase) {
    const double share = total > 0 ? 100 * r.phases[static_cast<std::size_t>(phase)] / total : 0;
    text += fmt::format("{}{} {:.1f} %", phase > 0 ? ", " : "",
                        std::string(name_of(static_cast<Phase>(phase))), share);
  }
  return text + "\n";
}

/// " (p2p 12.1 us, device 31 us, staged 210 us)": what was tried, if there was a choice; where
/// neighbours differ, " (peer-accessible: p2p 12.1 us, device 31 us; remote: device 58 us)".
std::string trials_text(const ChosenTransport& transport) {
  std::string text;
  for (const auto& [channels, kind, trials] : transport.classes) {
    if (trials.size() < 2) continue;
    text += text.empty() ? " (" : "; ";
    if (transport.classes.size() > 1) text += std::string(name_of(channels)) + ": ";
    for (std::size_t n = 0; n < trials.size(); ++n) {
      text += (n > 0 ? ", " : "") + std::string(name_of(trials[n].kind));
      text += trials[n].unavailable.exists() ? " not possible"
                                             : fmt::format(" {:.3g} us", 1e6 * trials[n].seconds);
    }
  }
  return text.empty() ? "" : text + ")";
}

std::string processor_line(const RunRecord& r) {
  constexpr double worth_a_word = 0.9;
  return r.processor < worth_a_word
             ? heading("processor") + shared_processor_text(r.processor) + "\n"
             : "";
}

/// Warns of other programs once many steps show them.
std::string ranks_line(const RunRecord& r) {
  constexpr double own_cores = 0.9;  // or other programs' time is in all numbers
  if (!r.calibration.measured || r.steps == 0 || r.processor < own_cores) return "";
  const StepCost cost{.computation = r.calibration.computation,
                      .launches = r.calibration.launches,
                      .exchange = r.calibration.exchange,
                      .step = r.seconds_of_step()};
  const auto text = fewer_ranks_text(cost, r.ranks());
  return text.empty() ? "" : heading("ranks") + text + "\n";
}

/// A warning where ghost cells of devices travel through host memory, at its rates.
std::string host_memory_text(const RunRecord& r) {
  if (!r.on_devices) return "";
  for (const auto& of_class : r.transport.classes) {
    if (of_class.kind == comm::TransportKind::staged || of_class.kind == comm::TransportKind::rma)
      return ", through host memory";
  }
  return "";
}

std::string exchange_line(const RunRecord& r) {
  if (!r.communicates()) return heading("exchange") + "none: a single block\n";
  std::string text = heading("exchange") +
                     fmt::format("{} messages, {:.4g} MB a step by transport {}", r.halo_messages,
                                 1e-6 * static_cast<double>(r.halo_bytes), to_string(r.transport)) +
                     host_memory_text(r) + trials_text(r.transport);
  if (r.calibration.measured && r.steps > 0) {
    text += fmt::format("; {:.3g} us alone, ", 1e6 * r.calibration.exchange);
    text +=
        r.hiding_shows()
            ? fmt::format("{:.0f} % of it hidden behind the interior", 100 * r.hidden_share())
            : fmt::format("{:.1f} % of a step", 100 * r.calibration.exchange / r.seconds_of_step());
  }
  return text + "\n";
}

std::string written_line(const char* name, const Written& written, const FileWriter& writer) {
  if (written.files + written.failures == 0) return "";
  std::string text = heading(name) + fmt::format("{} files", written.files);
  if (written.files > 0) {
    text +=
        fmt::format(", {:.4g} MB at {:.3g} GB/s beside the computation, which waited {:.3g} s",
                    1e-6 * static_cast<double>(written.bytes),
                    1e-9 * static_cast<double>(written.bytes) / written.seconds, written.waited);
  }
  if (writer.settings.method == io::WriteMethod::parallel_hdf5)
    text += ", by parallel HDF5 (" + writer.file_system + ")";
  if (written.failures > 0) text += fmt::format("; {} more FAILED", written.failures);
  return text + "\n";
}

}  // namespace

std::string summary(const RunRecord& r, io::TemperatureUnit unit) {
  std::string text = result_lines(r, unit) + flow_lines(r);
  if (solves(r)) {
    text += adaptive_line(r) + solver_line(r) + processor_line(r);
  } else if (r.steps > 0) {
    text += adaptive_line(r) + speed_lines(r) + together_line(r) + submission_line(r) +
            phase_lines(r) + processor_line(r) + ranks_line(r) + exchange_line(r);
  }
  return text + written_line("checkpoints", r.checkpoints, r.writer) +
         written_line("fields", r.fields, r.writer);
}

}  // namespace halotherm::app
