// SPDX-License-Identifier: MIT
#include "app/parts/heat_paths.hpp"

#include "app/config/material_tables.hpp"
#include "app/domain/geometry.hpp"
#include "app/parts/part_sums.hpp"
#include "app/problem/region_census.hpp"
#include "comm/mpi/error.hpp"
#include "io/text/grid_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace halotherm::app {

namespace {

constexpr std::int64_t most_described = 4;  ///< parts

bool is_above_zero(const Quantity& quantity) {
  const auto* number = std::get_if<double>(&quantity);
  return number != nullptr && *number > 0;
}
bool is_zero(const Quantity& quantity) {
  return quantity == Quantity(0.0);
}

/// Whether the condition holds the temperature wherever it is, without a look at values.
bool surely_holds(const SurfaceConfig& surface) {
  return surface.temperature ||
         (surface.convection && is_above_zero(surface.convection->coefficient)) ||
         (surface.radiation && is_above_zero(surface.radiation->emissivity));
}

/// Whether `work` holds of the condition of some side, patch or void face.
template <class Work>
bool any_surface(const Config& config, const Work& work) {
  bool some = config.void_faces && work(*config.void_faces);
  for (int axis = 0; axis < config.dimensions(); ++axis) {
    for (const auto& side : config.sides[static_cast<std::size_t>(axis)])
      some = some || work(side) || std::ranges::any_of(side.patches, work);
  }
  return some;
}

/// Whether the configuration alone tells that each part of the body is held: without void cells
/// there is one, and with them each of several adjoins one.
bool all_surely_held(const Config& config) {
  const auto of_side = [](const SideConfig& side) {
    return !side.periodic && ((side.patches.empty() && surely_holds(side)) ||
                              std::ranges::any_of(side.patches, surely_holds));
  };
  bool some = false;
  for (int axis = 0; axis < config.dimensions(); ++axis)
    some = some || std::ranges::any_of(config.sides[static_cast<std::size_t>(axis)], of_side);
  return some && (!config.has_void() || (config.void_faces && surely_holds(*config.void_faces)));
}

bool heats(const RegionConfig& region) {
  return (region.source && !is_zero(*region.source)) || (region.power && !is_zero(*region.power));
}

bool may_be_heated(const Config& config) {
  return std::ranges::any_of(config.regions, heats) ||
         any_surface(config, [](const SurfaceConfig& surface) {
           return !surface.temperature && !is_zero(surface.flux);
         });
}

/// Whether the configuration alone tells that there is nothing to say. Sources that depend on the
/// temperature may take up what others make.
bool needs_no_scan(const Config& config) {
  const bool steady = config.time.integrator == solver::Method::steady;
  return all_surely_held(config) || sources_follow_temperature(config) ||
         (!steady && !may_be_heated(config));
}

/// Whether a face holds the temperature, or may at another time.
bool holds(const OuterFace& face) {
  if (face.values.is_fixed() || face.values.weight_changes()) return true;
  const auto flows = face.values.flows(face.point);
  return flows.coefficient > 0 || flows.emissivity > 0;
}

std::int64_t index_of(const solver::Grid& grid, const comm::Int3& cell) {
  return (std::int64_t{cell[2]} * grid.cells[1] + cell[1]) * grid.cells[0] + cell[0];
}

/// The facts of all labels, and which cells the block's messages send.
class Facts {
 public:
  Facts(const FieldSampler& sampler, const Config& config, const comm::HaloPlan& plan)
      : sampler_(sampler), config_(config), sent_(plan) {}

