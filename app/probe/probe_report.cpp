// SPDX-License-Identifier: MIT
#include "app/probe/probe_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace halotherm::app {

namespace {

/// Texts in the order of their first mention, each with the names of all that it concerns.
using Groups = std::vector<std::pair<std::string, std::vector<std::string>>>;

void add(Groups& groups, const std::string& text, const std::string& name) {
  auto same = std::ranges::find(groups, text, &Groups::value_type::first);
  if (same == groups.end()) same = groups.insert(same, {text, {}});
  if (std::ranges::count(same->second, name) == 0) same->second.push_back(name);
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(std::span(names).first(most), ", "),
                     names.size() - most);
}

/// "title        text (names)", the title on the first line only.
std::string section(const char* title, const Groups& groups) {
  std::string text;
  for (const auto& [line, names] : groups)
    text += fmt::format("{:<15}{} ({})\n", text.empty() ? title : "", line, names_text(names));
  return text;
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

std::string transport_text(comm::TransportKind kind, bool by_host) {
  return fmt::format("{}{}", name_of(kind), by_host ? " (host)" : "");
}

std::string rank_line(std::size_t number, const ProbeRank& r) {
  const auto& nodes = r.node.numa_nodes;
  const auto numa =
      fmt::format("{} / {}", r.device_numa_node ? std::to_string(*r.device_numa_node) : "-",
                  nodes.empty() ? "?" : fmt::format("{}", fmt::join(nodes, ",")));
  return fmt::format("{:4}  {:<16}  {:<12}  {:>9}  {:>9}  {}{}{}\n", number, r.host, numa,
                     rate_text(r.links.nvlink_rate), rate_text(r.links.pcie_rate), r.device,
                     r.links.partitioned ? " (MIG)" : "",
                     r.shared ? " (shared by several ranks)" : "");
}

std::string node_text(const ProbeRank& r) {
  const auto& node = r.node;
  auto text = node.active_ports > 0 ? fmt::format("{} RDMA ports up, {} GB/s each way",
                                                  node.active_ports, rate_text(node.adapter_rate))
                                    : std::string("no RDMA port up");
  text += node.verbs ? ", /dev/infiniband usable" : ", no adapter in /dev/infiniband";
  if (node.other_fabric) text += ", another fabric (Slingshot or Omni-Path)";
  if (r.gpu) {
    return text + fmt::format(", {}nvidia_peermem, {}dma-buf, {}gdrdrv{}, {} visible GPUs a rank",
                              node.peermem ? "" : "no ", node.dmabuf() ? "" : "no ",
                              node.gdrdrv ? "" : "no ", node.mps ? ", MPS" : "",
                              r.links.visible_devices);
  }
  if (node.nvidia_gpus > 0) text += fmt::format(", {} NVIDIA GPUs, not used", node.nvidia_gpus);
  return text;
}

std::string environment_text(const ProbeRank& r) {
  std::string text;
  for (const auto& [name, value] : r.environment)
    text += (text.empty() ? "" : " ") + name + "=" + value;
  return text.empty() ? "nothing that chooses transports or devices" : text;
}

std::string mpi_text(const ProbeMpi& mpi, bool gpus) {
  if (!gpus) return mpi.library;
  if (mpi.unavailable.empty()) return mpi.library + ", takes device pointers";
  return mpi.library + ", takes no device pointers (" + mpi.unavailable + ")";
}

/// GB/s of each pair's widest transport.
std::string matrix(const ProbeRecord& r) {
  constexpr std::size_t most = 16;
  const auto ranks = std::min(r.ranks.size(), most);
  std::vector<std::string> cells(ranks * ranks, ".");
  for (std::size_t rank = 0; rank < ranks; ++rank) cells[rank * ranks + rank] = "-";
  for (std::size_t p = 0; p < r.pairs.size(); ++p) {
    const auto a = static_cast<std::size_t>(r.pairs[p].first);
    const auto b = static_cast<std::size_t>(r.pairs[p].second);
    const auto& v = r.verdicts[p];
    const auto cell = fmt::format("{:.3g}{}", 1e-9 * v.bandwidth, v.through_host ? "h" : "");
    if (a < ranks && b < ranks) cells[a * ranks + b] = cells[b * ranks + a] = cell;
  }
  std::string text = "GB/s, both directions together";
  if (std::ranges::any_of(r.verdicts, &PairVerdict::through_host))
    text += " (h: from GPU to GPU through the hosts' memories)";
  if (r.ranks.size() > most) text += fmt::format(", ranks 0 to {}", most - 1);
  text += "\n    ";
  for (std::size_t b = 0; b < ranks; ++b) text += fmt::format(" {:6}", b);
  for (std::size_t n = 0; n < cells.size(); ++n) {
    if (n % ranks == 0) text += fmt::format("\n{:4}", n / ranks);
    text += fmt::format(" {:>6}", cells[n]);
  }
  return text + "\n";
}

std::string pair_line(const ProbePair& pair, const PairVerdict& v) {
  const auto text = fmt::format("{:<9}  {:<20}  ", pair_text(pair), name_of(v.path));
  if (!v.best) return text + "no transport works\n";
  const auto& plain = pair.one_way.back();  // of device memory, where that is possible
  const auto expected = v.expected ? fmt::format("{:3.0f} % of {:.4g}, {}", 100 * *v.fraction(),
                                                 1e-9 * v.expected->bandwidth, v.expected->source)
                                   : "not known";
  return text + fmt::format("{:<7}  {:>10}  {:>9}  {:<13}  {:>9}  {:>9}  {}{}{}\n",
                            name_of(*v.best), time_text(v.latency), rate_text(v.bandwidth),
                            transport_text(*v.widest, v.through_host), time_text(plain.latency),
                            rate_text(plain.bandwidth), expected, v.correct ? "" : "  WRONG BYTES",
                            v.problems.empty() ? "" : "  see below");
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
  const auto number = static_cast<double>(bytes);
  if (bytes >= 1 << 20) return fmt::format("{:.4g} MiB", number / (1 << 20));
  return bytes >= 1 << 10 ? fmt::format("{:.4g} KiB", number / (1 << 10))
                          : fmt::format("{} B", bytes);
}

/// Every transport at every size, of the first pair of each path.
std::string examples(const ProbeRecord& r) {
  std::string text;
  std::set<Path> shown;
  for (std::size_t p = 0; p < r.pairs.size(); ++p) {
    const auto& pair = r.pairs[p];
    if (!shown.insert(r.verdicts[p].path).second) continue;
    const auto [a, b] = r.ranks_of(pair);
    text += fmt::format("ranks {}, {}\n", pair_text(pair), name_of(r.verdicts[p].path));
    for (const auto& e : pair.exchanges) {
      const bool by_host = both_on_gpus(a, b) && through_host(a, b, e.kind);
      text += fmt::format("  {:<13}  {:>8}  ", transport_text(e.kind, by_host), size_text(e.bytes));
      text += e.works() ? fmt::format("{:>10}  {:>9} GB/s\n", time_text(e.seconds),
                                      rate_text(e.bandwidth()))
                        : e.unavailable.text + "\n";
    }
  }
  return text;
}

Groups all_problems(const ProbeRecord& r) {
  Groups problems;
  const auto add_all = [&](const std::vector<ProbeProblem>& list, const std::string& name) {
    for (const auto& problem : list)
      add(problems, problem.what + "\n               " + problem.remedy, name);
  };
  for (std::size_t rank = 0; rank < r.ranks.size(); ++rank)
    add_all(problems_of(r.ranks[rank]), "rank " + std::to_string(rank));
  for (std::size_t p = 0; p < r.pairs.size(); ++p)
    add_all(r.verdicts[p].problems, pair_text(r.pairs[p]));
  return problems;
}

std::string verdict_line(const ProbeRecord& r, std::size_t problems) {
  if (r.pairs.empty())
    return "verdict        no pair to measure: one rank alone; start 2 or more with mpirun or srun";
  const auto wrong = std::ranges::count(r.verdicts, false, &PairVerdict::correct);
  return fmt::format(
      "verdict        {} pairs measured, {}, {}", r.pairs.size(),
      wrong > 0 ? fmt::format("{} with WRONG BYTES", wrong) : "every byte right",
      problems > 0 ? fmt::format("{} kinds of problems", problems) : "no problem found");
}

}  // namespace

