// SPDX-License-Identifier: MIT
#include "app/problem/boundary_conditions.hpp"

#include "app/problem/region_quantities.hpp"
#include "app/problem/side_parts.hpp"
#include "comm/mpi/error.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

namespace halotherm::app {

namespace {

/// K along an axis; 1 where it depends on the temperature.
solver::Coefficient conductivity_along(const solver::AnyMaterial& material, int axis) {
  const auto* constant = std::get_if<solver::Material>(&material);
  if (constant == nullptr) return 1.0;
  const auto& all = constant->conductivity;
  return all[all.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
}

/// Calls `work(place in the layer, place in the part)` for the cells of a part of a layer.
template <class Work>
void for_places(const comm::Box& layer, const comm::Box& part, const Work& work) {
  std::size_t n = 0;
  for_cells(part, [&](int i, int j, int k) {
    const auto row = std::int64_t{k - layer.lower[2]} * layer.extent(1) + (j - layer.lower[1]);
    work(static_cast<std::size_t>(row * layer.extent(0) + (i - layer.lower[0])), n++);
  });
}

}  // namespace

template <class Real>
BoundaryConditions<Real>::BoundaryConditions(const FieldSampler& sampler, const Config& config,
                                             const comm::Box& owned, const comm::Box& sampled,
                                             const solver::AnyMaterial& material)
    : boundary_(owned, sides_of(config, sampler.grid, owned)),
      strictest_(owned, boundary_.sides()) {
  comm::agree(sampler.world, [&] {
    for (std::size_t index = 0; index < boundary_.sides().size(); ++index) {
      const auto& side = boundary_.sides()[index];
      auto condition = condition_of(sampler, config, index, side, owned, sampled, material);
      evaluate(condition, 0.0);
      bound(condition);
      if (!condition.changes()) continue;
      if (condition.ghosts.size() > 1) put_on_device(condition, variable_bounds(config));
      changing_.push_back(std::move(condition));
    }
  });
}

template <class Real>
auto BoundaryConditions<Real>::condition_of(const FieldSampler& sampler, const Config& config,
                                            std::size_t index, const solver::Side& side,
                                            const comm::Box& owned, const comm::Box& sampled,
                                            const solver::AnyMaterial& material) -> Condition {
  const int last = sampler.grid.cells[side.axis] - 1;
  Condition condition{index,
                      solver::Boundary<Real>::ghost_layer(owned, side),
                      sampler.grid.width(side.axis, side.end == 0 ? 0 : last),
                      {}};
  const bool tables = std::holds_alternative<solver::TabulatedMaterial>(material);
  const auto conductivity = conductivity_along(material, side.axis);
  for (auto& [faces, values, number] : parts_of_side(sampler, config, side, owned)) {
    const bool linear =
        values.is_fixed() || values.is_insulated() || (!tables && !values.radiates());
    auto inside = values_in(conductivity, sampled, inside_of(faces, side));
    condition.parts.push_back({faces, std::move(values), std::move(inside), !linear});
  }
  return condition;
}

template <class Real>
bool BoundaryConditions<Real>::Condition::changes() const {
  return std::ranges::any_of(parts, [](const Part& part) { return part.values.changes(); });
}

/// The number of conditions: 1 if one holds at all faces.
template <class Real>
std::size_t BoundaryConditions<Real>::Condition::count() const {
  if (parts.size() > 1) return static_cast<std::size_t>(layer.size());
  const auto& part = parts.front();
  const auto count = part.values.count();
  return part.values.is_fixed() ? count : std::max(count, part.conductivity.size());
}

template <class Real>
void BoundaryConditions<Real>::evaluate(Condition& condition, const Part& part) {
  const auto& values = part.values;
  const auto set = [&](std::size_t place, std::size_t n) {
    auto& ghost = condition.ghosts[place];
    auto& bounds = condition.bounds[place];
    bounds = {};
    if (!condition.balances.empty()) condition.balances[place] = {};
    if (values.is_fixed()) {
      ghost = solver::dirichlet(values.temperature(n));
      bounds.include(values.temperature(n));
      return;
    }
    bounds.include_flows(values.flows(n));
    const double conductivity = part.conductivity[part.conductivity.size() == 1 ? 0 : n];
    if (part.nonlinear) {
      condition.balances[place] =
          solver::face_balance(values.flows(n), 2 * conductivity / condition.h);
    } else {
      ghost = solver::ghost_of(values.flows(n), conductivity, condition.h);
    }
  };
  if (condition.ghosts.size() == 1) return set(0, 0);
  for_places(condition.layer, part.faces, set);
}

template <class Real>
void BoundaryConditions<Real>::evaluate(Condition& condition, const Moment& moment) {
  const auto balances = [](const Part& part) { return part.nonlinear; };
  const bool some = std::ranges::any_of(condition.parts, balances),
             all = std::ranges::all_of(condition.parts, balances);
  for (auto& part : condition.parts) part.values.evaluate(moment);
  condition.ghosts.resize(condition.count());
  condition.bounds.resize(condition.ghosts.size());
  if (some) condition.balances.resize(condition.ghosts.size());
  follow_temperatures_ = follow_temperatures_ || some;
  for (const auto& part : condition.parts) evaluate(condition, part);
  for (const auto& of_face : condition.bounds) bounds_.include(of_face);
  const auto ghosts = std::span<const solver::AffineGhost>(condition.ghosts);
  const bool one = !some && !condition.changes() && std::ranges::all_of(ghosts, [&](const auto& g) {
    return g.alpha == ghosts[0].alpha && g.beta == ghosts[0].beta;
  });
  if (!all) boundary_.set(condition.index, one ? ghosts.first(1) : ghosts);
  if (some) boundary_.set_balances(condition.index, condition.balances);
}

/// Sets the strictest conditions of a side that was evaluated.
template <class Real>
void BoundaryConditions<Real>::bound(const Condition& condition) {
  auto ghosts = condition.ghosts;
  for (const auto& part : condition.parts) {
    const bool strict = part.nonlinear || part.values.weight_changes();
    if (ghosts.size() == 1) {
      ghosts.front() = strict ? solver::dirichlet(0) : condition.ghosts.front();
      continue;
    }
    for_places(condition.layer, part.faces, [&](std::size_t place, std::size_t) {
      ghosts[place] = strict ? solver::dirichlet(0) : condition.ghosts[place];
    });
  }
  strictest_.set(condition.index, ghosts);
}

template <class Real>
bool BoundaryConditions<Real>::are_alike(const comm::Communicator& world) const {
  constexpr double none = std::numeric_limits<double>::infinity();
  std::array<double, 24> least;  // of alpha, beta and their opposites, for six sides
  least.fill(none);
  const auto sides = boundary_.view();
  bool one = !follow_temperatures_;
  for (std::size_t n = 0; n < 6; ++n) {
    const auto& side = sides.condition[n / 2][n % 2];
    if (!side.present) continue;
    one = one && side.of_cell == nullptr;
    const auto [alpha, beta] = side.of_all;
    const double values[4] = {double{alpha}, double{beta}, -double{alpha}, -double{beta}};
    std::ranges::copy(values, least.begin() + static_cast<std::ptrdiff_t>(4 * n));
  }
  world.min(least);
  for (std::size_t n = 0; n < least.size(); n += 4) {
    if (least[n] != none && (least[n] != -least[n + 2] || least[n + 1] != -least[n + 3]))
      one = false;
  }
  return world.all(one);
}

/// Parts that change, with which faces are theirs where there are several.
template <class Real>
void BoundaryConditions<Real>::put_on_device(Condition& condition,
                                             const solver::VariableBounds& variables) {
  Owners owners(condition.parts.size() > 1 ? condition.ghosts.size() : 0);
  for (std::size_t n = 1; n < condition.parts.size(); ++n) {
    for_places(condition.layer, condition.parts[n].faces,
               [&](std::size_t place, std::size_t) { owners[place] = static_cast<Owner>(n); });
  }
  const auto shared = solver::on_device("owners of faces", owners);
  Owner owner = 0;
  for (auto& part : condition.parts) {
    const auto mine = owner++;
    if (!part.values.changes()) continue;
    part.on_device.emplace(
        solver::PartOfSide{.layer = condition.layer,
                           .faces = part.faces,
                           .coordinates = {},
                           .owners = shared,
                           .owner = mine,
                           .fixed = part.values.is_fixed(),
                           .balances = part.nonlinear,
                           .h = condition.h,
                           .conductivity = solver::on_device("conductivity", part.conductivity)},
        part.values, variables);
  }
}

template <class Real>
void BoundaryConditions<Real>::update(const comm::Space& space, const Moment& moment) {
  last_space_ = space;
  std::int32_t n = 0;
  for (auto& condition : changing_) {
    if (condition.ghosts.size() == 1) evaluate(condition, moment);
    for (auto& part : condition.parts) {
      if (part.on_device)
        part.on_device->apply(space, moment, part.values, boundary_.changing_faces(condition.index),
                              findings_.view(), n);
      ++n;
    }
  }
}

template <class Real>
std::optional<std::pair<double, comm::Error>> BoundaryConditions<Real>::failure() const {
  if (!change()) return std::nullopt;
  const auto first = findings_.failure(last_space_);
  if (!first.found) return std::nullopt;
  auto n = first.part / solver::most_face_quantities;
  for (const auto& condition : changing_) {
    for (const auto& part : condition.parts) {
      if (n-- == 0) return std::pair(first.time, part.on_device->error_of(first, part.values));
    }
  }
  return std::nullopt;
}

template <class Real>
void BoundaryConditions<Real>::check() const {
  if (const auto first = failure()) throw comm::Error(first->second);
}

template <class Real>
solver::TemperatureBounds BoundaryConditions<Real>::bounds() const {
  auto all = bounds_;
  if (change()) all.include(findings_.bounds(last_space_));
  return all;
}

template class BoundaryConditions<float>;
template class BoundaryConditions<double>;

}  // namespace halotherm::app