  void add(const BodyScan& scan, const PieceOfBody& piece) {
    const auto& sources = piece.regions.source_regions();
    piece.for_each([&](std::size_t n, std::size_t place, const comm::Int3& cell) {
      const int label = piece.labels[n];
      if (label == PartLabels::none) return;
      if (static_cast<std::size_t>(label) >= all.size())
        all.push_back({index_of(sampler_.grid, cell)});
      const auto region = sources[place];
      if (region != no_owner && heats(config_.regions[region])) at(label).heated = true;
    });
    scan.visit_faces(piece, [&](const OuterFace& face) {
      auto& facts = at(piece.labels[face.cell]);
      facts.held = facts.held || holds(face);
      if (!face.values.is_fixed())
        facts.heated =
            facts.heated || face.values.changes() || face.values.flows(face.point).flux != 0;
    });
    sent_.add(piece.box, piece.labels);
  }

  /// Collective. Makes the facts of all labels those of the whole parts; gives the first cells of
  /// the block's parts, as far as these are its own.
  std::vector<std::int64_t> merge(PartLabels& labels) {
    auto mine = all;
    merge_over_ranks(sampler_.world, sent_, labels, all);
    std::vector<std::int64_t> first;
    for (int label = 0; label < labels.count(); ++label) {
      const auto of_root = at(labels.root(label));
      at(label) = of_root;
      if (mine[static_cast<std::size_t>(label)].first == of_root.first)
        first.push_back(of_root.first);
    }
    return first;
  }

  std::vector<PartFacts> all;  ///< of each label

 private:
  PartFacts& at(int label) { return all[static_cast<std::size_t>(label)]; }

  const FieldSampler& sampler_;
  const Config& config_;
  SentLabels sent_;
};

/// Collective. The lowest of all ranks' numbers, at most `most`, in ascending order.
std::vector<std::int64_t> lowest(const comm::Communicator& world, std::vector<std::int64_t> mine,
                                 std::int64_t most) {
  std::ranges::sort(mine);
  std::vector<std::int64_t> result;
  auto next = mine.begin();
  while (std::ssize(result) < most) {
    const auto first = world.min(next == mine.end() ? io::no_index : *next);
    if (first == io::no_index) break;
    result.push_back(first);
    if (next != mine.end() && *next == first) ++next;
  }
  return result;
}

UnheldPart described(const Config& config, const solver::Grid& grid, std::int64_t first,
                     const PartSums& sums, bool whole) {
  UnheldPart part{
      io::cell_of(shape_of(grid), first), whole, sums.cells, sums.volume, {}, {}, sums.capacity};
  for (std::size_t n = 0; n < config.materials.size(); ++n) {
    if (sums.has_materials[n]) part.materials.push_back(config.materials[n].name);
  }
  if (sums.source != 0) part.flows.emplace_back("sources", sums.source);
  const auto names = surface_names(config);
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (sums.flux[n] != 0) part.flows.emplace_back(names[n], sums.flux[n]);
  }
  return part;
}

std::string flows_text(const UnheldPart& part) {
  std::string text;
  for (const auto& [name, power] : part.flows)
    text += fmt::format("{}{} {:.6g} W", text.empty() ? "" : ", ", name, power);
  return text;
}

/// "the body", or "the part of copper and steel from the cell ... on, 27 cells and 1.2e-06 m3".
std::string subject(const UnheldPart& part, const solver::Grid& grid) {
  if (part.whole) return "the body";
  std::string materials;
  for (const auto& name : part.materials)
    materials += (materials.empty() ? " of " : " and ") + name;
  return fmt::format("the part{} from {} on, {} cell{} and {:.4g} m3", materials,
                     io::place_text(shape_of(grid), part.cell), part.cells,
                     part.cells == 1 ? "" : "s", part.volume);
}

