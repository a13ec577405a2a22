// SPDX-License-Identifier: MIT
#include "app/problem/region_census.hpp"

#include "app/domain/exact_sums.hpp"
#include "app/problem/contacts.hpp"
#include "app/problem/region_sampler.hpp"
#include "app/problem/void_cells.hpp"
#include "comm/mpi/error.hpp"
#include "comm/partition/contiguous_parts.hpp"
#include "comm/system/best_time.hpp"
#include "solver/diagnostics/exact_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace halotherm::app {

namespace {

constexpr std::int64_t piece_cells = 1 << 20;  ///< that are counted at once

double value_at(const solver::Coefficient& coefficient, std::size_t n) {
  const auto* number = std::get_if<double>(&coefficient);
  return number ? *number : std::get<std::vector<double>>(coefficient)[n];
}

/// Volumes of cells on an uneven grid, added up so that the sums do not depend on the partition.
class Volumes {
 public:
  Volumes(const solver::Grid& grid, std::size_t regions)
      : unit_(grid.largest_volume()), even_(grid.even()), sums_(2 * regions) {
    for (int axis = 0; axis < 3 && !even_; ++axis)
      along_[static_cast<std::size_t>(axis)] = grid.shares(axis);
  }

  /// The volume of a cell of the piece, in units of the largest one's.
  double share(const comm::Box& piece, std::size_t cell) const {
    if (even_) return 1;
    const auto row = static_cast<std::size_t>(piece.extent(0)),
               plane = row * static_cast<std::size_t>(piece.extent(1));
    const auto at = [&](std::size_t axis, std::size_t index) {
      return along_[axis][static_cast<std::size_t>(piece.lower[axis]) + index];
    };
    return at(0, cell % row) * at(1, cell % plane / row) * at(2, cell / plane);
  }
  void add_cell(std::size_t region, double share) { add(2 * region, share); }
  void add_heated(std::size_t region, double share) { add(2 * region + 1, share); }

  /// Collective. Sets the volumes of regions whose cells are counted already.
  void combine(const comm::Communicator& world, std::vector<RegionCount>& regions) {
    if (!even_) sum_over_ranks(world, sums_);
    const auto volume = [&](std::size_t sum, std::int64_t cells) {
      return unit_ * (even_ ? static_cast<double>(cells) : sums_[sum].value(scale));
    };
    for (std::size_t n = 0; n < regions.size(); ++n) {
      regions[n].volume = volume(2 * n, regions[n].cells);
      regions[n].heated_volume = volume(2 * n + 1, regions[n].heated);
    }
  }
  double unit() const { return unit_; }

 private:
  static inline const solver::SumScale scale{1};  // of shares, up to 1

  void add(std::size_t sum, double share) {
    if (even_) return;
    double chunks[solver::SumScale::chunks] = {0, 0, 0};
    solver::add_to_chunks(chunks, share, scale);
    sums_[sum].add_chunks(chunks, scale);
  }

  double unit_;  ///< the largest cell's [m³]
  bool even_;
  std::array<std::vector<double>, 3> along_;
  std::vector<solver::ExactSum> sums_;
};

RegionCensus empty_census(const Config& config) {
  RegionCensus census;
  for (std::size_t n = 0; n < config.regions.size(); ++n) {
    const auto& region = config.regions[n];
    census.regions.push_back({.name = region.name.empty() ? region_key(n) : region.name,
                              .material = region.labels ? "labels" : region.material});
  }
  return census;
}

/// Adds the cells of this rank's piece, and their values if the sampler is given.
void add(const FieldSampler& sampler, const Config& config, const comm::Box& piece, bool mine,
         bool values, RegionCensus& census, Volumes& volumes) {
  RegionSampler regions(sampler, config, piece, piece);
  solver::Coefficient density = 0.0, source = 0.0;
  if (values) {
    density = regions.density();
    source = regions.source();
  }
  if (!mine) return;
  const auto cells = static_cast<std::size_t>(piece.size());
  const bool shapes = has_shapes(config);
  const auto owner = [&](const Owners& owners, std::size_t cell) {
    return owners[shapes ? cell : 0];
  };
  for (std::size_t n = 0; n < census.regions.size(); ++n)
    census.regions[n].inside += shapes ? regions.inside()[n] : piece.size();
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const auto of_material = owner(regions.regions(), cell),
               of_source = owner(regions.source_regions(), cell);
    const bool is_void = owner(*regions.materials(), cell) == void_owner;
    if (!is_void) ++census.body_cells;
    const double share = volumes.share(piece, cell);
    if (of_material != no_owner) {
      ++census.regions[of_material].cells;
      if (!is_void) census.regions[of_material].mass += share * value_at(density, cell);
      volumes.add_cell(of_material, share);
    }
    if (of_source != no_owner) {
      ++census.regions[of_source].heated;
      census.regions[of_source].power += share * value_at(source, cell);
      volumes.add_heated(of_source, share);
    }
  }
}

