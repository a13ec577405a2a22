// SPDX-License-Identifier: MIT
#include "app/measure/oversubscription.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace halotherm::app {

namespace {

/// Ranks of a host that may run on the same cores, or that have the same device.
struct Alike {
  std::set<int> cpus;
  std::vector<std::size_t> ranks;
  int threads = 0;
};

/// The ranks of a host, by their cores and devices.
using Host = std::map<std::pair<std::string, std::vector<int>>, Alike>;

std::map<std::string, Host> by_host(const std::vector<RankCores>& ranks) {
  std::map<std::string, Host> hosts;
  for (std::size_t n = 0; n < ranks.size(); ++n) {
    const auto& rank = ranks[n];
    const auto cpus = rank.device.empty() ? rank.cpus : std::vector<int>();
    auto& alike = hosts[rank.host][{rank.device, cpus}];
    if (alike.ranks.empty()) alike.cpus = {cpus.begin(), cpus.end()};
    alike.ranks.push_back(n);
    alike.threads += rank.threads;
  }
  return hosts;
}

/// Threads of the host's ranks that may run on these cores only, a core.
double threads_a_core(const Host& host, const std::set<int>& cpus) {
  int threads = 0;
  for (const auto& [key, alike] : host) {
    if (key.first.empty() && std::ranges::includes(cpus, alike.cpus)) threads += alike.threads;
  }
  return static_cast<double>(threads) / static_cast<double>(cpus.size());
}

/// The worst of a set of cores and of all cores of sets that overlap with it.
double threads_a_core_around(const Host& host, const std::set<int>& own) {
  auto together = own;
  for (const auto& [key, alike] : host) {
    const bool meets = key.first.empty() &&
                       std::ranges::any_of(alike.cpus, [&](int cpu) { return own.contains(cpu); });
    if (meets) together.insert(alike.cpus.begin(), alike.cpus.end());
  }
  return std::max({1.0, threads_a_core(host, own), threads_a_core(host, together)});
}

}  // namespace

std::string to_text(const RankCores& rank) {
  const nlohmann::json json{
      {"host", rank.host}, {"cpus", rank.cpus}, {"threads", rank.threads}, {"device", rank.device}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

RankCores rank_cores_from_text(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  return {json["host"], json["cpus"].get<std::vector<int>>(), json["threads"], json["device"]};
}

std::vector<double> oversubscription(const std::vector<RankCores>& ranks) {
  std::vector<double> result(ranks.size(), 1);
  for (const auto& [name, host] : by_host(ranks)) {
    for (const auto& [key, alike] : host) {
      const auto& [device, cpus] = key;
      if (device.empty() && cpus.empty()) continue;
      const double shared = device.empty() ? threads_a_core_around(host, alike.cpus)
                                           : static_cast<double>(alike.ranks.size());
      for (const auto rank : alike.ranks) result[rank] = shared;
    }
  }
  return result;
}

std::string shared_devices_text(const comm::Places& places) {
  constexpr std::size_t most_named = 4;
  std::map<std::pair<std::string, std::string>, std::string> ranks_of;  // by host and device
  for (int rank = 0; rank < places.ranks(); ++rank) {
    if (!places.shared(rank)) continue;
    auto& ranks = ranks_of[{places.host(rank), places.device(rank)}];
    ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
  }
  std::string text;
  std::size_t named = 0;
  for (const auto& [where, ranks] : ranks_of) {
    if (++named > most_named) break;
    text += (text.empty() ? "" : "; ") +
            ("ranks " + ranks + " share " + where.second + " of " + where.first);
  }
  if (ranks_of.size() > most_named)
    text += "; so do those of " + std::to_string(ranks_of.size() - most_named) + " more devices";
  if (text.empty()) return "";
  return text +
         ": it works for one of them at a time, in slices of milliseconds, and every exchange "
         "waits for them, so that a run takes "
         "several times as long as on one rank a device; start as many ranks as there are devices, "
         "or NVIDIA's MPS";
}

}  // namespace halotherm::app
