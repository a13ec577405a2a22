// SPDX-License-Identifier: MIT
#include "app/probe/message_groups.hpp"
#include "app/probe/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace halotherm::app {

namespace {

std::string list_text(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text.empty() ? "?" : text;
}

std::string rate_text(const std::optional<double>& bandwidth) {
  return bandwidth ? fmt::format("{:.4g}", 1e-9 * *bandwidth) : "-";
}

std::string time_text(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.1f} us", 1e6 * seconds)
                        : fmt::format("{:.2f} ms", 1e3 * seconds);
}

std::string pair_text(const ProbePair& pair) {
  return fmt::format("{}-{}", pair.first, pair.second);
}

std::string rank_line(std::size_t number, const ProbeRank& r) {
  const auto numa = (r.device_numa_node ? std::to_string(*r.device_numa_node) : "-") + " / " +
                    list_text(r.node.numa_nodes);
  return fmt::format("{:4}  {:<16}  {:<12}  {:>9}  {:>9}  ", number, r.host, numa,
                     rate_text(r.links.nvlink_rate), rate_text(r.links.pcie_rate)) +
         r.device + (r.links.partitioned ? " (MIG)" : "") +
         (r.shared ? " (shared by several ranks)" : "") + "\n";
}

std::string node_text(const ProbeRank& r) {
  const auto& node = r.node;
  std::string text = node.active_ports > 0
                         ? fmt::format("{} RDMA ports up, {} GB/s each way", node.active_ports,
                                       rate_text(node.adapter_rate))
                         : std::string("no RDMA port up");
  text += node.verbs ? ", /dev/infiniband usable" : ", no adapter in /dev/infiniband";
  if (node.other_fabric) text += ", another fabric (Slingshot or Omni-Path)";
  if (!r.gpu)
    return text + (node.nvidia_gpus > 0
                       ? fmt::format(", {} NVIDIA GPUs, not used", node.nvidia_gpus)
                       : "");
  return text + (node.peermem ? ", nvidia_peermem" : ", no nvidia_peermem") +
         (node.dmabuf() ? ", dma-buf" : ", no dma-buf") +
         (node.gdrdrv ? ", gdrdrv" : ", no gdrdrv") + (node.mps ? ", MPS" : "") +
         fmt::format(", {} visible GPUs a rank", r.links.visible_devices);
}

std::string environment_text(const ProbeRank& r) {
  std::string text;
  for (const auto& [name, value] : r.environment)
    text.append(text.empty() ? "" : " ").append(name).append("=").append(value);
  return text.empty() ? "nothing that chooses transports or devices" : text;
}

std::string mpi_text(const ProbeMpi& mpi, bool gpus) {
  if (!gpus) return mpi.library;
  if (!mpi.unavailable.empty())
    return mpi.library + ", takes no device pointers (" + mpi.unavailable + ")";
  return mpi.library + ", takes device pointers";
}

/// "what         text (names)", the first column on the first line only.
std::string section(const char* title, const Grouped& grouped) {
  std::string text;
  for (const auto& group : grouped.groups()) {
    text += fmt::format("{:<15}", text.empty() ? title : "") + group.text + " (" +
            group.shown_names() + ")\n";
  }
  return text;
}

/// GB/s of each pair's widest transport.
std::string matrix(const ProbeRecord& r) {
  constexpr std::size_t most = 16;
  const auto ranks = std::min(r.ranks.size(), most);
  std::vector<std::string> cells(ranks * ranks, ".");
  for (std::size_t p = 0; p < r.pairs.size(); ++p) {
    const auto a = static_cast<std::size_t>(r.pairs[p].first);
    const auto b = static_cast<std::size_t>(r.pairs[p].second);
    const auto& v = r.verdicts[p];
    const auto cell = fmt::format("{:.3g}", 1e-9 * v.bandwidth) + (v.through_host ? "h" : "");
    if (a < ranks && b < ranks) cells[a * ranks + b] = cells[b * ranks + a] = cell;
  }
  const bool some_through_host = std::ranges::any_of(r.verdicts, &PairVerdict::through_host);
  std::string text = "GB/s, both directions together";
  text += some_through_host ? " (h: from GPU to GPU through the hosts' memories)" : "";
  text += r.ranks.size() > most ? fmt::format(", ranks 0 to {}", most - 1) : "";
  text += "\n    ";
  for (std::size_t b = 0; b < ranks; ++b) text += fmt::format(" {:6}", b);
  for (std::size_t a = 0; a < ranks; ++a) {
    text += fmt::format("\n{:4}", a);
    for (std::size_t b = 0; b < ranks; ++b)
      text += fmt::format(" {:>6}", a == b ? "-" : cells[a * ranks + b]);
  }
  return text + "\n";
}

std::string pair_line(const ProbePair& pair, const PairVerdict& v) {
  std::string text = fmt::format("{:<9}  {:<20}  ", pair_text(pair), std::string(name_of(v.path)));
  if (!v.best) return text + "no transport works\n";
  const auto widest = std::string(name_of(*v.widest)) + (v.through_host ? " (host)" : "");
  text += fmt::format("{:<7}  {:>10}  {:>9}  {:<13}  ", std::string(name_of(*v.best)),
                      time_text(v.latency), rate_text(v.bandwidth), widest);
  const auto& plain = pair.one_way.back();  // of device memory, where that is possible
  text += fmt::format("{:>9}  {:>9}  ", time_text(plain.latency), rate_text(plain.bandwidth));
  text += v.expected ? fmt::format("{:3.0f} % of {:.4g}, ", 100 * *v.fraction(),
                                   1e-9 * v.expected->bandwidth) +
                           v.expected->source
                     : "not known";
  return text + (v.correct ? "" : "  WRONG BYTES") + (v.problems.empty() ? "" : "  see below") +
         "\n";
}

