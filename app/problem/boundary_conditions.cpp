// SPDX-License-Identifier: MIT
#include "app/problem/boundary_conditions.hpp"

#include "comm/mpi/error.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

std::vector<solver::Side> sides_of(const Config& config, const solver::Grid& grid,
                                   const comm::Box& owned) {
  std::vector<solver::Side> sides;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const bool periodic =
        config.boundary[static_cast<std::size_t>(axis)][0].type == BoundaryType::periodic;
    if (!periodic && owned.lower[axis] == 0) sides.push_back({axis, 0});
    if (!periodic && owned.upper[axis] == grid.cells[axis]) sides.push_back({axis, 1});
  }
  return sides;
}

/// The cells next to the side, of which `ghosts` is the layer beyond.
comm::Box inner_layer(const comm::Box& ghosts, const solver::Side& side) {
  comm::Int3 inward{0, 0, 0};
  inward[side.axis] = side.end == 0 ? 1 : -1;
  return comm::shifted(ghosts, inward);
}

double pick(std::span<const double> values, std::size_t n) {
  return values[values.size() == 1 ? 0 : n];
}

}  // namespace

std::vector<SideQuantity> quantities_of(const SideConfig& side) {
  switch (side.type) {
    case BoundaryType::dirichlet:
      return {{"value", side.value, Range::any}};
    case BoundaryType::neumann:
      return {{"flux", side.flux, Range::any}};
    case BoundaryType::robin:
      return {{"coefficient", side.coefficient, Range::not_negative},
              {"ambient", side.ambient, Range::any}};
    case BoundaryType::periodic:
      break;
  }
  return {};
}

template <class Real>
BoundaryConditions<Real>::BoundaryConditions(const FieldSampler& sampler, const Config& config,
                                             const comm::Box& owned, const comm::Box& sampled,
                                             const std::vector<solver::Coefficient>& conductivity)
    : boundary_(owned, sides_of(config, sampler.grid, owned)) {
  comm::agree(sampler.world, [&] {
    for (std::size_t index = 0; index < boundary_.sides().size(); ++index) {
      const auto& side = boundary_.sides()[index];
      const auto axis = static_cast<std::size_t>(side.axis);
      const auto layer = solver::Boundary<Real>::ghost_layer(owned, side);
      auto condition = condition_of(
          sampler, config.boundary[axis][static_cast<std::size_t>(side.end)], layer, side);
      condition.index = index;
      condition.conductivity = values_in(conductivity[conductivity.size() == 1 ? 0 : axis], sampled,
                                         inner_layer(layer, side));
      evaluate(condition, 0.0);
      const bool changes = std::ranges::any_of(condition.values,
                                               [](const auto& values) { return values.changes(); });
      if (changes) changing_.push_back(std::move(condition));
    }
  });
}

template <class Real>
auto BoundaryConditions<Real>::condition_of(const FieldSampler& sampler, const SideConfig& config,
                                            const comm::Box& layer, const solver::Side& side)
    -> Condition {
  const auto key = std::string("boundary.") + "xyz"[side.axis] + (side.end == 0 ? "-" : "+") + ".";
  Condition condition;
  condition.type = config.type;
  condition.h = sampler.grid.spacing(side.axis);
  for (const auto& [name, quantity, range] : quantities_of(config)) {
    condition.values.push_back(sampler.on_faces(key + name, quantity, layer, side, range));
  }
  return condition;
}

template <class Real>
void BoundaryConditions<Real>::evaluate(Condition& condition, double time) {
  constexpr double none = 0;
  const auto& [index, type, values, conductivity, h, ghosts] = condition;
  const auto first = condition.values.front().at(time);
  const auto second = values.size() > 1 ? condition.values.back().at(time) : std::span(&none, 1);
  condition.ghosts.resize(std::max({first.size(), second.size(), conductivity.size()}));
  for (std::size_t n = 0; n < ghosts.size(); ++n) {
    auto& ghost = condition.ghosts[n];
    const double k = pick(conductivity, n);
    if (type == BoundaryType::dirichlet) ghost = solver::dirichlet(pick(first, n));
    if (type == BoundaryType::neumann) ghost = solver::neumann(pick(first, n), k, h);
    if (type == BoundaryType::robin) ghost = solver::robin(pick(first, n), pick(second, n), k, h);
  }
  boundary_.set(index, ghosts);
}

template <class Real>
solver::Sides<Real> BoundaryConditions<Real>::strictest_sides() const {
  auto sides = boundary_.view();
  for (const auto& condition : changing_) {
    if (condition.type != BoundaryType::robin || !condition.values.front().changes()) continue;
    const auto& side = boundary_.sides()[condition.index];
    sides.condition[side.axis][side.end] = {true, {Real(-1), Real(0)}, nullptr};
  }
  return sides;
}

template <class Real>
void BoundaryConditions<Real>::update(double time) {
  for (auto& condition : changing_) evaluate(condition, time);
}

template class BoundaryConditions<float>;
template class BoundaryConditions<double>;

}  // namespace halotherm::app
