// SPDX-License-Identifier: MIT
#include "app/parts/part_sums.hpp"

#include "app/domain/exact_sums.hpp"
#include "comm/mpi/error.hpp"
#include "solver/diagnostics/flow_sums.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>

namespace halotherm::app {

namespace {

constexpr double no_budget = std::numeric_limits<double>::infinity();

double at(const solver::Coefficient& coefficient, std::size_t place) {
  const auto* number = std::get_if<double>(&coefficient);
  return number != nullptr ? *number : std::get<std::vector<double>>(coefficient)[place];
}

/// rho c of a cell at T [K].
double capacity_of(const solver::AnyMaterial& material, std::size_t place, double T) {
  if (const auto* constant = std::get_if<solver::Material>(&material))
    return at(constant->volumetric_heat_capacity, place);
  const auto& tables = std::get<solver::TabulatedMaterial>(material);
  const auto number = tables.of_cell.empty() ? 0 : tables.of_cell[place];
  return solver::value_at(tables.materials[number].volumetric_heat_capacity, T);
}

/// What is summed, in this order, then the flux through each surface.
enum Summed : std::size_t { volume, capacity, source, first_flux };

class Summation {
 public:
  Summation(const FieldSampler& sampler, const Config& config, const comm::Box& owned,
            const std::vector<PartFacts>& facts, const std::vector<std::int64_t>& first_cells)
      : sampler_(sampler),
        config_(config),
        scan_(sampler, config, owned),
        facts_(facts),
        parts_(first_cells.size()),
        quantities_(first_flux + surface_names(config).size()) {
    for (std::size_t n = 0; n < parts_; ++n) part_of_[first_cells[n]] = n;
  }

  std::vector<PartSums> sum() {
    find_largest();
    sums_.resize(parts_ * quantities_);
    cells_.assign(parts_, 0);
    has_.assign(parts_ * config_.materials.size(), 0);
    pass([&](std::size_t part, std::size_t quantity, double value) {
      sums_[part * quantities_ + quantity].add(value, scale(quantity));
    });
    return combined();
  }

 private:
  using Add = std::function<void(std::size_t part, std::size_t quantity, double value)>;

  /// Collective. The scales of exact sums follow from the largest numbers.
  void find_largest() {
    largest_.assign(quantities_, 0);
    pass([&](std::size_t, std::size_t quantity, double value) {
      largest_[quantity] = std::max(largest_[quantity], std::abs(value));
    });
    sampler_.world.max(largest_);
  }
  solver::SumScale scale(std::size_t quantity) const {
    return solver::SumScale(largest_[quantity] > 0 ? std::ilogb(largest_[quantity]) + 1 : 1);
  }

  /// The part of a label, if it is one of those.
  std::optional<std::size_t> part_of(int label) const {
    if (label == PartLabels::none) return std::nullopt;
    const auto found = part_of_.find(facts_[static_cast<std::size_t>(label)].first);
    if (found == part_of_.end()) return std::nullopt;
    return found->second;
  }

  /// Collective.
  void pass(const Add& add) {
    scan_.visit_pieces(no_budget, [&](const PieceOfBody& piece) {
      const auto material = piece.regions.material();
      const auto sources = piece.regions.source();
      const auto T =
          sampler_.cells("initial.temperature", config_.initial_temperature, piece.box, Range::any);
      comm::agree(sampler_.world, [&] {
        if (!piece.mine) return;
        piece.for_each([&](std::size_t n, std::size_t place, const comm::Int3& cell) {
          const auto part = part_of(piece.labels[n]);
          if (!part) return;
          const auto sampled = piece.box == piece.sampled ? n : place;
          const double size = scan_.volume(cell);
          add(*part, volume, size);
          add(*part, capacity, size * capacity_of(material, sampled, at(T, n)));
          add(*part, source, size * at(sources, sampled));
          note(*part, (*piece.regions.materials())[place]);
        });
        scan_.visit_faces(piece, [&](const OuterFace& face) {
          const auto part = part_of(piece.labels[face.cell]);
          if (!part || face.values.is_fixed()) return;
          add(*part, first_flux + face.surface, face.area * face.values.flows(face.point).flux);
        });
      });
    });
  }

  /// Counts a cell of this material.
  void note(std::size_t part, Owner material) {
    if (cells_.empty()) return;
    ++cells_[part];
    if (material < config_.materials.size()) has_[part * config_.materials.size() + material] = 1;
  }

  /// Collective.
  std::vector<PartSums> combined() {
    std::vector<solver::ExactSum> exact;
    for (const auto& sum : sums_) exact.push_back(sum.sum);
    sum_over_ranks(sampler_.world, exact);
    sampler_.world.sum(std::span(cells_));
    sampler_.world.max(std::span(has_));
    std::vector<PartSums> result(parts_);
    for (std::size_t part = 0; part < parts_; ++part) {
      const auto value = [&](std::size_t quantity) {
        return exact[part * quantities_ + quantity].value(scale(quantity));
      };
      auto& sums = result[part];
      sums = {cells_[part], value(volume), value(capacity), value(source), {}, {}};
      for (std::size_t n = first_flux; n < quantities_; ++n) sums.flux.push_back(value(n));
      for (std::size_t n = 0; n < config_.materials.size(); ++n)
        sums.has_materials.push_back(has_[part * config_.materials.size() + n] != 0);
    }
    return result;
  }

  const FieldSampler& sampler_;
  const Config& config_;
  BodyScan scan_;
  const std::vector<PartFacts>& facts_;
  std::map<std::int64_t, std::size_t> part_of_;  ///< by the first cell
  std::size_t parts_, quantities_;
  std::vector<double> largest_;
  std::vector<solver::RateSum> sums_;
  std::vector<std::int64_t> cells_, has_;
};

}  // namespace

std::vector<PartSums> sum_parts(const FieldSampler& sampler, const Config& config,
                                const comm::Box& owned, const std::vector<PartFacts>& facts,
                                const std::vector<std::int64_t>& first_cells) {
  return Summation(sampler, config, owned, facts, first_cells).sum();
}

}  // namespace halotherm::app
