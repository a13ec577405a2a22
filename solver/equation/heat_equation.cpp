// SPDX-License-Identifier: MIT
#include "solver/equation/heat_equation.hpp"

#include "solver/equation/stored_faces.hpp"
#include "solver/field/reduce_cells.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

template <class Real>
std::vector<Real> converted(const std::vector<double>& values, double (*convert)(double)) {
  std::vector<Real> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(),
                 [&](double value) { return static_cast<Real>(convert(value)); });
  return result;
}

double same(double value) {
  return value;
}
double inverse(double value) {
  return 1.0 / value;
}

Coefficient inverted(const Coefficient& coefficient) {
  if (const auto* number = std::get_if<double>(&coefficient)) return inverse(*number);
  return converted<double>(std::get<std::vector<double>>(coefficient), inverse);
}

/// K along an axis.
const Coefficient& along(const std::vector<Coefficient>& conductivity, int axis) {
  return conductivity[conductivity.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
}

template <class Real>
struct LargestCapacity {
  using value_type = double;
  HeatContent<Real> heat;

  KOKKOS_INLINE_FUNCTION void init(double& largest) const { largest = 0; }
  KOKKOS_INLINE_FUNCTION void join(double& largest, const double& other) const {
    largest = Kokkos::max(largest, other);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, double& largest) const {
    if (heat.is_void(i, j, k)) return;
    const double capacity =
        heat.tabulated() ? static_cast<double>(heat.materials.at(i, j, k).heat_capacity.largest)
                         : 1.0 / static_cast<double>(heat.inverse_capacity(i, j, k));
    largest = Kokkos::max(largest, capacity);
  }
};

}  // namespace

const Coefficient& source_of(const AnyMaterial& material) {
  return std::visit([](const auto& any) -> const Coefficient& { return any.source; }, material);
}

template <class Real>
HeatEquation<Real>::HeatEquation(const Grid& grid, const comm::Box& owned,
                                 const AnyMaterial& material, int ghost_layers)
    : dimensions_(grid.dimensions),
      owned_(owned),
      ghosts_(grid.ghosts(ghost_layers)),
      shares_(grid, owned) {
  std::visit([&](const auto& any) { set(any, grid); }, material);
  source_ = {.value = cell_value("source", source_of(material), source_field_)};
}

template <class Real>
void HeatEquation<Real>::set(const Material& material, const Grid& grid) {
  set_medium(material.conductivity, grid);
  if (material.contacts.any()) set_stored_medium(material, grid);
  inverse_capacity_ =
      cell_value("inverse heat capacity", inverted(material.volumetric_heat_capacity),
                 inverse_capacity_field_);
  if (!comm::kernels_run_on_host) set_kinds(material);
}

template <class Real>
void HeatEquation<Real>::set_kinds(const Material& material) {
  const bool varies = std::holds_alternative<VaryingMedium<Real, EvenSpacing<Real>>>(medium_);
  if (dimensions_ < 3 || !varies || !isotropic()) return;
  const auto cells = static_cast<std::size_t>(comm::grown(owned_, ghosts_, ghosts_).size());
  const auto found = find_kinds(
      {&material.conductivity.front(), &material.volumetric_heat_capacity, &material.source},
      cells);
  if (!found) return;
  std::vector<std::array<Real, 3>> kinds;
  for (const auto& [K, capacity, source] : found->kinds) {
    kinds.push_back({static_cast<Real>(inverse(K)), static_cast<Real>(inverse(capacity)),
                     static_cast<Real>(source)});
  }
  kinds_.emplace(kinds, found->of_cell, owned_, ghosts_);
}

template <class Real>
void HeatEquation<Real>::set(const TabulatedMaterial& material, const Grid& grid) {
  materials_.emplace(material.materials, material.of_cell, material.contacts, owned_, ghosts_);
  if (!grid.even()) {
    medium_ = TabulatedMedium<Real, UnevenWidths<Real>>{materials_->view(), uneven_widths(grid)};
    return;
  }
  EvenWidths<Real> widths{};
  for (int axis = 0; axis < dimensions_; ++axis) {
    const double h = grid.spacing(axis);
    widths.half_inverse_h2[axis] = static_cast<Real>(0.5 / (h * h));
    widths.two_over_h[axis] = static_cast<Real>(2 / h);
  }
  medium_ = TabulatedMedium<Real, EvenWidths<Real>>{materials_->view(), widths};
}

