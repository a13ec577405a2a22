// SPDX-License-Identifier: MIT
#include "app/problem/device_faces.hpp"

#include <array>
#include <tuple>

namespace halotherm::app {

namespace {

solver::FaceQuantity on_device(const SampledQuantity& quantity,
                               const solver::VariableBounds& variables) {
  solver::FaceQuantity result;
  if (quantity.uniform()) return result;  // numbers come with each moment
  std::tie(result.least, result.most) = limits_of(quantity.range());
  if (!quantity.changes()) {
    result.values = solver::on_device(
        "values of faces", std::vector<double>(quantity.last().begin(), quantity.last().end()));
    return result;
  }
  const auto& code = quantity.formula()->code();
  // on GPUs more kernels take longer than a formula at each face
  const auto factors =
      comm::kernels_run_on_host ? solver::separated(code, variables) : std::nullopt;
  if (factors) {
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

/// Of faces that are no box: numbers that come with each moment, and formulas.
std::vector<solver::FaceQuantity> formulas_on_device(
    const std::vector<SampledQuantity>& quantities) {
  std::vector<solver::FaceQuantity> result(quantities.size());
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    if (quantities[q].uniform()) continue;
    std::tie(result[q].least, result[q].most) = limits_of(quantities[q].range());
    result[q].code = solver::on_device("formula", quantities[q].formula()->code());
  }
  return result;
}

/// What has one value at all faces, at a moment.
template <class Faces>
void set_numbers(SampledSide& values, const Moment& moment, Faces& faces) {
  auto& quantities = values.quantities();
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    if (quantities[q].uniform()) faces.set_number(q, quantities[q].at(moment).front());
  }
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
  set_numbers(values, moment, faces_);
  faces_.evaluate(space, moment.time, conditions, findings, part);
}

template <class Real>
comm::Error DeviceFaces<Real>::error_of(const solver::FormulaFailure& failure,
                                        const SampledSide& values) {
  const auto which = failure.part % solver::most_face_quantities;
  const auto& quantity = values.quantities()[static_cast<std::size_t>(which)];
  const auto& [i, j, k] = failure.place;
  return not_allowed(quantity.key(), failure.value, quantity.range(), comm::ExitCode::usage,
                     place_text(quantity.position({i, j, k}), failure.time));
}

template <class Real>
DeviceVoidFaces<Real>::DeviceVoidFaces(std::vector<solver::VoidFace> faces, SampledSide values)
    : values_(std::move(values)),
      list_(std::move(faces)),
      faces_(list_, values_.is_fixed(), formulas_on_device(values_.quantities())) {
  set(0);
}

template <class Real>
void DeviceVoidFaces<Real>::release(const comm::Space& space,
                                    solver::HeatEquation<Real>& equation) const {
  if (!list_.empty()) faces_.restore(space, equation.changing_source());
}

template <class Real>
void DeviceVoidFaces<Real>::hold(const comm::Space& space,
                                 solver::HeatEquation<Real>& equation) const {
  if (!list_.empty()) faces_.keep(space, equation.changing_source());
  equation.set_void_heat(faces_.view());
}

template <class Real>
void DeviceVoidFaces<Real>::set(const Moment& moment) {
  time_ = moment.time;
  set_numbers(values_, moment, faces_);
}

template <class Real>
void DeviceVoidFaces<Real>::follow(const comm::Space& space, const comm::GridView<const Real>& T,
                                   solver::HeatEquation<Real>& equation) {
  last_space_ = space;
  if (list_.empty()) return;
  faces_.heat(space, time_, T, equation.materials(), equation.changing_source(), findings_.view());
}

template <class Real>
std::optional<std::pair<double, comm::Error>> DeviceVoidFaces<Real>::failure() const {
  const auto first = findings_.failure(last_space_);
  if (!first.found) return std::nullopt;
  const auto& quantity = values_.quantities()[static_cast<std::size_t>(first.part)];
  const auto& face = list_[static_cast<std::size_t>(first.place[0])];
  return std::pair(first.time,
                   not_allowed(quantity.key(), first.value, quantity.range(), comm::ExitCode::usage,
                               place_text(std::to_array(face.position), first.time)));
}

template class DeviceVoidFaces<float>;
template class DeviceVoidFaces<double>;
template class DeviceFaces<float>;
template class DeviceFaces<double>;

}  // namespace halotherm::app
