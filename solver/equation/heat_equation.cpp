// SPDX-License-Identifier: MIT
#include "solver/equation/heat_equation.hpp"

#include "comm/device/for_each_cell.hpp"

#include <algorithm>
#include <utility>

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

template <class Real>
struct CopySource {
  CellSource<Real> source;
  comm::GridView<Real> to;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const {
    to(i, j, k) = source(i, j, k);
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
}

template <class Real>
void HeatEquation<Real>::set(const Material& material, const Grid& grid) {
  auto found = set_kinds(material, grid, true);
  // cells may be of few kinds but for their sources
  if (!found && std::holds_alternative<std::vector<double>>(material.source))
    found = set_kinds(material, grid, false);
  set_medium(material, grid);
  if (material.contacts.any()) {
    if (found && grid.even()) {
      set_contacts_of_kinds(material, grid, *found);
    } else {
      set_stored_medium(material, grid);
    }
  }
  inverse_capacity_ = cell_value("inverse heat capacity", material.volumetric_heat_capacity,
                                 inverse, inverse_capacity_field_, KindEntry::capacity);
  set_source(material.source);
}

template <class Real>
std::optional<FoundKinds> HeatEquation<Real>::set_kinds(const Material& material, const Grid& grid,
                                                        bool with_source) {
  const Coefficient none = 0.0;
  CellCoefficients all{&none, &none, &none, &material.volumetric_heat_capacity,
                       with_source ? &material.source : &none};
  for (int axis = 0; grid.even() && axis < dimensions_; ++axis)
    all[static_cast<std::size_t>(axis)] = &material.along(axis);
  OfKind<bool> varies{};
  std::ranges::transform(all, varies.begin(), [](const Coefficient* coefficient) {
    return std::holds_alternative<std::vector<double>>(*coefficient);
  });
  const bool K_varies = varies[0] || varies[1] || varies[2];
  const int fields = (K_varies ? static_cast<int>(material.conductivity.size()) : 0) +
                     (grid.even() && material.contacts.any() ? dimensions_ : 0) +
                     (varies[3] ? 1 : 0) + (varies[4] ? 1 : 0);
  if (!kinds_pay(fields)) return std::nullopt;
  const auto cells = static_cast<std::size_t>(comm::grown(owned_, ghosts_, ghosts_).size());
  auto found = find_kinds(all, material.contacts, cells);
  if (!found) return found;
  kinds_.emplace(*found, owned_, ghosts_);
  by_kind_ = {K_varies, K_varies, K_varies, varies[3], varies[4]};
  heats_are_of_kinds_ = with_source;
  return found;
}

template <class Real>
void HeatEquation<Real>::set(const TabulatedMaterial& material, const Grid& grid) {
  materials_.emplace(material.materials, material.of_cell, material.contacts, owned_, ghosts_);
  set_source(material.source);
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
void HeatEquation<Real>::set_source(const Coefficient& source) {
  source_ = {.value = cell_value("source", source, same, source_field_, KindEntry::source)};
}

template <class Real>
CellValue<Real> HeatEquation<Real>::cell_value(const char* label, const Coefficient& coefficient,
                                               double (*convert)(double),
                                               std::optional<Field<Real>>& storage,
                                               KindEntry entry) {
  if (by_kind_[static_cast<std::size_t>(entry)]) return kinds_->value(entry);
  if (const auto* number = std::get_if<double>(&coefficient))
    return {{}, static_cast<Real>(convert(*number)), false};
  if (!storage) storage.emplace(label, owned_, ghosts_);
  const auto values = converted<Real>(std::get<std::vector<double>>(coefficient), convert);
  copy_from_host<Real>(values, storage->allocated(), *storage);
  return {std::as_const(*storage).view(), Real(0), true};
}

template <class Real>
void HeatEquation<Real>::set_medium(const Material& material, const Grid& grid) {
  const auto& conductivity = material.conductivity;
  const bool uniform = std::ranges::all_of(
      conductivity, [](const auto& K) { return std::holds_alternative<double>(K); });
  if (uniform) {
    std::array<double, 3> K{};
    for (int axis = 0; axis < dimensions_; ++axis) {
      K[axis] = std::get<double>(material.along(axis));
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
    const auto& K = material.along(axis);
    const auto* number = by_kind_[0] ? nullptr : std::get_if<double>(&K);
    Coefficient of_cells;
    if (number != nullptr) of_cells = std::vector<double>(cells, *number);
    resistivity_[axis] = cell_value("resistivity", number != nullptr ? std::as_const(of_cells) : K,
                                    inverse, resistivity_fields_[static_cast<std::size_t>(axis)],
                                    static_cast<KindEntry>(axis));
    ++conductivities_;
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
    if (by_kind_[0]) {
      medium_ = kinds_->medium(dimensions_, spacing);
    } else {
      medium_ = with_resistivities(spacing);
    }
    return;
  }
  medium_ = with_resistivities(uneven_spacing(grid));
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
comm::GridView<Real> HeatEquation<Real>::changing_source() {
  if (!source_field_) {
    source_field_.emplace("source", owned_, ghosts_);
    const comm::Space space;
    comm::for_each_cell(space, "source", source_field_->allocated(),
                        CopySource<Real>{source_, source_field_->view()});
    space.fence("source");
    set_source({.value = {.field = std::as_const(*source_field_).view(), .varies = true}});
  }
  return source_field_->view();
}

template <class Real>
int HeatEquation<Real>::bytes_per_cell() const {
  const int faces = has_faces_of_kinds()    ? 0
                    : !face_fields_.empty() ? static_cast<int>(face_fields_.size())
                                            : conductivities_;
  const int varying =
      faces + (inverse_capacity_.in_field() ? 1 : 0) + (source_.value.in_field() ? 1 : 0);
  const bool has_byte = kinds_ || materials().of_cell.data != nullptr;
  return static_cast<int>(sizeof(Real)) * (2 + varying) + (has_byte ? 1 : 0);
}

template <class Real>
int HeatEquation<Real>::flops_per_cell() const {
  constexpr int with_one_mean = 3 + 6;  // K varies: a face's mean, which two cells share
  // K at the three cells of an axis, two means; and the root that gives the temperature
  if (materials_) return 3 * 3 + (6 + 6) * dimensions_ + 12;
  const bool even = !volume_shares().differ();
  const int uneven_mean = even ? 0 : 3;  // a cell's resistance, and what it sees of both faces
  const bool stored = has_faces_of_kinds() || !face_fields_.empty();
  const int per_axis = stored                ? (even ? 6 : 8)
                       : conductivities_ > 0 ? with_one_mean + uneven_mean
                       : even                ? 5
                                             : 6;
  const int rate = inverse_capacity_.varies ? 1 : 0;
  return per_axis * dimensions_ + rate + 2;
}

template class HeatEquation<float>;
template class HeatEquation<double>;

}  // namespace halotherm::solver
