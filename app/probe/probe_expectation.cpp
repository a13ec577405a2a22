// SPDX-License-Identifier: MIT
#include "app/probe/probe_expectation.hpp"

#include "app/probe/probe.hpp"
#include "comm/system/error_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

namespace halotherm::app {

namespace {

using Kind = ProbeExpectation::Kind;

/// Why a pair misses the expectation; empty if it meets it, none if it does not apply to the pair.
using Miss = std::optional<std::string>;

Miss miss_of_nvlink(const ProbeRank& a, const ProbeRank& b, const PairVerdict& verdict) {
  if (!same_host(a, b) || !both_on_gpus(a, b) || same_device(a, b)) return std::nullopt;
  if (verdict.path != Path::nvlink) return std::string(name_of(verdict.path));
  if (verdict.fraction().value_or(0) >= least_nvlink_fraction) return "";
  return verdict.fraction()
             ? fmt::format("{:.0f} % of the NVLinks' rate", 100 * *verdict.fraction())
             : std::string("NVLinks of a rate not known");
}

Miss miss_of_rdma(const ProbeRank& a, const ProbeRank& b, const PairVerdict& verdict) {
  if (same_host(a, b)) return std::nullopt;
  const bool is_rdma = verdict.path == Path::rdma_gpudirect || verdict.path == Path::rdma_host;
  if (!is_rdma) return std::string(name_of(verdict.path));
  if (!verdict.fraction()) return "RDMA of a rate not known";
  if (*verdict.fraction() >= least_fraction) return "";
  return fmt::format("{:.0f} % of what {} can carry", 100 * *verdict.fraction(),
                     verdict.expected->source);
}

Miss miss_of_rate(double rate, const PairVerdict& verdict) {
  return verdict.bandwidth >= rate ? "" : fmt::format("{:.4g} GB/s", 1e-9 * verdict.bandwidth);
}

Miss miss_of(const ProbeExpectation& expectation, const ProbeRank& a, const ProbeRank& b,
             const PairVerdict& verdict) {
  if (expectation.kind == Kind::nvlink) return miss_of_nvlink(a, b, verdict);
  if (expectation.kind == Kind::rdma) return miss_of_rdma(a, b, verdict);
  return miss_of_rate(expectation.rate, verdict);
}

/// The error where no measured pair can show what is expected.
comm::ErrorText not_shown(const ProbeExpectation& expectation, const ProbeRecord& record,
                          const std::string& problem) {
  const bool on_cpus = std::ranges::none_of(record.ranks, &ProbeRank::gpu);
  if (expectation.kind != Kind::nvlink || record.ranks.empty() || !on_cpus)
    return {problem, "no pair of ranks that were measured could show it",
            "start more ranks, on more GPUs or nodes"};
  int gpus = 0;
  for (const auto& rank : record.ranks) gpus = std::max(gpus, rank.node.nvidia_gpus);
  const auto there = gpus > 0 ? "the nodes have up to " + std::to_string(gpus) + " NVIDIA GPUs each"
                              : std::string("the nodes show no NVIDIA GPU, either");
  return {problem, "this is a CPU build, which measures no GPU; " + there, remedy_for_cpu_build};
}

std::string text_of(const ProbeExpectation& expectation) {
  if (expectation.kind == Kind::nvlink) return "NVLink between the GPUs of each node";
  if (expectation.kind == Kind::rdma) return "RDMA between the nodes";
  return fmt::format("{:.4g} GB/s between all ranks", 1e-9 * expectation.rate);
}

}  // namespace

ProbeExpectation parse_expectation(const std::string& text) {
  if (text == "nvlink") return {Kind::nvlink, 0};
  if (text == "rdma") return {Kind::rdma, 0};
  double gigabytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), gigabytes);
  if (error == std::errc() && end == text.data() + text.size() && gigabytes > 0 && gigabytes < 1e6)
    return {Kind::rate, 1e9 * gigabytes};
  throw comm::Error(comm::ExitCode::usage,
                    {"halotherm probe: --expect is '" + comm::shortened(text, 60) + "'",
                     "it takes nvlink, rdma, or the GB/s that every pair must reach with both "
                     "directions together",
                     "give one of these, as in --expect 20"});
}

std::optional<comm::ErrorText> what_misses(const ProbeExpectation& expectation,
                                           const ProbeRecord& record) {
  constexpr int shown = 4;
  int concerned = 0;
  int missing = 0;
  std::string which;
  for (std::size_t p = 0; p < record.pairs.size(); ++p) {
    const auto& pair = record.pairs[p];
    const auto [a, b] = record.ranks_of(pair);
    const auto miss = miss_of(expectation, a, b, record.verdicts[p]);
    if (!miss) continue;
    ++concerned;
    if (miss->empty() || ++missing > shown) continue;
    which += (missing > 1 ? ", " : "") + fmt::format("{}-{}: {}", pair.first, pair.second, *miss);
  }
  const std::string expected = "expected " + text_of(expectation) + ": ";
  if (concerned == 0) return not_shown(expectation, record, expected + "not shown");
  if (missing == 0) return std::nullopt;
  return comm::ErrorText{fmt::format("{}missed by {} of {} pairs", expected, missing, concerned),
                         which + (missing > shown ? ", ..." : ""),
                         "see the problems listed above and docs/gpudirect.md"};
}

}  // namespace halotherm::app
