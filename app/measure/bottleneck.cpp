// SPDX-License-Identifier: MIT
#include "app/measure/bottleneck.hpp"

#include <algorithm>
#include <numeric>

namespace halotherm::app {

namespace {

using Parts = std::array<double, cause_count>;

double& part(Parts& parts, Cause cause) {
  return parts[static_cast<std::size_t>(cause)];
}

/// The share of the exposed communication that is a wait for the processor and not for messages.
/// Other programs delay both; messages as fast as on an idle machine show no such delay.
double waiting_share(const ScaleFacts& f) {
  if (f.shared_by_ranks) return 1;
  const double delayed =
      f.exchange > 0 && !f.on_one_host ? std::clamp(1 - f.messages / f.exchange, 0.0, 1.0) : 1;
  return delayed * std::clamp(1 - f.processor, 0.0, 1.0);
}

/// How much longer a rank may compute because its device's clock was held back.
double slowed_by_clock(const ScaleFacts& f) {
  return f.clock > 0 && f.clock < 1 ? f.work_mean * (1 / f.clock - 1) : 0;
}

/// The cost of a step for the processor, imbalance, launches and the exchange, in any comparison.
Parts costs_of(const ScaleFacts& f) {
  Parts parts{};
  const double exposed = std::max(0.0, f.step - f.computation);
  const double waiting = exposed * waiting_share(f);
  part(parts, Cause::processor) = std::max(0.0, f.computation - f.work_max) + waiting;
  const double uneven = std::max(0.0, f.work_max - f.work_mean);
  const double unevenly_clocked = std::min(uneven, slowed_by_clock(f));
  const bool warmed = f.clock < 1 && f.fastest_step > 0;
  const double warm = warmed ? std::clamp(f.step - f.fastest_step, 0.0, exposed - waiting) : 0;
  part(parts, Cause::power) = unevenly_clocked + warm;
  part(parts, Cause::imbalance) = uneven - unevenly_clocked;
  part(parts, Cause::launches) = f.launches;
  if (f.exchange <= 0) return parts;
  const double latency = std::min(f.latency, f.exchange);
  const double transfer = std::clamp(f.messages - latency, 0.0, f.exchange - latency);
  const double at_memory_speed = f.copy_rate > 0 ? 2 * f.message_bytes * f.ranks / f.copy_rate : 0;
  const double link = std::max(0.0, transfer - at_memory_speed);
  const double seen = (exposed - waiting - warm) / f.exchange;
  part(parts, Cause::latency) = seen * latency;
  part(parts, Cause::link) = seen * link;
  part(parts, Cause::surface) = seen * (f.exchange - latency - link);
  return parts;
}

/// How much longer a rank computes than it would if only its number of cells counted, and why.
void add_growth(const ScaleFacts& reference, const ScaleFacts& f, double shrink, Parts& lost) {
  const double more_launches = std::max(0.0, f.launches - shrink * reference.launches);
  const double all_growth =
      std::max(0.0, f.work_mean - shrink * reference.work_mean - more_launches);
  const double clocked = std::min(all_growth, slowed_by_clock(f));
  const double growth = all_growth - clocked;
  part(lost, Cause::power) += clocked;
  const double slower_copy = 1 - (f.copy_rate / f.ranks) / (reference.copy_rate / reference.ranks);
  const double memory = std::clamp(f.work_mean * slower_copy, 0.0, growth);
  part(lost, Cause::memory) = memory;
  part(lost, Cause::surface) += growth - memory;
}

Verdict judge(const Bottleneck& b, const ScaleFacts& reference, const ScaleFacts& f, double shrink,
              bool is_reference) {
  if (b.lost < good_loss * f.step) return Verdict::good;
  if (!is_reference && f.step_low <= shrink * reference.step_high) return Verdict::within_noise;
  return b.part(b.cause) >= b.unexplained ? Verdict::named : Verdict::unexplained;
}

}  // namespace

Bottleneck find_bottleneck(ScaleKind kind, const ScaleFacts& reference, const ScaleFacts& facts) {
  const bool is_reference = facts.ranks == reference.ranks;
  const double shrink =
      kind == ScaleKind::strong ? static_cast<double>(reference.ranks) / facts.ranks : 1;
  Bottleneck result;
  result.parts = costs_of(facts);
  if (is_reference) {
    // nobody to compare with: only what is no matter of scaling counts
    for (const auto cause :
         {Cause::power, Cause::imbalance, Cause::latency, Cause::link, Cause::surface})
      part(result.parts, cause) = 0;
    result.lost = result.part(Cause::launches) + result.part(Cause::processor);
    result.ideal = facts.step - result.lost;
  } else {
    const auto before = costs_of(reference);
    for (std::size_t c = 0; c < before.size(); ++c)
      result.parts[c] = std::max(0.0, result.parts[c] - shrink * before[c]);
    add_growth(reference, facts, shrink, result.parts);
    result.ideal = shrink * reference.step;
    result.lost = facts.step - result.ideal;
  }
  result.unexplained = result.lost - std::accumulate(result.parts.begin(), result.parts.end(), 0.0);
  result.cause = static_cast<Cause>(std::ranges::max_element(result.parts) - result.parts.begin());
  result.verdict = judge(result, reference, facts, shrink, is_reference);
  return result;
}

}  // namespace halotherm::app