template <class Real>
CellValue<Real> HeatEquation<Real>::cell_value(const char* label, const Coefficient& coefficient,
                                               std::optional<Field<Real>>& storage) {
  if (const auto* number = std::get_if<double>(&coefficient))
    return {{}, static_cast<Real>(*number), false};
  if (!storage) storage.emplace(label, owned_, ghosts_);
  const auto values = converted<Real>(std::get<std::vector<double>>(coefficient), same);
  copy_from_host<Real>(values, storage->allocated(), *storage);
  return {std::as_const(*storage).view(), Real(0), true};
}

template <class Real>
void HeatEquation<Real>::set_medium(const std::vector<Coefficient>& conductivity,
                                    const Grid& grid) {
  const bool uniform = std::ranges::all_of(
      conductivity, [](const auto& K) { return std::holds_alternative<double>(K); });
  if (uniform) {
    std::array<double, 3> K{};
    for (int axis = 0; axis < dimensions_; ++axis) {
      K[axis] = std::get<double>(along(conductivity, axis));
      resistivity_[axis] = {{}, static_cast<Real>(inverse(K[axis])), false};
    }
    return set_uniform_medium(K, grid);
  }
  const auto cells = static_cast<std::size_t>(comm::grown(owned_, ghosts_, ghosts_).size());
  for (int axis = 0; axis < dimensions_; ++axis) {
    if (axis > 0 && conductivity.size() == 1) {
      resistivity_[axis] = resistivity_[0];
      continue;
    }
    const auto& K = along(conductivity, axis);
    const auto* number = std::get_if<double>(&K);
    resistivity_[axis] = cell_value(
        "resistivity", inverted(number ? Coefficient(std::vector<double>(cells, *number)) : K),
        resistivity_fields_[axis]);
    ++conductivity_fields_;
  }
  set_varying_medium(grid);
}

template <class Real>
void HeatEquation<Real>::set_uniform_medium(const std::array<double, 3>& K, const Grid& grid) {
  if (grid.even()) {
    UniformMedium<Real> result{};
    for (int axis = 0; axis < dimensions_; ++axis) {
      result.faces.conductance[axis] =
          static_cast<Real>(K[axis] / (grid.spacing(axis) * grid.spacing(axis)));
    }
    medium_ = result;
    return;
  }
  StretchedMedium<Real> result{};
  for (int axis = 0; axis < dimensions_; ++axis) {
    const auto conductances = [&](int way) {
      return add_entries(axis, [&](int index) {
        const double h = grid.width(axis, index);
        return K[axis] * (2 / (h * (grid.width(axis, index + way) + h)));
      });
    };
    result.lower[axis] = conductances(-1);
    result.upper[axis] = conductances(1);
  }
  medium_ = result;
}

template <class Real>
void HeatEquation<Real>::set_varying_medium(const Grid& grid) {
  const auto with_resistivities = [&](const auto& spacing) {
    VaryingMedium<Real, std::decay_t<decltype(spacing)>> result{{}, spacing};
    for (int axis = 0; axis < dimensions_; ++axis)
      result.resistivity[axis] = resistivity_[axis].field;
    return result;
  };
  if (grid.even()) {
    EvenSpacing<Real> spacing{};
    for (int axis = 0; axis < dimensions_; ++axis)
      spacing.two_over_h2[axis] =
          static_cast<Real>(2.0 / (grid.spacing(axis) * grid.spacing(axis)));
    medium_ = with_resistivities(spacing);
    return;
  }
  medium_ = with_resistivities(uneven_spacing(grid));
}