[[noreturn]] void refuse(const UnheldParts& unheld, const solver::Grid& grid) {
  const auto& part = unheld.parts.front();
  std::string reason =
      subject(part, grid) + " has no fixed temperature, no convection and no radiation; ";
  if (part.flows.empty()) {
    reason += "no heat flows into it, so any temperature is steady";
  } else if (part.balanced()) {
    reason += "the flows into it balance (" + flows_text(part) + "), so any level is steady";
  } else {
    reason += fmt::format("the flows into it, {}, add up to {:.6g} W, and no temperature is steady",
                          flows_text(part), part.power());
  }
  if (unheld.count > 1) reason += fmt::format("; there are {} such parts", unheld.count);
  throw comm::CollectiveError(
      comm::ExitCode::usage,
      {fmt::format("time.integrator: steady: nothing holds the temperature of {}",
                   part.whole ? "the body" : "a part of the body"),
       reason,
       part.whole ? "give a side a temperature or convection, or integrate in time"
                  : "give one of its sides a temperature or convection, join it to the rest of the "
                    "body, or integrate in time"});
}

}  // namespace

double UnheldPart::power() const {
  double sum = 0;
  for (const auto& [name, flow] : flows) sum += flow;
  return sum;
}

bool UnheldPart::balanced() const {
  constexpr double rounding = 1e-9;
  double magnitude = 0;
  for (const auto& [name, flow] : flows) magnitude += std::abs(flow);
  return std::abs(power()) <= rounding * magnitude;
}

UnheldParts find_unheld_parts(const FieldSampler& sampler, const Config& config,
                              const comm::Partition& partition, double budget) {
  if (needs_no_scan(config)) return {};
  const bool steady = config.time.integrator == solver::Method::steady;
  const auto& world = sampler.world;
  const auto owned = partition.owned(world.rank());
  const auto plan = comm::make_halo_plan(partition, world.rank(), 1, comm::GhostRegion::faces);
  BodyScan scan(sampler, config, owned);
  Facts facts(sampler, config, plan);
  const bool complete = scan.visit_pieces(budget, [&](const PieceOfBody& piece) {
    comm::agree(world, [&] {
      if (piece.mine) facts.add(scan, piece);
    });
  });
  if (!complete) return {};
  auto first_cells = facts.merge(scan.labels());
  const auto all_parts = world.sum(std::ssize(first_cells));
  std::map<std::int64_t, const PartFacts*> by_name;
  for (const auto& of_label : facts.all) by_name[of_label.first] = &of_label;
  std::erase_if(first_cells, [&](std::int64_t first) {
    const auto& of_part = *by_name[first];
    return of_part.held || (!steady && !of_part.heated);
  });
  UnheldParts result;
  result.count = world.sum(std::ssize(first_cells));
  if (result.count == 0) return result;
  const auto names = lowest(world, std::move(first_cells), most_described);
  const auto dense = with_source_densities(sampler, config, owned, budget);
  const auto sums = sum_parts(sampler, dense, owned, facts.all, names);
  for (std::size_t n = 0; n < names.size(); ++n)
    result.parts.push_back(described(config, sampler.grid, names[n], sums[n], all_parts == 1));
  return result;
}

std::vector<std::string> check_heat_paths(const comm::Communicator& world, const Config& config,
                                          const comm::Partition& partition, double budget) {
  const auto sampler = make_field_sampler(world, config);
  const auto unheld = find_unheld_parts(sampler, config, partition, budget);
  if (unheld.count > 0 && config.time.integrator == solver::Method::steady)
    refuse(unheld, sampler.grid);
  std::vector<std::string> lines;
  for (const auto& part : unheld.parts) {
    if (part.balanced()) continue;
    const double rate = part.power() / part.capacity;
    lines.push_back(fmt::format(
        "nothing holds the temperature of {}: {:.6g} W flow into it ({}), so that its mean {} by "
        "{:.4g} K/s at the start",
        subject(part, sampler.grid), part.power(), flows_text(part), rate > 0 ? "rises" : "falls",
        std::abs(rate)));
  }
  if (const auto more = unheld.count - std::ssize(unheld.parts); more > 0 && !lines.empty())
    lines.push_back(fmt::format("so it is with up to {} more parts of the body", more));
  return lines;
}

}  // namespace halotherm::app
