// SPDX-License-Identifier: MIT
#include "solver/equation/boundary.hpp"

#include "comm/device/for_each_cell.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::solver {

namespace {

/// The ghost temperatures of one side's faces.
template <class Real>
struct Balance {
  comm::GridView<const Real> T;
  comm::Box inside;  ///< the layer of cells next to the side
  FaceBalance of_all;
  const FaceBalance* of_face;
  Affine<Real>* condition;
  MaterialsView<Real> materials;
  int axis;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const std::int64_t row =
        std::int64_t{k - inside.lower[2]} * inside.extent(1) + (j - inside.lower[1]);
    const std::int64_t n = row * inside.extent(0) + (i - inside.lower[0]);
    const FaceBalance face = of_face == nullptr ? of_all : of_face[n];
    if (!(face.half > 0)) return;
    const auto here = static_cast<double>(T(i, j, k));
    condition[n] = {Real(0), static_cast<Real>(ghost(face, here, i, j, k))};
  }
  KOKKOS_FORCEINLINE_FUNCTION double ghost(const FaceBalance& face, double here, int i, int j,
                                           int k) const {
    if (materials.count == 0) return here + 2 * (face.temperature(here) - here);
    const int material = materials.number(i, j, k);
    RecentLine<Real> recent;  // rounds end near to each other
    return face.ghost(here, [&](double temperature) {
      return static_cast<double>(
          materials.conductivity(material, axis, static_cast<Real>(temperature), recent));
    });
  }
};

}  // namespace

double face_temperature(const HeatFlows& flows, double inside, double half) {
  if (flows.emissivity > 0) return face_balance(flows, half).temperature(inside);
  if (flows.coefficient == 0) return inside + flows.flux / half;
  return (half * inside + flows.flux + flows.coefficient * flows.ambient) /
         (half + flows.coefficient);
}

double face_temperature(const HeatFlows& flows, double inside, const PropertyTable& conductivity,
                        double h) {
  const double ghost = face_balance(flows, 2 / h).ghost(inside, [&](double temperature) {
    return value_at(conductivity, temperature);
  });
  return 0.5 * (inside + ghost);
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
    : owned_(owned),
      sides_(std::move(sides)),
      conditions_(sides_.size()),
      balances_(sides_.size()) {}

template <class Real>
comm::Box Boundary<Real>::inner_layer(const comm::Box& owned, const Side& side) {
  comm::Int3 inward{0, 0, 0};
  inward[side.axis] = side.end == 0 ? 1 : -1;
  return comm::shifted(ghost_layer(owned, side), inward);
}

template <class Real>
void Boundary<Real>::set(std::size_t index, std::span<const AffineGhost> condition) {
  auto& [of_all, of_cell, on_host] = conditions_[index];
  of_all = rounded<Real>(condition.front());
  if (condition.size() == 1) {
    of_cell = {};
    return;
  }
  if (of_cell.extent(0) != condition.size()) {
    of_cell = decltype(of_cell)("boundary condition", condition.size());
    on_host = Kokkos::create_mirror_view(of_cell);
  }
  std::ranges::transform(condition, on_host.data(), rounded<Real>);
  if constexpr (!comm::kernels_run_on_host) Kokkos::deep_copy(of_cell, on_host);
}

template <class Real>
void Boundary<Real>::set_balances(std::size_t index, std::span<const FaceBalance> faces) {
  auto& [present, of_all, of_face, on_host] = balances_[index];
  auto& condition = conditions_[index].of_cell;
  const auto cells = static_cast<std::size_t>(ghost_layer(owned_, sides_[index]).size());
  if (condition.extent(0) != cells) {
    condition = Kokkos::View<Affine<Real>*, comm::Memory>("boundary condition", cells);
    conditions_[index].on_host = Kokkos::create_mirror_view(condition);
  }
  present = true;
  of_all = faces.front();
  if (faces.size() == 1) return;
  if (of_face.extent(0) != cells) {
    of_face = Kokkos::View<FaceBalance*, comm::Memory>("face balances", cells);
    on_host = Kokkos::create_mirror_view(of_face);
  }
  std::ranges::copy(faces, on_host.data());
  if constexpr (!comm::kernels_run_on_host) Kokkos::deep_copy(of_face, on_host);
}

template <class Real>
void Boundary<Real>::balance(const comm::Space& space, const comm::GridView<const Real>& T,
                             const MaterialsView<Real>& materials) const {
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const auto& [present, of_all, of_face, on_host] = balances_[s];
    if (!present) continue;
    const auto inside = inner_layer(owned_, sides_[s]);
    comm::for_each_cell(space, "balance faces", inside,
                        Balance<Real>{T, inside, of_all, of_face.data(),
                                      conditions_[s].of_cell.data(), materials, sides_[s].axis});
  }
}

template <class Real>
std::optional<double> Boundary<Real>::common_alpha(std::size_t index) const {
  const auto& [of_all, of_cell, on_host] = conditions_[index];
  if (balances_[index].present) return std::nullopt;
  if constexpr (!comm::kernels_run_on_host) {
    if (of_cell.data() != nullptr) Kokkos::deep_copy(on_host, of_cell);  // kernels may change it
  }
  const auto alpha = of_cell.data() == nullptr ? of_all.alpha : on_host(0).alpha;
  for (std::size_t n = 0; n < of_cell.extent(0); ++n) {
    if (on_host(n).alpha != alpha) return std::nullopt;
  }
  return static_cast<double>(alpha);
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
