// SPDX-License-Identifier: MIT
#include "app/measure/oversubscription.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace halotherm::app {

namespace {

bool within(const std::vector<int>& few, const std::set<int>& many) {
  return std::ranges::all_of(few, [&](int cpu) { return many.contains(cpu); });
}

double ranks_on_device(const std::vector<RankCores>& ranks, const RankCores& one) {
  return static_cast<double>(std::ranges::count_if(
      ranks, [&](const auto& r) { return r.host == one.host && r.device == one.device; }));
}

/// Threads of the host's ranks that may run on these cores only, a core.
double threads_a_core(const std::vector<RankCores>& ranks, const std::string& host,
                      const std::set<int>& cpus) {
  int threads = 0;
  for (const auto& rank : ranks) {
    if (rank.host == host && rank.device.empty() && within(rank.cpus, cpus))
      threads += rank.threads;
  }
  return static_cast<double>(threads) / static_cast<double>(cpus.size());
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
  std::vector<double> result;
  for (const auto& one : ranks) {
    if (!one.device.empty() || one.cpus.empty()) {
      result.push_back(one.device.empty() ? 1 : ranks_on_device(ranks, one));
      continue;
    }
    // the worst of its own cores and of all cores of ranks that overlap with it
    const std::set<int> own(one.cpus.begin(), one.cpus.end());
    auto together = own;
    for (const auto& other : ranks) {
      const bool meets = other.host == one.host && std::ranges::any_of(other.cpus, [&](int cpu) {
                           return own.contains(cpu);
                         });
      if (meets) together.insert(other.cpus.begin(), other.cpus.end());
    }
    result.push_back(std::max(
        {1.0, threads_a_core(ranks, one.host, own), threads_a_core(ranks, one.host, together)}));
  }
  return result;
}

std::string shared_devices_text(const std::vector<comm::Place>& places) {
  std::map<std::pair<std::string, std::string>, std::string> ranks_of;  // by host and device
  for (const auto& place : places) {
    if (!place.shared) continue;
    auto& ranks = ranks_of[{place.host, place.device}];
    ranks += (ranks.empty() ? "" : ", ") + std::to_string(place.rank);
  }
  std::string text;
  for (const auto& [where, ranks] : ranks_of) {
    text += (text.empty() ? "" : "; ") +
            ("ranks " + ranks + " share " + where.second + " of " + where.first);
  }
  if (text.empty()) return "";
  return text +
         ": it works for one of them at a time, in slices of milliseconds, and every exchange "
         "waits for them, so that a run takes "
         "several times as long as on one rank a device; start as many ranks as there are devices, "
         "or NVIDIA's MPS";
}

}  // namespace halotherm::app
