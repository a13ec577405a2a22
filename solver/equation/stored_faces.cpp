// SPDX-License-Identifier: MIT
#include "solver/equation/stored_faces.hpp"

namespace halotherm::solver {

namespace {

/// Half the conductance of a face between cells of these widths [m] and K [W/(m² K)].
double half_of_face(double lower_h, double lower_K, double h, double K, double contact) {
  return 1 / (lower_h / lower_K + h / K + 2 * contact);
}

}  // namespace

std::vector<double> lower_faces(const Grid& grid, const comm::Box& box, int axis,
                                const Coefficient& K, const Contacts& contacts) {
  const auto* number = std::get_if<double>(&K);
  std::vector<double> widths;
  for (int index = box.lower[axis] - 1; index < box.upper[axis]; ++index)
    widths.push_back(grid.width(axis, index));
  const std::array<std::size_t, 3> before{
      1, static_cast<std::size_t>(box.extent(0)),
      static_cast<std::size_t>(box.extent(0)) * static_cast<std::size_t>(box.extent(1))};
  std::vector<double> faces(static_cast<std::size_t>(box.size()));
  for (std::size_t n = 0; n < faces.size(); ++n) {
    const auto place =
        n / before[static_cast<std::size_t>(axis)] % static_cast<std::size_t>(box.extent(axis));
    const auto below = place > 0 ? n - before[static_cast<std::size_t>(axis)] : n;
    const double h = widths[place + 1];
    const auto K_of = [&](std::size_t cell) {
      return number ? *number : std::get<std::vector<double>>(K)[cell];
    };
    const double face =
        half_of_face(widths[place], K_of(below), h, K_of(n), contacts.between(below, n));
    faces[n] = grid.even() ? face * (2 / h) : face;
  }
  return faces;
}

std::vector<std::vector<double>> faces_of_kinds(const Grid& grid, const FoundKinds& found,
                                                const Contacts& contacts) {
  std::vector<std::vector<double>> faces;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const double h = grid.width(axis, 0);
    const auto K_of = [&](std::size_t kind) {
      return found.kinds[kind][static_cast<std::size_t>(axis)];
    };
    auto& of_axis = faces.emplace_back();
    for (std::size_t a = 0; a < found.kinds.size(); ++a) {
      for (std::size_t b = 0; b < found.kinds.size(); ++b) {
        const double R = contacts.between_materials(found.materials[a], found.materials[b]);
        of_axis.push_back(half_of_face(h, K_of(a), h, K_of(b), R) * (2 / h));
      }
    }
  }
  return faces;
}

/// Replaces the medium.
template <class Real>
void HeatEquation<Real>::set_contacts_of_kinds(const Material& material, const Grid& grid,
                                               const FoundKinds& found) {
  std::vector<std::vector<Real>> faces;
  for (const auto& of_axis : faces_of_kinds(grid, found, material.contacts))
    faces.emplace_back(of_axis.begin(), of_axis.end());
  medium_ = kinds_->medium(faces);
}

/// Replaces the medium. Of faces between cells beyond the box nothing is known; no step reads them.
template <class Real>
void HeatEquation<Real>::set_stored_medium(const Material& material, const Grid& grid) {
  const auto box = comm::grown(owned_, ghosts_, ghosts_);
  for (int axis = 0; axis < dimensions_; ++axis) {
    auto& field = face_fields_.emplace_back("faces", owned_, ghosts_);
    const auto faces = lower_faces(grid, box, axis, material.along(axis), material.contacts);
    copy_from_host<Real>(std::vector<Real>(faces.begin(), faces.end()), field.allocated(), field);
  }
  const auto with_faces = [&](const auto& spacing) {
    StoredMedium<Real, std::decay_t<decltype(spacing)>> result{{}, spacing};
    for (int axis = 0; axis < dimensions_; ++axis)
      result.lower[axis] = std::as_const(face_fields_[static_cast<std::size_t>(axis)]).view();
    medium_ = result;
  };
  grid.even() ? with_faces(EvenSpacing<Real>{}) : with_faces(uneven_spacing(grid));
}

#define HALOTHERM_INSTANTIATE(Real)                                                     \
  template void HeatEquation<Real>::set_contacts_of_kinds(const Material&, const Grid&, \
                                                          const FoundKinds&);           \
  template void HeatEquation<Real>::set_stored_medium(const Material&, const Grid&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::solver