/// Replaces the medium. Of faces between cells beyond the box nothing is known; no step reads them.
template <class Real>
void HeatEquation<Real>::set_stored_medium(const Material& material, const Grid& grid) {
  const auto box = comm::grown(owned_, ghosts_, ghosts_);
  for (int axis = 0; axis < dimensions_; ++axis) {
    auto& field = face_fields_.emplace_back("faces", owned_, ghosts_);
    const auto faces =
        lower_faces(grid, box, axis, along(material.conductivity, axis), material.contacts);
    copy_from_host<Real>(converted<Real>(faces, same), field.allocated(), field);
  }
  const auto with_faces = [&](const auto& spacing) {
    StoredMedium<Real, std::decay_t<decltype(spacing)>> result{{}, spacing};
    for (int axis = 0; axis < dimensions_; ++axis)
      result.lower[axis] = std::as_const(face_fields_[static_cast<std::size_t>(axis)]).view();
    medium_ = result;
  };
  grid.even() ? with_faces(EvenSpacing<Real>{}) : with_faces(uneven_spacing(grid));
}

template <class Real>
UnevenSpacing<Real> HeatEquation<Real>::uneven_spacing(const Grid& grid) {
  UnevenSpacing<Real> spacing{};
  for (int axis = 0; axis < dimensions_; ++axis) {
    spacing.width[axis] = add_entries(axis, [&](int index) { return grid.width(axis, index); });
    spacing.two_over_width[axis] =
        add_entries(axis, [&](int index) { return 2 / grid.width(axis, index); });
  }
  return spacing;
}

template <class Real>
UnevenWidths<Real> HeatEquation<Real>::uneven_widths(const Grid& grid) {
  const auto [width, two_over_width] = uneven_spacing(grid);
  UnevenWidths<Real> widths{};
  for (int axis = 0; axis < dimensions_; ++axis) {
    widths.width[axis] = width[axis];
    widths.two_over_width[axis] = two_over_width[axis];
    widths.half_over_both[axis] = add_entries(axis, [&](int index) {
      return 0.5 / (grid.width(axis, index - 1) + grid.width(axis, index));
    });
  }
  return widths;
}

template <class Real>
template <class Entry>
const Real* HeatEquation<Real>::add_entries(int axis, const Entry& entry) {
  return axis_entries_[axis_entries_.add(owned_, axis, entry)];
}

template <class Real>
double HeatEquation<Real>::largest_capacity(const comm::Box& owned) const {
  const auto heat = heat_content();
  if (!heat.varies()) return 1.0 / static_cast<double>(inverse_capacity_.value);
  return reduce_cells("largest capacity", owned, LargestCapacity<Real>{heat});
}

template <class Real>
int HeatEquation<Real>::bytes_per_cell() const {
  const int faces =
      face_fields_.empty() ? conductivity_fields_ : static_cast<int>(face_fields_.size());
  const int varying = faces + (inverse_capacity_.varies ? 1 : 0) + (source_.value.varies ? 1 : 0);
  const int material = materials().of_cell.data == nullptr ? 0 : 1;
  return static_cast<int>(sizeof(Real)) * (2 + varying) + material;
}

template <class Real>
int HeatEquation<Real>::flops_per_cell() const {
  constexpr int with_one_mean = 3 + 6;  // K varies: a face's mean, which two cells share
  // K at the three cells of an axis, two means; and the root that gives the temperature
  if (materials_) return 3 * 3 + (6 + 6) * dimensions_ + 12;
  const bool even = !volume_shares().differ();
  const int uneven_mean = even ? 0 : 3;  // a cell's resistance, and what it sees of both faces
  const bool stored = !face_fields_.empty();
  const int per_axis = stored                     ? (even ? 6 : 8)
                       : conductivity_fields_ > 0 ? with_one_mean + uneven_mean
                       : even                     ? 5
                                                  : 6;
  const int rate = inverse_capacity_.varies ? 1 : 0;
  return per_axis * dimensions_ + rate + 2;
}

template class HeatEquation<float>;
template class HeatEquation<double>;

}  // namespace halotherm::solver
