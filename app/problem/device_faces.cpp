// SPDX-License-Identifier: MIT
#include "app/problem/device_faces.hpp"

namespace halotherm::app {

namespace {

solver::FaceQuantity on_device(const SampledQuantity& quantity,
                               const solver::VariableBounds& variables) {
  solver::FaceQuantity result;
  if (quantity.uniform()) return result;  // numbers come with each moment
  const auto [least, most] = limits_of(quantity.range());
  result.least = least;
  result.most = most;
  if (!quantity.changes()) {
    result.values = solver::on_device(
        "values of faces", std::vector<double>(quantity.last().begin(), quantity.last().end()));
    return result;
  }
  const auto& code = quantity.formula()->code();
  if (const auto factors = solver::separated(code, variables)) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      result.factors[axis] = solver::on_device("factor", (*factors)[axis]);
  } else {
    result.code = solver::on_device("formula", code);
  }
  return result;
}

std::vector<solver::FaceQuantity> on_device(const std::vector<SampledQuantity>& quantities,
                                            const solver::VariableBounds& variables) {
  std::vector<solver::FaceQuantity> result;
  for (const auto& quantity : quantities) result.push_back(on_device(quantity, variables));
  return result;
}

solver::PartOfSide with_coordinates(solver::PartOfSide part, const SampledQuantity& quantity) {
  part.coordinates = quantity.points().coordinates;
  return part;
}

}  // namespace

template <class Real>
DeviceFaces<Real>::DeviceFaces(solver::PartOfSide part, SampledSide& values,
                               const solver::VariableBounds& variables)
    : faces_(with_coordinates(std::move(part), values.quantities().front()),
             on_device(values.quantities(), variables)) {}

template <class Real>
void DeviceFaces<Real>::apply(const comm::Space& space, const Moment& moment, SampledSide& values,
                              const typename solver::Boundary<Real>::Faces& conditions,
                              const solver::FaceFindings::View& findings, std::int32_t part) {
  auto& quantities = values.quantities();
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    if (quantities[q].uniform()) faces_.set_number(q, quantities[q].at(moment).front());
  }
  faces_.evaluate(space, moment.time, conditions, findings, part);
}

template <class Real>
comm::Error DeviceFaces<Real>::error_of(const solver::FormulaFailure& failure,
                                        const SampledSide& values) {
  const auto which = failure.part % solver::ChangingFaces<Real>::most_quantities;
  const auto& quantity = values.quantities()[static_cast<std::size_t>(which)];
  const auto& [i, j, k] = failure.place;
  return not_allowed(quantity.key(), failure.value, quantity.range(), comm::ExitCode::usage,
                     place_text(quantity.position({i, j, k}), failure.time));
}

template class DeviceFaces<float>;
template class DeviceFaces<double>;

}  // namespace halotherm::app
