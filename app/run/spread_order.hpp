// SPDX-License-Identifier: MIT
// The order in which parts of a grid are looked at while time allows.
#pragma once

#include <cstdint>
#include <optional>

namespace halotherm::app {

/// The numbers below `count`, each once, in an order that comes everywhere soon: 0, 1/2, 1/4, 3/4,
/// 1/8, ... of the way. They are not listed, so there may be 2^40.
class SpreadOrder {
 public:
  explicit SpreadOrder(std::int64_t count) : count_(count) {}

  /// None after the last one.
  std::optional<std::int64_t> next() {
    while (true) {
      if (part_ >= parts_) {
        if (parts_ >= count_) return std::nullopt;
        parts_ *= 2;
        part_ = 1;
      }
      const auto part = part_;
      part_ += 2;
      // places of even parts were given before; the last parts may be smaller than a place
      if (place(part) != place(part - 1) && place(part) != place(part + 1)) return place(part);
    }
  }

 private:
  /// Of the first one before it: −1, so that it counts as new.
  std::int64_t place(std::int64_t part) const { return part < 0 ? -1 : count_ * part / parts_; }

  std::int64_t count_;
  std::int64_t parts_ = 1;
  std::int64_t part_ = 0;
};

}  // namespace halotherm::app
