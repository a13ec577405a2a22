// SPDX-License-Identifier: MIT
#include "solver/linear/separable_matrix.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::solver {

namespace {

template <class Value>
Kokkos::View<Value*, comm::Memory> on_device(const std::vector<Value>& values) {
  Kokkos::View<Value*, comm::Memory> result("along an axis", values.size());
  const auto host = Kokkos::create_mirror_view(result);
  std::ranges::copy(values, host.data());
  Kokkos::deep_copy(result, host);
  return result;
}

std::vector<float> rounded(const std::vector<double>& values) {
  std::vector<float> result(values.size());
  std::ranges::transform(values, result.begin(),
                         [](double value) { return static_cast<float>(value); });
  return result;
}

/// Of the cells along an axis and of those within the margin.
std::vector<AxisRates> rates_of(const AxisFactors& factors, bool periodic) {
  constexpr int margin = SeparableMatrix::margin;
  const int cells = static_cast<int>(factors.area.size());
  std::vector<AxisRates> rates(static_cast<std::size_t>(cells + 2 * margin));
  for (int index = -margin; index < cells + margin; ++index) {
    const bool inside = index >= 0 && index < cells;
    if (!inside && !periodic) continue;
    const auto cell = static_cast<std::size_t>((index % cells + cells) % cells);
    const double area = factors.area[cell];
    rates[static_cast<std::size_t>(index + margin)] = {
        static_cast<float>(factors.face[cell] / area),
        static_cast<float>(factors.face[cell + 1] / area), static_cast<float>(1 / area)};
  }
  return rates;
}

}  // namespace

SeparableMatrix::SeparableMatrix(const LevelGrid& grid, std::array<AxisFactors, 3> factors,
                                 double mass)
    : grid_(grid), factors_(std::move(factors)), mass_(mass) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (factors_[axis].area.empty()) continue;
    face_[axis] = on_device(rounded(factors_[axis].face));
    area_[axis] = on_device(rounded(factors_[axis].area));
    rates_[axis] = on_device(rates_of(factors_[axis], grid.periodic[static_cast<int>(axis)]));
  }
}

SeparableView SeparableMatrix::view() const {
  SeparableView view;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    view.face[axis] = face_[axis].data();
    view.area[axis] = area_[axis].data();
    view.along[axis] = rates_[axis].data() + margin;
  }
  view.mass = static_cast<float>(mass_);
  return view;
}

bool SeparableMatrix::anchored() const {
  bool result = mass_ > 0;
  for (int axis = 0; axis < grid_.dimensions; ++axis) {
    const auto& face = along(axis).face;
    if (!grid_.periodic[axis]) result = result || face.front() > 0 || face.back() > 0;
  }
  return result;
}

}  // namespace halotherm::solver
