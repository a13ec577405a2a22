// SPDX-License-Identifier: MIT
#include "solver/boundary.hpp"

#include <utility>

namespace halotherm::solver {

AffineGhost dirichlet(double temperature) {
  return {-1.0, 2.0 * temperature};
}

AffineGhost neumann(double flux, double conductivity, double h) {
  return {1.0, flux * h / conductivity};
}

AffineGhost robin(double coefficient, double ambient, double conductivity, double h) {
  const double conductance = conductivity / h;
  const double half = 0.5 * coefficient;
  return {(conductance - half) / (conductance + half), coefficient * ambient / (conductance + half)};
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
    : owned_(owned), sides_(std::move(sides)), values_(sides_.size()) {}

template <class Real>
void Boundary<Real>::set(std::size_t index, std::span<const AffineGhost> condition) {
  auto& values = values_[index];
  if (values.extent(0) != condition.size()) values = Values("boundary condition", condition.size());
  const auto host = Kokkos::create_mirror_view(values);
  for (std::size_t n = 0; n < condition.size(); ++n) {
    host(n, 0) = static_cast<Real>(condition[n].alpha);
    host(n, 1) = static_cast<Real>(condition[n].beta);
  }
  Kokkos::deep_copy(values, host);
}

template <class Real>
Sides<Real> Boundary<Real>::view() const {
  Sides<Real> result{.owned = owned_};
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const auto& [axis, end] = sides_[s];
    result.condition[axis][end] = values_[s].data();
    result.stride[axis][end] = values_[s].extent(0) > 1 ? 2 : 0;
  }
  return result;
}

template class Boundary<float>;
template class Boundary<double>;

}  // namespace halotherm::solver
