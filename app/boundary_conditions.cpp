// SPDX-License-Identifier: MIT
#include "app/boundary_conditions.hpp"

#include "comm/error.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

std::vector<solver::Side> sides_of(const Config& config, const solver::Grid& grid, const comm::Box& owned) {
  std::vector<solver::Side> sides;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const bool periodic = config.boundary[static_cast<std::size_t>(axis)][0].type == BoundaryType::periodic;
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

double pick(const std::vector<double>& values, std::size_t n) {
  return values[values.size() == 1 ? 0 : n];
}

}  // namespace

template <class Real>
BoundaryConditions<Real>::BoundaryConditions(const Sampler& sampler, const Config& config, const comm::Box& owned,
                                             const std::vector<solver::Coefficient>& conductivity)
    : sampler_(sampler), boundary_(owned, sides_of(config, sampler.grid, owned)) {
  const auto ghosts = sampler.grid.ghosts(1);
  const auto sampled = comm::grown(owned, ghosts, ghosts);
  for (const auto& side : boundary_.sides()) {
    const auto axis = static_cast<std::size_t>(side.axis);
    Condition condition;
    condition.config = config.boundary[axis][static_cast<std::size_t>(side.end)];
    condition.key = std::string("boundary.") + "xyz"[axis] + (side.end == 0 ? "-" : "+");
    condition.layer = solver::Boundary<Real>::ghost_layer(owned, side);
    condition.conductivity =
        values_in(conductivity[conductivity.size() == 1 ? 0 : axis], sampled, inner_layer(condition.layer, side));
    condition.h = sampler.grid.spacing(side.axis);
    const auto& c = condition.config;
    condition.changes =
        depends_on_time(c.value) || depends_on_time(c.flux) || depends_on_time(c.coefficient) || depends_on_time(c.ambient);
    conditions_.push_back(std::move(condition));
  }
  comm::agree(sampler.world, [&] {
    for (std::size_t index = 0; index < conditions_.size(); ++index) evaluate(index, 0.0);
  });
}

template <class Real>
void BoundaryConditions<Real>::evaluate(std::size_t index, double time) {
  const auto& [config, key, layer, conductivity, h, changes] = conditions_[index];
  const auto& side = boundary_.sides()[index];
  const auto values = [&](const char* name, const Quantity& quantity, Range range) {
    return sampler_.faces(key + "." + name, quantity, layer, side, range, time);
  };
  std::vector<double> first;
  std::vector<double> second{0.0};
  if (config.type == BoundaryType::dirichlet) first = values("value", config.value, Range::any);
  if (config.type == BoundaryType::neumann) first = values("flux", config.flux, Range::any);
  if (config.type == BoundaryType::robin) {
    first = values("coefficient", config.coefficient, Range::not_negative);
    second = values("ambient", config.ambient, Range::any);
  }
  std::vector<solver::AffineGhost> ghosts(std::max({first.size(), second.size(), conductivity.size()}));
  for (std::size_t n = 0; n < ghosts.size(); ++n) {
    const double k = pick(conductivity, n);
    if (config.type == BoundaryType::dirichlet) ghosts[n] = solver::dirichlet(pick(first, n));
    if (config.type == BoundaryType::neumann) ghosts[n] = solver::neumann(pick(first, n), k, h);
    if (config.type == BoundaryType::robin) ghosts[n] = solver::robin(pick(first, n), pick(second, n), k, h);
  }
  boundary_.set(index, ghosts);
}

template <class Real>
void BoundaryConditions<Real>::update(double time) {
  for (std::size_t index = 0; index < conditions_.size(); ++index) {
    if (conditions_[index].changes) evaluate(index, time);
  }
}

template class BoundaryConditions<float>;
template class BoundaryConditions<double>;

}  // namespace halotherm::app
