// SPDX-License-Identifier: MIT
// The same line said once for all whom it concerns.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace halotherm::app {

/// Texts, each with the names of all whom it concerns, in the order of their first mention.
class Grouped {
 public:
  void add(const std::string& text, const std::string& name) {
    const auto same = std::ranges::find(groups_, text, &Group::text);
    if (same == groups_.end()) {
      groups_.push_back({text, {name}});
    } else if (std::ranges::count(same->names, name) == 0) {
      same->names.push_back(name);
    }
  }

  struct Group {
    std::string text;
    std::vector<std::string> names;

    std::string shown_names() const {
      constexpr std::size_t most = 6;
      std::string list;
      for (std::size_t n = 0; n < std::min(names.size(), most); ++n)
        list += (n > 0 ? ", " : "") + names[n];
      return names.size() > most ? list + fmt::format(" and {} more", names.size() - most) : list;
    }
  };
  const std::vector<Group>& groups() const { return groups_; }

 private:
  std::vector<Group> groups_;
};

}  // namespace halotherm::app
