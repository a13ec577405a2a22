// SPDX-License-Identifier: MIT
#include "solver/equation/boundary.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::solver {

AffineGhost dirichlet(double temperature) {
  return {-1.0, 2.0 * temperature};
}

AffineGhost ghost_of(const HeatFlows& flows, double conductivity, double h) {
  if (flows.coefficient == 0) return {1.0, flows.flux * h / conductivity};
  const double conductance = conductivity / h;
  const double half = 0.5 * flows.coefficient;
  return {(conductance - half) / (conductance + half),
          (flows.flux + flows.coefficient * flows.ambient) / (conductance + half)};
}

double face_temperature(const HeatFlows& flows, double inside, double half) {
  if (flows.coefficient == 0) return inside + flows.flux / half;
  return (half * inside + flows.flux + flows.coefficient * flows.ambient) /
         (half + flows.coefficient);
}

template <class Real>
comm::Box Boundary<Real>::ghost_layer(const comm::Box& owned, const Side& side) {
  comm::Box layer = owned;
  layer.lower[side.axis] = side.end == 0 ? owned.lower[side.axis] - 1 : owned.upper[side.axis];
  layer.upper[side.axis] = layer.lower[side.axis] + 1;
  return layer;
}

template <class Real>
Boundary<Real>::Boundary(const comm::Box& owned, std::vector<Side> sides)
    : owned_(owned), sides_(std::move(sides)), conditions_(sides_.size()) {}

template <class Real>
void Boundary<Real>::set(std::size_t index, std::span<const AffineGhost> condition) {
  auto& [of_all, of_cell, on_host] = conditions_[index];
  const auto rounded = [](const AffineGhost& ghost) {
    return Affine<Real>{static_cast<Real>(ghost.alpha), static_cast<Real>(ghost.beta)};
  };
  of_all = rounded(condition.front());
  if (condition.size() == 1) {
    of_cell = {};
    return;
  }
  if (of_cell.extent(0) != condition.size()) {
    of_cell = decltype(of_cell)("boundary condition", condition.size());
    on_host = Kokkos::create_mirror_view(of_cell);
  }
  std::ranges::transform(condition, on_host.data(), rounded);
  if constexpr (!comm::kernels_run_on_host) Kokkos::deep_copy(of_cell, on_host);
}

template <class Real>
Sides<Real> Boundary<Real>::view() const {
  Sides<Real> result{owned_, {}};
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const auto& [of_all, of_cell, on_host] = conditions_[s];
    result.condition[sides_[s].axis][sides_[s].end] = {true, of_all, of_cell.data()};
  }
  return result;
}

template class Boundary<float>;
template class Boundary<double>;

}  // namespace halotherm::solver
