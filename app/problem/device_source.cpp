// SPDX-License-Identifier: MIT
#include "app/problem/device_source.hpp"

#include "app/config/material_tables.hpp"

#include <algorithm>
#include <array>

namespace halotherm::app {

namespace {

/// What has one value at a time; then its place does not matter.
std::optional<SampledQuantity> number_of(const OwnedQuantity& part, const SamplePoints& points) {
  const auto& [i, j, k] = points.box.lower;
  SamplePoints one{{{i, j, k}, {i + 1, j + 1, k + 1}}, {}};
  for (std::size_t axis = 0; axis < 3; ++axis)
    one.coordinates[axis] = {points.coordinates[axis].front()};
  SampledQuantity quantity(part.key, part.quantity, std::move(one), Range::any);
  if (!quantity.uniform()) return std::nullopt;
  return quantity;
}

}  // namespace

template <class Real>
DeviceSource<Real>::DeviceSource(ChangingSource source, const comm::Box& owned)
    : source_(std::move(source)) {
  const auto& points = source_.points;
  if (source_.factors) {
    product_.emplace(owned, points.box, points.coordinates, *source_.factors);
    return;
  }
  add_parts(owned);
}

template <class Real>
void DeviceSource<Real>::add_parts(const comm::Box& owned) {
  const auto& points = source_.points;
  if (points.owners) owners_ = solver::on_device("owners of sources", *points.owners);
  if (points.owners && !source_.added.empty())
    added_ = solver::on_device("source of void faces", source_.added);
  for (std::size_t n = 0; n < source_.parts.size(); ++n) {
    const auto& part = source_.parts[n];
    const bool follows = source_follows_temperature(part.quantity);
    auto number = follows ? std::nullopt : number_of(part, points);
    solver::DeviceArray<solver::FormulaOperation> code;
    if (!number) {
      const auto& text = std::get<Formula>(part.quantity).text;
      code = solver::on_device("formula", solver::Formula(text, solver::formula_variables).code());
    }
    auto box = points.owners ? cells_of(part.owner) : points.box;
    if (follows) box = comm::intersection(box, owned);
    parts_.push_back({.cells = {.cells = box,
                                .owners = points.owners ? owners_.data() : nullptr,
                                .owner = part.owner,
                                .added = added_.extent(0) > 0 ? added_.data() : nullptr,
                                .temperatures = source_.temperatures[n]},
                      .code = code,
                      .number = std::move(number),
                      .follows_temperature = follows});
  }
  if (points.owners || !parts_.front().number)
    cellwise_.emplace(owned, points.box, points.coordinates);
}

/// The smallest box with all cells of an owner.
template <class Real>
comm::Box DeviceSource<Real>::cells_of(Owner owner) const {
  const auto& points = source_.points;
  comm::Box result{points.box.upper, points.box.lower};
  std::size_t n = 0;
  for_cells(points.box, [&](int i, int j, int k) {
    if ((*points.owners)[n++] != owner) return;
    const comm::Int3 cell{i, j, k};
    for (int axis = 0; axis < 3; ++axis) {
      result.lower[axis] = std::min(result.lower[axis], cell[axis]);
      result.upper[axis] = std::max(result.upper[axis], cell[axis] + 1);
    }
  });
  const bool none = result.upper[0] <= result.lower[0];
  return none ? comm::Box{points.box.lower, points.box.lower} : result;
}

template <class Real>
void DeviceSource<Real>::apply(const comm::Space& space, const Moment& moment,
                               solver::HeatEquation<Real>& equation) {
  last_space_ = space;
  last_time_ = moment.time;
  if (product_) {
    product_->evaluate(space, moment.time, failure_);
    equation.set_source(product_->view());
    return;
  }
  std::int32_t n = -1;
  for (auto& [cells, code, number, follows] : parts_) {
    ++n;
    if (follows) continue;
    const double value = number ? number->at(moment).front() : 0;
    if (!cellwise_) {
      equation.set_source({.value = {{}, static_cast<Real>(value), false}});
      return;
    }
    cellwise_->evaluate(space, code, value, moment.time, cells, n, equation.changing_source(),
                        failure_);
  }
}

template <class Real>
void DeviceSource<Real>::follow(const comm::Space& space, const comm::GridView<const Real>& T,
                                solver::HeatEquation<Real>& equation) {
  last_space_ = space;
  for (std::size_t n = 0; n < parts_.size(); ++n) {
    const auto& part = parts_[n];
    if (!part.follows_temperature) continue;
    cellwise_->evaluate(space, part.code, 0, last_time_, part.cells, static_cast<std::int32_t>(n),
                        equation.changing_source(), failure_, T);
  }
}

template <class Real>
std::optional<std::pair<double, comm::Error>> DeviceSource<Real>::failure() const {
  const auto first = failure_.read(last_space_);
  if (!first.found) return std::nullopt;
  const auto& points = source_.points;
  std::array<double, 3> position{};
  for (int axis = 0; axis < 3; ++axis) {
    position[static_cast<std::size_t>(axis)] =
        points.coordinates[static_cast<std::size_t>(axis)]
                          [static_cast<std::size_t>(first.place[axis] - points.box.lower[axis])];
  }
  const auto& part = source_.parts[static_cast<std::size_t>(first.part)];
  return std::pair(first.time, not_allowed(part.key, first.value, Range::any, comm::ExitCode::usage,
                                           place_text(position, first.time)));
}

template <class Real>
void DeviceSource<Real>::check() const {
  if (const auto first = failure()) throw comm::Error(first->second);
}

template class DeviceSource<float>;
template class DeviceSource<double>;

}  // namespace halotherm::app
