// SPDX-License-Identifier: MIT
#include "comm/partition/balance.hpp"

#include <algorithm>
#include <numeric>

namespace halotherm::comm {

namespace {

/// The time [s] that the slowest rank takes for one plane of its cells, for each position of a
/// block along the axis.
std::vector<double> plane_times(const Partition& partition, const std::vector<double>& speeds,
                                int axis) {
  std::vector<double> times(static_cast<std::size_t>(partition.dims()[axis]), 0.0);
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    const auto owned = partition.owned(rank);
    const auto cells = static_cast<double>(owned.size()) / owned.extent(axis);
    auto& slowest = times[static_cast<std::size_t>(partition.coordinates(rank)[axis])];
    slowest = std::max(slowest, cells / speeds[static_cast<std::size_t>(rank)]);
  }
  return times;
}

/// Divides `cells` into integers of at least `thinnest` such that the largest extent * time is
/// least.
std::vector<int> shared(int cells, const std::vector<double>& times, int thinnest) {
  const auto extents_within = [&](double limit) {
    std::vector<int> extents;
    for (const double time : times) {
      const double most = std::min<double>(cells, limit / time);
      extents.push_back(std::max(thinnest, static_cast<int>(most)));
    }
    return extents;
  };
  double within = 0, beyond = cells * std::ranges::max(times);
  for (int halving = 0; halving < 100; ++halving) {
    const double middle = 0.5 * (within + beyond);
    const auto extents = extents_within(middle);
    const auto sum = std::accumulate(extents.begin(), extents.end(), std::int64_t{0});
    (sum <= cells ? within : beyond) = middle;
  }
  auto extents = extents_within(within);
  for (auto left = cells - std::accumulate(extents.begin(), extents.end(), 0); left > 0; --left) {
    std::size_t next = 0;
    for (std::size_t n = 1; n < times.size(); ++n) {
      if ((extents[n] + 1) * times[n] < (extents[next] + 1) * times[next]) next = n;
    }
    ++extents[next];
  }
  return extents;
}

}  // namespace

double imbalance(const Partition& partition, const std::vector<double>& speeds) {
  double slowest = 0;
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    const auto cells = static_cast<double>(partition.owned(rank).size());
    slowest = std::max(slowest, cells / speeds[static_cast<std::size_t>(rank)]);
  }
  const double together = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  return slowest * together / static_cast<double>(partition.global().size());
}

SplitPoints balanced_split_points(const Partition& partition, const std::vector<double>& speeds,
                                  int thinnest) {
  auto best = partition;
  for (bool gained = true; gained;) {
    gained = false;
    for (int axis = 0; axis < 3; ++axis) {
      if (!partition.is_split(axis)) continue;
      auto split_points = best.split_points();
      auto& along = split_points[static_cast<std::size_t>(axis)];
      const auto extents =
          shared(partition.cells()[axis], plane_times(best, speeds, axis), thinnest);
      std::partial_sum(extents.begin(), extents.end(), along.begin() + 1);
      const auto moved = best.between(split_points);
      if (imbalance(moved, speeds) >= imbalance(best, speeds)) continue;
      best = moved;
      gained = true;
    }
  }
  return best.split_points();
}

}  // namespace halotherm::comm
