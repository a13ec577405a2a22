// SPDX-License-Identifier: MIT
#include "app/scale/rank_counts.hpp"

#include "app/problem/region_quantities.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/error_text.hpp"
#include "io/text/message_text.hpp"
#include "io/text/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace halotherm::app {

namespace {

constexpr int most_cells = 1 << 30;  // along an axis, as in configurations

[[noreturn]] void refuse(const comm::ErrorText& text) {
  throw comm::Error(comm::ExitCode::usage, text);
}

}  // namespace

std::vector<int> parse_counts(const std::string& text) {
  std::vector<int> counts;
  for (const auto& part : io::split(text, ',')) {
    const auto count = io::parse_whole_number(part);
    const bool good = count && *count >= 1 && *count <= most_cells;
    if (!good || std::ranges::count(counts, static_cast<int>(*count)) > 0) {
      refuse({"halotherm scale: --ranks is '" + comm::shortened(text, 60) + "'",
              "must be whole numbers from 1 on, each once, with commas between them",
              "give them as in 1,2,4"});
    }
    counts.push_back(static_cast<int>(*count));
  }
  std::ranges::sort(counts);
  return counts;
}

std::vector<int> usual_rank_counts(int size) {
  std::vector<int> counts;
  for (std::int64_t count = 1; count < size; count *= 2) counts.push_back(static_cast<int>(count));
  counts.push_back(size);
  return counts;
}

comm::Int3 growth(int dimensions, int ranks) {
  comm::Int3 best{1, 1, ranks};  // ascending
  for (int x = 1; std::int64_t{x} * x * x <= (dimensions == 3 ? ranks : 1); ++x) {
    if (ranks % x != 0) continue;
    for (int y = x; dimensions > 1 && y * y <= ranks / x; ++y) {
      if (ranks / x % y != 0) continue;
      const int z = ranks / x / y;
      if (x + y + z < best[0] + best[1] + best[2]) best = {x, y, z};
    }
  }
  comm::Int3 blocks{1, 1, 1};
  for (int axis = 0; axis < dimensions; ++axis) blocks[axis] = best[3 - dimensions + axis];
  return blocks;
}

Config config_for(ScaleKind kind, const Config& config, int ranks) {
  if (config.parallel.ranks || config.parallel.split_points)
    refuse({fmt::format("parallel.{}: is given", config.parallel.ranks ? "ranks" : "split_points"),
            "a study partitions the grid for each number of ranks", "set it to auto"});
  if (kind == ScaleKind::strong) return config;
  for (const auto& [key, quantity] : quantities_on_cells(config)) {
    if (std::holds_alternative<FileDataset>(quantity))
      refuse({key + ": is a file", "a weak study needs it on grids of several sizes",
              "give a number or a formula, or take --strong"});
  }
  if (!config.grid.even())
    refuse({"grid: has cells of different widths", "a weak study repeats equal cells",
            "give cells, lower and upper, or take --strong"});
  Config grown = config;
  const auto dims = growth(config.dimensions(), ranks);
  grown.parallel.ranks = {dims[0], dims[1], dims[2]};
  for (std::size_t axis = 0; axis < config.grid.cells.size(); ++axis) {
    const auto cells = std::int64_t{config.grid.cells[axis]} * dims[axis];
    if (cells > most_cells)
      refuse({fmt::format("grid.cells: {} cells along an axis on {} ranks", cells, ranks),
              fmt::format("at most {} are possible", most_cells), "give fewer cells per rank"});
    grown.grid.cells[axis] = static_cast<int>(cells);
    grown.grid.upper[axis] =
        config.grid.lower[axis] + dims[axis] * (config.grid.upper[axis] - config.grid.lower[axis]);
  }
  return grown;
}

std::vector<int> shuffled_order(std::size_t counts, int repeats, std::uint64_t seed) {
  std::vector<int> order;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (std::size_t place = 0; place < counts; ++place) order.push_back(static_cast<int>(place));
  }
  // not std::shuffle, whose order depends on the library
  std::mt19937_64 random(seed);
  for (std::size_t last = order.size(); last > 1; --last)
    std::swap(order[last - 1], order[random() % last]);
  return order;
}

}  // namespace halotherm::app