/// Collective. Combines the ranks' counts, and turns sums over cells into integrals.
void combine(const comm::Communicator& world, Volumes& volumes, RegionCensus& census) {
  const auto total = [&](double mine) {
    const auto of_ranks = world.gather(mine);
    return std::accumulate(of_ranks.begin(), of_ranks.end(), 0.0);
  };
  census.body_cells = world.sum(census.body_cells);
  for (auto& count : census.regions) {
    for (auto* cells : {&count.inside, &count.cells, &count.heated}) *cells = world.sum(*cells);
    for (auto* sum : {&count.mass, &count.power}) *sum = total(*sum) * volumes.unit();
  }
  volumes.combine(world, census.regions);
  for (auto& count : census.regions) {
    if (!count.material.empty()) continue;
    count.cells = count.heated;
    count.volume = count.heated_volume;
  }
}

void refuse(const std::string& key, const comm::ErrorText& text) {
  throw comm::CollectiveError(comm::ExitCode::usage,
                              {key + ": " + text.problem, text.reason, text.remedy});
}

/// A power over the volume that it heats.
Quantity density_of(const Quantity& power, double volume) {
  if (const auto* formula = std::get_if<Formula>(&power))
    return Formula{fmt::format("({})/{}", formula->text, io::to_text(volume))};
  if (const auto* number = std::get_if<double>(&power)) return *number / volume;
  auto table = std::get<Table>(power);
  for (auto& point : table.points) point[1] /= volume;
  return table;
}

}  // namespace

RegionCensus count_regions(const FieldSampler& sampler, const Config& config,
                           const comm::Box& owned, double budget, bool values) {
  auto census = empty_census(config);
  const comm::ContiguousParts pieces(owned, piece_cells);
  const auto count = pieces.count();
  Volumes volumes(sampler.grid, config.regions.size());
  const comm::Stopwatch stopwatch;
  std::int64_t counted = 0;
  for (std::int64_t n = 0; n < sampler.world.max(count); ++n) {
    const auto piece = pieces[std::min(n, count - 1)];
    add(sampler, config, piece, n < count, values, census, volumes);
    if (n < count) counted += piece.size();
    if (sampler.world.max(stopwatch.seconds()) > budget) break;
  }
  census.counted = static_cast<double>(sampler.world.sum(counted)) /
                   static_cast<double>(sampler.grid.cell_count());
  combine(sampler.world, volumes, census);
  return census;
}

Config with_source_densities(const FieldSampler& sampler, const Config& config,
                             const comm::Box& owned, double budget) {
  refuse_contacts_apart(sampler, config, owned, budget);
  const bool powers = std::ranges::any_of(
      config.regions, [](const auto& region) { return region.power.has_value(); });
  if (!has_shapes(config) && !powers) return config;
  const auto census = count_regions(sampler, config, owned, budget, false);
  if (config.has_void()) {
    if (census.body_cells == 0 && census.counted == 1)
      refuse("regions", {"leave no cell of the body", "all cells are void",
                         "make the regions of void smaller, or change their order"});
    refuse_void_sensors(sampler, config);
  }
  Config result = config;
  for (std::size_t n = 0; n < config.regions.size(); ++n) {
    auto& region = result.regions[n];
    const auto& count = census.regions[n];
    const auto key = region_key(n);
    if (count.inside == 0 && census.counted == 1) {
      refuse(key, {"has no cell", "no cell's centre is inside",
                   "move or enlarge it, or take smaller cells"});
    }
    const bool heats_nothing = count.heated == 0 && census.counted == 1;
    if (heats_nothing && config.has_void() && (region.source || region.power))
      refuse(key, {"heats no cell", "void cells or later regions cover it",
                   "move it, or change their order"});
    if (!region.power) continue;
    if (heats_nothing)
      refuse(key, {"has a power and no cell", "later regions cover it", "change their order"});
    const double heated = count.heated > 0 ? count.heated_volume : sampler.grid.largest_volume();
    region.source = density_of(*region.power, heated / census.counted);
    region.power.reset();
  }
  return result;
}

std::string to_string(const RegionCensus& census) {
  if (census.regions.empty()) return "";
  auto text = fmt::format("{:<15}{:<20} {:<12} {:>12} {:>11} {:>11} {:>11}\n", "regions", "name",
                          "material", "cells", "m3", "kg", "W");
  for (const auto& count : census.regions) {
    const bool no_mass = count.material.empty() || count.material == void_material;
    const auto mass = no_mass ? "" : fmt::format("{:.5g}", count.mass);
    text += fmt::format("{:<15}{:<20} {:<12} {:>12} {:>11.5g} {:>11} {:>11.5g}\n", "", count.name,
                        count.material.empty() ? "-" : count.material, count.cells, count.volume,
                        mass, count.power);
  }
  if (census.counted < 1)
    text += fmt::format("               of {:.0f} % of the cells\n", 100 * census.counted);
  return text;
}

}  // namespace halotherm::app
