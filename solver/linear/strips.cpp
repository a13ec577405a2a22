// SPDX-License-Identifier: MIT
#include "solver/linear/strips.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::solver {

namespace {

int pieces(int cells, std::int64_t size) {
  return static_cast<int>((cells + size - 1) / size);
}

/// To its n-th part.
void divide(comm::Box& box, int axis, int n, int parts) {
  const std::int64_t lower = box.lower[axis], cells = box.extent(axis);
  box.lower[axis] = static_cast<int>(lower + cells * n / parts);
  box.upper[axis] = static_cast<int>(lower + cells * (n + 1) / parts);
}

/// The memory that this thread does not use at present.
std::vector<std::vector<float>>& kept_memory() {
  static thread_local std::vector<std::vector<float>> kept;
  return kept;
}

}  // namespace

ThreadFloats::ThreadFloats(std::size_t count) {
  auto& kept = kept_memory();
  if (!kept.empty()) {
    values_ = std::move(kept.back());
    kept.pop_back();
  }
  values_.assign(count, 0);
}

ThreadFloats::~ThreadFloats() {
  kept_memory().push_back(std::move(values_));
}

Strips::Strips(const comm::Box& box, std::int64_t bytes, int around, int threads) : box_(box) {
  constexpr std::int64_t cache = 1 << 19;  // bytes
  constexpr std::int64_t fewest_rows = 16;
  const auto rows = std::max(cache / bytes - 2 * around, fewest_rows);
  strips_ = pieces(box.extent(1), rows);
  layers_ = std::min(pieces(threads, strips_), box.extent(2));
}

comm::Box Strips::part(int n) const {
  auto part = box_;
  divide(part, 1, n % strips_, strips_);
  divide(part, 2, n / strips_, layers_);
  return part;
}

}  // namespace halotherm::solver
