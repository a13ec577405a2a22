// SPDX-License-Identifier: MIT
#include "solver/medium/cell_kinds.hpp"

#include <bit>
#include <unordered_map>
#include <utility>

namespace halotherm::solver {

namespace {

struct Kind {
  OfKind<double> entries;
  std::uint16_t material;
  bool operator==(const Kind&) const = default;
};
struct HashOfKind {
  std::size_t operator()(const Kind& kind) const {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // 2^64 / the golden ratio
    std::uint64_t hash = kind.material;
    for (const double entry : kind.entries)
      hash = (hash ^ std::bit_cast<std::uint64_t>(entry)) * odd;
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }
};

/// The face between cells of each pair of kinds, by the kernel that would form it between cells.
template <class Real>
struct FormFaces {
  const Real* resistivity;
  EvenSpacing<Real> spacing;
  int axis, count;
  Real* faces;

  KOKKOS_INLINE_FUNCTION void operator()(int pair) const {
    faces[pair] = spacing.face(axis, resistivity[pair / count], resistivity[pair % count]);
  }
};

}  // namespace

bool kinds_pay(int fields) {
  constexpr bool one_by_one = comm::kernels_run_on_host && pack_bytes < 64;  // no gathers
  return fields > (one_by_one ? 1 : 0);
}

std::optional<FoundKinds> find_kinds(const CellCoefficients& coefficients, const Contacts& contacts,
                                     std::size_t cells) {
  Kind kind{};
  OfKind<const double*> of_cells{};  // null for a number
  for (std::size_t n = 0; n < kind_entries; ++n) {
    if (const auto* number = std::get_if<double>(coefficients[n])) kind.entries[n] = *number;
    if (const auto* all = std::get_if<std::vector<double>>(coefficients[n]))
      of_cells[n] = all->data();
  }
  const auto* materials = contacts.any() ? contacts.of_cell->data() : nullptr;
  FoundKinds found;
  found.of_cell.resize(cells);
  std::unordered_map<Kind, std::uint8_t, HashOfKind> numbers;
  std::optional<Kind> before;  // neighbours are often of one kind
  std::uint8_t number = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t n = 0; n < kind_entries; ++n) {
      if (of_cells[n] != nullptr) kind.entries[n] = of_cells[n][cell];
    }
    if (materials != nullptr) kind.material = materials[cell];
    if (before != kind) {
      const auto next = static_cast<std::uint8_t>(numbers.size());
      const auto [place, is_new] = numbers.try_emplace(kind, next);
      if (is_new && numbers.size() > most_kinds) return std::nullopt;
      if (is_new) {
        found.kinds.push_back(kind.entries);
        found.materials.push_back(kind.material);
      }
      number = place->second;
      before = kind;
    }
    found.of_cell[cell] = number;
  }
  return found;
}

template <class Real>
CellKinds<Real>::CellKinds(const FoundKinds& found, const comm::Box& owned,
                           const comm::Int3& ghosts)
    : of_cell_("kind", owned, ghosts), count_(static_cast<int>(found.kinds.size())) {
  copy_from_host<std::uint8_t>(found.of_cell, of_cell_.allocated(), of_cell_);
  std::vector<Real> entries;
  std::vector<KindHeat<Real>> heats;
  const auto inverse = [](double value) { return static_cast<Real>(1.0 / value); };
  for (std::size_t n = 0; n < kind_entries; ++n) {
    const bool as_it_is = n == static_cast<std::size_t>(KindEntry::source);
    for (const auto& kind : found.kinds)
      entries.push_back(as_it_is ? static_cast<Real>(kind[n]) : inverse(kind[n]));
  }
  for (const auto& [x, y, z, capacity, source] : found.kinds)
    heats.push_back({inverse(capacity), static_cast<Real>(source)});
  entries_ = on_device("coefficients of kinds", entries);
  heats_ = on_device("heat of kinds", heats);
}

template <class Real>
CellValue<Real> CellKinds<Real>::value(KindEntry which) const {
  return {
      .field = {}, .varies = true, .kind = std::as_const(of_cell_).view(), .of_kind = entry(which)};
}

template <class Real>
KindsMedium<Real> CellKinds<Real>::medium(int dimensions, const EvenSpacing<Real>& spacing) {
  const int pairs = count_ * count_;
  faces_ = DeviceArray<Real>(Kokkos::view_alloc("faces of kinds", Kokkos::WithoutInitializing),
                             static_cast<std::size_t>(dimensions * pairs));
  const comm::Space space;
  for (int axis = 0; axis < dimensions; ++axis) {
    const Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<int>> policy(space, 0, pairs);
    Kokkos::parallel_for("faces of kinds", policy,
                         FormFaces<Real>{entry(static_cast<KindEntry>(axis)), spacing, axis, count_,
                                         faces_.data() + axis * pairs});
  }
  space.fence("faces of kinds");
  return medium_of(dimensions, spacing);
}

template <class Real>
KindsMedium<Real> CellKinds<Real>::medium(const std::vector<std::vector<Real>>& faces) {
  std::vector<Real> all;
  for (const auto& of_axis : faces) all.insert(all.end(), of_axis.begin(), of_axis.end());
  faces_ = on_device("faces of kinds", all);
  return medium_of(static_cast<int>(faces.size()), {});
}

template <class Real>
KindsMedium<Real> CellKinds<Real>::medium_of(int dimensions,
                                             const EvenSpacing<Real>& spacing) const {
  KindsMedium<Real> result{std::as_const(of_cell_).view(), count_, {}, spacing};
  for (int axis = 0; axis < dimensions; ++axis)
    result.faces[axis] = faces_.data() + axis * count_ * count_;
  return result;
}

template class CellKinds<float>;
template class CellKinds<double>;

}  // namespace halotherm::solver
