// SPDX-License-Identifier: MIT
#include "app/problem/boundary_conditions.hpp"

#include "app/config/description.hpp"
#include "comm/mpi/error.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

std::vector<solver::Side> sides_of(const Config& config, const solver::Grid& grid,
                                   const comm::Box& owned) {
  std::vector<solver::Side> sides;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const bool periodic = config.sides[static_cast<std::size_t>(axis)][0].periodic;
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

SampledSide sampled_side(const FieldSampler& sampler, const Config& config, const comm::Box& layer,
                         const solver::Side& side) {
  const auto sample = [&](const std::string& key, const Quantity& quantity, Range range) {
    return sampler.on_faces(key, quantity, layer, side, range);
  };
  return {"sides." + side_name(side.axis, side.end),
          config.sides[static_cast<std::size_t>(side.axis)][static_cast<std::size_t>(side.end)],
          sample};
}

}  // namespace

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
      Condition condition{index,
                          sampled_side(sampler, config, layer, side),
                          values_in(conductivity[conductivity.size() == 1 ? 0 : axis], sampled,
                                    inner_layer(layer, side)),
                          sampler.grid.spacing(side.axis),
                          {}};
      evaluate(condition, 0.0);
      if (condition.values.changes()) changing_.push_back(std::move(condition));
    }
  });
}

template <class Real>
void BoundaryConditions<Real>::evaluate(Condition& condition, double time) {
  auto& [index, values, conductivity, h, ghosts] = condition;
  values.evaluate(time);
  if (values.is_fixed()) {
    ghosts.resize(values.count());
    for (std::size_t n = 0; n < ghosts.size(); ++n)
      ghosts[n] = solver::dirichlet(values.temperature(n));
  } else {
    ghosts.resize(std::max(values.count(), conductivity.size()));
    for (std::size_t n = 0; n < ghosts.size(); ++n) {
      ghosts[n] =
          solver::ghost_of(values.flows(n), conductivity[conductivity.size() == 1 ? 0 : n], h);
    }
  }
  boundary_.set(index, ghosts);
}

template <class Real>
solver::Sides<Real> BoundaryConditions<Real>::strictest_sides() const {
  auto sides = boundary_.view();
  for (const auto& condition : changing_) {
    if (!condition.values.weight_changes()) continue;
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