std::string pair_table(const ProbeRecord& r) {
  std::string text =
      "pair       path                  best      both ways       GB/s  by               one way   "
      "    GB/s  expected both ways\n";
  for (std::size_t p = 0; p < r.pairs.size(); ++p) text += pair_line(r.pairs[p], r.verdicts[p]);
  if (r.pairs_left_out > 0)
    text += fmt::format("{} more pairs were left out (--pairs)\n", r.pairs_left_out);
  return text;
}

std::string size_text(std::int64_t bytes) {
  if (bytes >= 1 << 20) return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / (1 << 20));
  return bytes >= 1 << 10 ? fmt::format("{:.4g} KiB", static_cast<double>(bytes) / (1 << 10))
                          : fmt::format("{} B", static_cast<int>(bytes));
}

/// Every transport at every size: a line each.
std::string sizes_of(const ProbeRecord& r, const ProbePair& pair, Path path) {
  const auto& a = r.ranks[static_cast<std::size_t>(pair.first)];
  const auto& b = r.ranks[static_cast<std::size_t>(pair.second)];
  std::string text = "ranks " + pair_text(pair) + ", " + std::string(name_of(path)) + "\n";
  for (const auto& e : pair.exchanges) {
    const auto kind = std::string(name_of(e.kind)) +
                      (both_on_gpus(a, b) && through_host(a, b, e.kind) ? " (host)" : "");
    text += fmt::format("  {:<13}  {:>8}  ", kind, size_text(e.bytes));
    text += e.works() ? fmt::format("{:>10}  {:>9} GB/s\n", time_text(e.seconds),
                                    rate_text(e.bandwidth()))
                      : e.unavailable.text + "\n";
  }
  return text;
}

/// Of the first pair of each path.
std::string examples(const ProbeRecord& r) {
  std::string text;
  std::set<Path> shown;
  for (std::size_t p = 0; p < r.pairs.size(); ++p) {
    if (shown.insert(r.verdicts[p].path).second)
      text += sizes_of(r, r.pairs[p], r.verdicts[p].path);
  }
  return text;
}

/// All problems, each once.
Grouped all_problems(const ProbeRecord& r) {
  Grouped problems;
  const auto text_of = [](const ProbeProblem& problem) {
    return problem.what + "\n               " + problem.remedy;
  };
  for (std::size_t rank = 0; rank < r.ranks.size(); ++rank) {
    for (const auto& problem : problems_of(r.ranks[rank]))
      problems.add(text_of(problem), "rank " + std::to_string(rank));
  }
  for (std::size_t p = 0; p < r.pairs.size(); ++p) {
    for (const auto& problem : r.verdicts[p].problems)
      problems.add(text_of(problem), pair_text(r.pairs[p]));
  }
  return problems;
}

std::string problem_lines(const Grouped& problems) {
  std::string text;
  for (const auto& group : problems.groups())
    text += "problem        " + group.shown_names() + ": " + group.text + "\n";
  return text;
}

std::string verdict_line(const ProbeRecord& r, std::size_t problems) {
  if (r.pairs.empty())
    return "verdict        no pair to measure: one rank alone; start 2 or more with mpirun or srun";
  const auto wrong = std::ranges::count(r.verdicts, false, &PairVerdict::correct);
  std::string text = fmt::format("verdict        {} pairs measured, ", r.pairs.size());
  text +=
      wrong > 0 ? fmt::format("{} with WRONG BYTES, ", wrong) : std::string("every byte right, ");
  return text + (problems == 0 ? std::string("no problem found")
                               : fmt::format("{} kinds of problems", problems));
}

}  // namespace

std::string probe_heading(const ProbeRecord& r) {
  Grouped nodes;
  Grouped environments;
  for (std::size_t rank = 0; rank < r.ranks.size(); ++rank) {
    nodes.add(node_text(r.ranks[rank]), r.ranks[rank].host);
    environments.add(environment_text(r.ranks[rank]), "rank " + std::to_string(rank));
  }
  std::string text = "mpi            " + mpi_text(r.mpi, r.ranks.front().gpu) + "\n";
  text += section("nodes", nodes) + section("environment", environments);
  text += "\nrank  host              NUMA dev/cpu  NVLink GB/s  PCIe GB/s  device\n";
  for (std::size_t rank = 0; rank < r.ranks.size(); ++rank) text += rank_line(rank, r.ranks[rank]);
  return text;
}

std::string probe_results(const ProbeRecord& r) {
  const auto problems = all_problems(r);
  std::string text;
  if (r.self_copy > 0)
    text +=
        "self copy      " + rate_text(r.self_copy) + " GB/s read and written within the device\n";
  if (!r.pairs.empty()) text += matrix(r) + "\n" + pair_table(r) + "\n" + examples(r) + "\n";
  return text + problem_lines(problems) + verdict_line(r, problems.groups().size());
}

}  // namespace halotherm::app