std::string probe_heading(const ProbeRecord& r) {
  Groups nodes, environments;
  std::string ranks;
  for (std::size_t rank = 0; rank < r.ranks.size(); ++rank) {
    add(nodes, node_text(r.ranks[rank]), r.ranks[rank].host);
    add(environments, environment_text(r.ranks[rank]), "rank " + std::to_string(rank));
    ranks += rank_line(rank, r.ranks[rank]);
  }
  return "mpi            " + mpi_text(r.mpi, r.ranks.front().gpu) + "\n" + section("nodes", nodes) +
         section("environment", environments) +
         "\nrank  host              NUMA dev/cpu  NVLink GB/s  PCIe GB/s  device\n" + ranks;
}

std::string probe_results(const ProbeRecord& r) {
  std::string text;
  if (r.self_copy > 0)
    text = fmt::format("self copy      {} GB/s read and written within the device\n",
                       rate_text(r.self_copy));
  if (!r.pairs.empty()) text += matrix(r) + "\n" + pair_table(r) + "\n" + examples(r) + "\n";
  const auto problems = all_problems(r);
  for (const auto& [problem, names] : problems)
    text += fmt::format("problem        {}: {}\n", names_text(names), problem);
  return text + verdict_line(r, problems.size());
}

}  // namespace halotherm::app
