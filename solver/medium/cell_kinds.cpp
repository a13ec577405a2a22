// SPDX-License-Identifier: MIT
#include "solver/medium/cell_kinds.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::solver {

std::optional<FoundKinds> find_kinds(const CellCoefficients& coefficients, std::size_t cells) {
  std::array<double, 3> kind{};
  std::array<const double*, 3> of_cells{};  // null for a number
  for (std::size_t n = 0; n < kind.size(); ++n) {
    if (const auto* number = std::get_if<double>(coefficients[n])) kind[n] = *number;
    if (const auto* all = std::get_if<std::vector<double>>(coefficients[n]))
      of_cells[n] = all->data();
  }
  FoundKinds found;
  found.of_cell.resize(cells);
  std::size_t last = 0;  // neighbours are often of one kind
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t n = 0; n < kind.size(); ++n) {
      if (of_cells[n] != nullptr) kind[n] = of_cells[n][cell];
    }
    if (found.kinds.empty() || found.kinds[last] != kind) {
      const auto at = std::ranges::find(found.kinds, kind);
      last = static_cast<std::size_t>(at - found.kinds.begin());
      if (at == found.kinds.end()) found.kinds.push_back(kind);
      if (found.kinds.size() > CellKindsView<double>::most) return std::nullopt;
    }
    found.of_cell[cell] = static_cast<std::uint8_t>(last);
  }
  return found;
}

template <class Real>
CellKinds<Real>::CellKinds(const std::vector<std::array<Real, 3>>& kinds,
                           const std::vector<std::uint8_t>& of_cell, const comm::Box& owned,
                           const comm::Int3& ghosts)
    : of_cell_("kind", owned, ghosts), count_(static_cast<int>(kinds.size())) {
  copy_from_host<std::uint8_t>(of_cell, of_cell_.allocated(), of_cell_);
  for (std::size_t n = 0; n < coefficients_.size(); ++n) {
    std::vector<Real> values;
    for (const auto& kind : kinds) values.push_back(kind[n]);
    coefficients_[n] = on_device("coefficients of kinds", values);
  }
}

template <class Real>
CellKindsView<Real> CellKinds<Real>::view() const {
  return {std::as_const(of_cell_).view(), count_, coefficients_[0].data(), coefficients_[1].data(),
          coefficients_[2].data()};
}

template class CellKinds<float>;
template class CellKinds<double>;

}  // namespace halotherm::solver
