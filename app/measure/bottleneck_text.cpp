// SPDX-License-Identifier: MIT
#include "app/measure/bottleneck_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace halotherm::app {

namespace {

constexpr std::array<Cause, cause_count> causes{Cause::processor, Cause::power,   Cause::imbalance,
                                                Cause::launches,  Cause::latency, Cause::link,
                                                Cause::surface,   Cause::memory};

std::string milliseconds(double seconds) {
  return fmt::format("{:.4g} ms", 1e3 * seconds);
}

/// The cells a rank needs so that the fixed cost is good_loss of the work.
double cells_for(double fixed, const ScaleFacts& f) {
  const double a_cell = (f.work_mean - f.launches) / f.cells;
  return a_cell > 0 ? fixed / (good_loss * a_cell) : INFINITY;
}

std::string fixed_cost(const ScaleFacts& f) {
  const double fixed = f.launches + f.latency;
  const double enough = cells_for(fixed, f);
  const auto remedy =
      std::isfinite(enough)
          ? fmt::format("with {:.3g} cells a rank (now {:.3g}) that is {:.0f} % of the work",
                        enough, f.cells, 100 * good_loss)
          : fmt::format("the {:.3g} cells of a rank take almost no time beside that", f.cells);
  return "launches and latency take " + milliseconds(fixed) +
         " a step however few cells there are; " + remedy;
}

/// The numbers behind the named cause, and the remedy.
std::string explanation(Cause cause, const ScaleFacts& reference, const ScaleFacts& f) {
  switch (cause) {
    case Cause::processor:
      return f.shared_by_ranks
                 ? fmt::format(
                       "several ranks share a core or device: one got only {:.0f} % of its "
                       "time; bind one rank to each",
                       100 * f.processor)
                 : shared_processor_text(f.processor);
    case Cause::power:
      return fmt::format(
          "a limit of {} held a device's clock at {:.0f} % of its highest, as in long runs: raise "
          "the limit or improve the cooling, if possible",
          f.clock_limit, 100 * f.clock);
    case Cause::imbalance:
      return fmt::format(
          "the slowest rank works {}, the mean {}: uneven blocks, or a slow core or device",
          milliseconds(f.work_max), milliseconds(f.work_mean));
    case Cause::launches:
      return "too small a problem: " + fixed_cost(f);
    case Cause::latency:
      return fixed_cost(f) + ": use fewer ranks, or a network of lower latency";
    case Cause::link:
      return fmt::format(
          "the busiest rank sends {:.4g} MB at {:.3g} GB/s, and memory would allow {:.3g}: use a "
          "faster link, or a transport that reaches the link's rate (halotherm probe)",
          1e-6 * f.message_bytes, 1e-9 * f.message_bytes / (f.messages - f.latency),
          0.5e-9 * f.copy_rate / f.ranks);
    case Cause::surface:
      return fmt::format(
          "a rank receives {:.2g} cells for each that it owns, and computes its shell apart: use "
          "more cells a rank, or blocks nearer to cubes",
          f.surface);
    case Cause::memory:
      return fmt::format(
          "a rank copies at {:.4g} GB/s, and at {:.4g} on {}: the ranks share the memory's "
          "bandwidth; use more nodes",
          1e-9 * f.copy_rate / f.ranks, 1e-9 * reference.copy_rate / reference.ranks,
          reference.ranks);
  }
  return "";
}

std::string arithmetic(const Bottleneck& b, ScaleKind kind, const ScaleFacts& reference,
                       const ScaleFacts& f) {
  std::string text = "  step " + milliseconds(f.step) + " = ";
  if (f.ranks == reference.ranks) {
    text += "ideal " + milliseconds(b.ideal);
  } else {
    text += kind == ScaleKind::strong
                ? fmt::format("ideal {} ({} * {}/{})", milliseconds(b.ideal),
                              milliseconds(reference.step), reference.ranks, f.ranks)
                : fmt::format("ideal {} (as on {})", milliseconds(b.ideal), reference.ranks);
  }
  for (const auto cause : causes) {
    if (b.part(cause) >= 0.005 * f.step)
      text += " + " + std::string(name_of(cause)) + " " + milliseconds(b.part(cause));
  }
  const char* sign = b.unexplained < 0 ? " - " : " + ";
  if (std::abs(b.unexplained) >= 0.005 * f.step)
    text += sign + std::string("not explained ") + milliseconds(std::abs(b.unexplained));
  return text + "\n";
}

}  // namespace

std::string shared_processor_text(double share) {
  return fmt::format(
      "a rank got only {:.0f} % of the time that it requested on its cores: other programs, more "
      "threads than cores, or a limit on the job took the rest",
      100 * share);
}

std::string_view name_of(Cause cause) {
  constexpr std::array<std::string_view, cause_count> names{
      "shared processor", "power limit",    "imbalance",         "launch overhead",
      "latency",          "link bandwidth", "surface-to-volume", "memory bandwidth"};
  return names[static_cast<std::size_t>(cause)];
}

std::string_view name_of(ScaleKind kind) {
  return kind == ScaleKind::strong ? "strong" : "weak";
}

std::string verdict_name(const Bottleneck& b) {
  switch (b.verdict) {
    case Verdict::good:
      return "none";
    case Verdict::within_noise:
      return "within noise";
    case Verdict::unexplained:
      return "unexplained";
    case Verdict::named:
      break;
  }
  return std::string(name_of(b.cause));
}

std::string to_string(const Bottleneck& b, ScaleKind kind, const ScaleFacts& reference,
                      const ScaleFacts& f) {
  const auto lost = fmt::format("{:.1f} % of the step lost", 100 * std::max(0.0, b.lost) / f.step);
  const auto ranks = fmt::format("{} rank{}: ", f.ranks, f.ranks == 1 ? "" : "s");
  const auto sums = arithmetic(b, kind, reference, f);
  switch (b.verdict) {
    case Verdict::good:
      return ranks + "no bottleneck, " + lost + "\n" + sums;
    case Verdict::within_noise:
      return ranks +
             "no bottleneck that these measurements show: the loss lies within their intervals, " +
             lost + "\n" + sums;
    case Verdict::unexplained:
      return ranks + "a loss that these measurements do not explain, " + lost + "\n" + sums;
    case Verdict::named:
      break;
  }
  return ranks + std::string(name_of(b.cause)) + ", " + lost + "\n" + sums + "  " +
         explanation(b.cause, reference, f) + "\n";
}

}  // namespace halotherm::app
