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

namespace {

template <class Real>
struct FillGhosts {
  comm::GridView<Real> T;
  const Real* condition[6];  ///< alpha and beta, alternating
  std::int64_t stride[6];    ///< 2, or 0 where one condition holds for all cells
  comm::Int3 inward[6];
  KOKKOS_INLINE_FUNCTION void operator()(int side, std::int64_t n, int i, int j, int k) const {
    const auto& d = inward[side];
    const Real* affine = condition[side] + n * stride[side];
    T(i, j, k) = affine[0] * T(i + d[0], j + d[1], k + d[2]) + affine[1];
  }
};

}  // namespace

template <class Real>
comm::Box Boundary<Real>::ghost_layer(const comm::Box& owned, const Side& side) {
  comm::Box layer = owned;
  layer.lower[side.axis] = side.end == 0 ? owned.lower[side.axis] - 1 : owned.upper[side.axis];
  layer.upper[side.axis] = layer.lower[side.axis] + 1;
  return layer;
}

template <class Real>
Boundary<Real>::Boundary(const comm::Box& owned, std::vector<Side> sides) : sides_(std::move(sides)), values_(sides_.size()) {
  std::vector<comm::Box> layers;
  for (const auto& side : sides_) layers.push_back(ghost_layer(owned, side));
  layers_ = comm::BoxList(layers);
}

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
void Boundary<Real>::fill(const comm::Space& space, const comm::GridView<Real>& temperature) const {
  FillGhosts<Real> body{temperature, {}, {}, {}};
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    body.condition[s] = values_[s].data();
    body.stride[s] = values_[s].extent(0) > 1 ? 2 : 0;
    body.inward[s] = {0, 0, 0};
    body.inward[s][sides_[s].axis] = sides_[s].end == 0 ? 1 : -1;
  }
  comm::for_each_cell_of(space, "boundary", layers_, body);
}

template class Boundary<float>;
template class Boundary<double>;

}  // namespace halotherm::solver
