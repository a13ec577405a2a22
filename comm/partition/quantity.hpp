// SPDX-License-Identifier: MIT
// What a field holds: its name, unit and description.
#pragma once

#include <string>

namespace halotherm::comm {

/// The quantity of a field. Files name their data sets by `name`.
struct Quantity {
  std::string name;         ///< letters, digits and underscores: "T"
  std::string unit;         ///< "K"
  std::string description;  ///< "temperature"

  bool operator==(const Quantity&) const = default;
};

inline const Quantity temperature{"T", "K", "temperature"};

}  // namespace halotherm::comm
