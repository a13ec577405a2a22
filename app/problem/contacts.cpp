// SPDX-License-Identifier: MIT
#include "app/problem/contacts.hpp"

#include "app/domain/exact_sums.hpp"
#include "app/problem/region_map.hpp"
#include "comm/mpi/error.hpp"
#include "comm/partition/contiguous_parts.hpp"
#include "comm/system/best_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace halotherm::app {

namespace {

constexpr std::int64_t piece_cells = 1 << 20;  ///< that are counted at once

std::array<std::uint16_t, 2> materials_of(const Config& config, const ContactConfig& contact) {
  const auto index = [&](const std::string& name) {
    const auto found = std::ranges::find(config.materials, name, &MaterialConfig::name);
    return static_cast<std::uint16_t>(found - config.materials.begin());
  };
  return {index(contact.between[0]), index(contact.between[1])};
}

/// Adds up the faces of each contact, those of each axis by themselves, in units of the largest.
class FaceCounter {
 public:
  FaceCounter(const FieldSampler& sampler, const Config& config)
      : sampler_(sampler), config_(config), sums_(3 * config.contacts.size()) {
    for (const auto& contact : config.contacts) pairs_.push_back(materials_of(config, contact));
    for (int axis = 0; axis < 3; ++axis) {
      if (!sampler.grid.even(axis)) shares_[at(axis)] = sampler.grid.shares(axis);
    }
  }

  /// Collective. Adds the upper faces of the cells of a piece, if it is this rank's.
  void add(const comm::Box& piece, bool mine) {
    comm::Int3 above{0, 0, 0};
    for (int axis = 0; axis < sampler_.grid.dimensions; ++axis) above[axis] = 1;
    const auto box = comm::grown(piece, {0, 0, 0}, above);
    const auto materials = map_regions(sampler_, config_, box).material;
    if (!mine) return;
    const std::int64_t row = box.extent(0), plane = row * box.extent(1);
    const std::array<std::int64_t, 3> next{1, row, plane};
    for_cells(piece, [&](int i, int j, int k) {
      const comm::Int3 cell{i, j, k};
      const auto place = (i - box.lower[0]) + (j - box.lower[1]) * row + (k - box.lower[2]) * plane;
      const auto here = materials[static_cast<std::size_t>(place)];
      for (int axis = 0; axis < sampler_.grid.dimensions; ++axis) {
        const auto beyond = materials[static_cast<std::size_t>(place + next[at(axis)])];
        if (beyond != here) add_face(here, beyond, axis, cell);
      }
    });
  }

  /// Collective.
  std::vector<ContactCount> counts() {
    sum_over_ranks(sampler_.world, sums_);
    std::vector<ContactCount> result;
    const auto& grid = sampler_.grid;
    for (std::size_t n = 0; n < config_.contacts.size(); ++n) {
      const auto& [between, resistance] = config_.contacts[n];
      auto& count = result.emplace_back(
          ContactCount{.between = between[0] + ", " + between[1], .resistance = resistance});
      for (int axis = 0; axis < grid.dimensions; ++axis) {
        const double share = sums_[3 * n + at(axis)].value(scale);
        count.touches = count.touches || share > 0;
        count.area +=
            share * grid.largest_width((axis + 1) % 3) * grid.largest_width((axis + 2) % 3);
      }
    }
    return result;
  }

 private:
  static inline const solver::SumScale scale{1};  // of shares, up to 1
  static std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

  double share(int axis, const comm::Int3& cell) const {
    const auto& along = shares_[at(axis)];
    return along.empty() ? 1 : along[static_cast<std::size_t>(cell[axis])];
  }
  void add_face(Owner here, Owner beyond, int axis, const comm::Int3& cell) {
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      if (pairs_[n] != std::array{here, beyond} && pairs_[n] != std::array{beyond, here}) continue;
      double chunks[solver::SumScale::chunks] = {0, 0, 0};
      solver::add_to_chunks(chunks, share((axis + 1) % 3, cell) * share((axis + 2) % 3, cell),
                            scale);
      sums_[3 * n + at(axis)].add_chunks(chunks, scale);
    }
  }

  const FieldSampler& sampler_;
  const Config& config_;
  std::vector<std::array<std::uint16_t, 2>> pairs_;
  std::array<std::vector<double>, 3> shares_;
  std::vector<solver::ExactSum> sums_;
};

}  // namespace

bool has_resistances(const Config& config) {
  return has_shapes(config) && std::ranges::any_of(config.contacts, [](const auto& contact) {
           return contact.resistance > 0;
         });
}

solver::Contacts contacts_of(const Config& config, const std::shared_ptr<const Owners>& materials) {
  solver::Contacts contacts;
  if (!has_resistances(config)) return contacts;
  contacts.of_cell = materials;
  for (const auto& contact : config.contacts) {
    if (contact.resistance > 0)
      contacts.pairs.push_back({materials_of(config, contact), contact.resistance});
  }
  return contacts;
}

ContactCensus count_contacts(const FieldSampler& sampler, const Config& config,
                             const comm::Box& owned, double budget) {
  if (config.contacts.empty()) return {};
  FaceCounter counter(sampler, config);
  const comm::ContiguousParts pieces(owned, piece_cells);
  const auto count = pieces.count();
  const comm::Stopwatch stopwatch;
  std::int64_t counted = 0;
  for (std::int64_t n = 0; n < sampler.world.max(count); ++n) {
    const auto piece = pieces[std::min(n, count - 1)];
    counter.add(piece, n < count);
    if (n < count) counted += piece.size();
    if (sampler.world.max(stopwatch.seconds()) > budget) break;
  }
  const auto all = static_cast<double>(sampler.grid.cell_count());
  return {counter.counts(), static_cast<double>(sampler.world.sum(counted)) / all};
}

void refuse_contacts_apart(const FieldSampler& sampler, const Config& config,
                           const comm::Box& owned, double budget) {
  const auto census = count_contacts(sampler, config, owned, budget);
  if (census.counted < 1) return;
  for (std::size_t n = 0; n < census.contacts.size(); ++n) {
    if (census.contacts[n].touches) continue;
    throw comm::CollectiveError(
        comm::ExitCode::usage,
        {fmt::format("contacts[{}]: {} have no face in common", n, census.contacts[n].between),
         "no cells of the two are neighbours", "correct the regions, or remove the contact"});
  }
}

std::string to_string(const ContactCensus& census) {
  if (census.contacts.empty()) return "";
  auto text = fmt::format("{:<15}{:<33} {:>12} {:>11}\n", "contacts", "between", "m2 K/W", "m2");
  for (const auto& contact : census.contacts)
    text += fmt::format("{:<15}{:<33} {:>12.5g} {:>11.5g}\n", "", contact.between,
                        contact.resistance, contact.area);
  if (census.counted < 1)
    text += fmt::format("               of {:.0f} % of the cells\n", 100 * census.counted);
  return text;
}

}  // namespace halotherm::app
