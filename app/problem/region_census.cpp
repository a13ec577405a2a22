// SPDX-License-Identifier: MIT
#include "app/problem/region_census.hpp"

#include "app/problem/region_sampler.hpp"
#include "app/problem/void_cells.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/best_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace halotherm::app {

namespace {

constexpr std::int64_t piece_cells = 1 << 20;  ///< that are counted at once

double value_at(const solver::Coefficient& coefficient, std::size_t n) {
  const auto* number = std::get_if<double>(&coefficient);
  return number ? *number : std::get<std::vector<double>>(coefficient)[n];
}

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
         bool values, RegionCensus& census) {
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
    if (of_material != no_owner) {
      ++census.regions[of_material].cells;
      if (!is_void) census.regions[of_material].mass += value_at(density, cell);
    }
    if (of_source != no_owner) {
      ++census.regions[of_source].heated;
      census.regions[of_source].power += value_at(source, cell);
    }
  }
}

/// Collective. Combines the ranks' counts, and turns sums over cells into integrals.
void combine(const comm::Communicator& world, double cell_volume, RegionCensus& census) {
  const auto total = [&](double mine) {
    const auto of_ranks = world.gather(mine);
    return std::accumulate(of_ranks.begin(), of_ranks.end(), 0.0);
  };
  census.body_cells = world.sum(census.body_cells);
  for (auto& count : census.regions) {
    for (auto* cells : {&count.inside, &count.cells, &count.heated}) *cells = world.sum(*cells);
    for (auto* sum : {&count.mass, &count.power}) *sum = total(*sum) * cell_volume;
    if (count.material.empty()) count.cells = count.heated;
    count.volume = static_cast<double>(count.cells) * cell_volume;
  }
}

void refuse(const std::string& key, const comm::ErrorText& text) {
  throw comm::CollectiveError(comm::ExitCode::usage,
                              {key + ": " + text.problem, text.reason, text.remedy});
}

}  // namespace

RegionCensus count_regions(const FieldSampler& sampler, const Config& config,
                           const comm::Box& owned, double budget, bool values) {
  auto census = empty_census(config);
  const auto pieces = comm::contiguous_parts(owned, piece_cells);
  const auto count = static_cast<std::int64_t>(pieces.size());
  const comm::Stopwatch stopwatch;
  std::int64_t counted = 0;
  for (std::int64_t n = 0; n < sampler.world.max(count); ++n) {
    const auto& piece = pieces[static_cast<std::size_t>(std::min(n, count - 1))];
    add(sampler, config, piece, n < count, values, census);
    if (n < count) counted += piece.size();
    if (sampler.world.max(stopwatch.seconds()) > budget) break;
  }
  census.counted = static_cast<double>(sampler.world.sum(counted)) /
                   static_cast<double>(sampler.grid.cell_count());
  combine(sampler.world, sampler.grid.cell_volume(), census);
  return census;
}

Config with_source_densities(const FieldSampler& sampler, const Config& config,
                             const comm::Box& owned, double budget) {
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
    const double volume = static_cast<double>(std::max<std::int64_t>(count.heated, 1)) *
                          sampler.grid.cell_volume() / census.counted;
    region.source = *region.power / volume;
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
