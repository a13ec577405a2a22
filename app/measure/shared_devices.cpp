// SPDX-License-Identifier: MIT
#include "app/measure/shared_devices.hpp"

#include <map>
#include <utility>

namespace halotherm::app {

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
