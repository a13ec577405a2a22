// SPDX-License-Identifier: MIT
#include "solver/field/cell_values.hpp"

namespace halotherm::solver {

namespace {

template <class Real>
struct Pick {
  comm::GridView<const Real> field;
  Kokkos::View<const comm::Int3*, comm::Memory> cells;
  Kokkos::View<Real*, comm::Memory> values;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    values(n) = field(cells(n)[0], cells(n)[1], cells(n)[2]);
  }
};

}  // namespace

template <class Real>
CellValues<Real>::CellValues(std::span<const comm::Int3> cells)
    : cells_("cells", cells.size()),
      values_("cell values", cells.size()),
      on_host_(Kokkos::create_mirror_view(values_)) {
  const auto host = Kokkos::create_mirror_view(cells_);
  for (std::size_t n = 0; n < cells.size(); ++n) host(n) = cells[n];
  Kokkos::deep_copy(cells_, host);
}

template <class Real>
std::span<const Real> CellValues<Real>::of(const comm::GridView<const Real>& field) {
  if (cells_.extent(0) == 0) return {};
  const comm::Space space;
  Kokkos::parallel_for(
      "cell values",
      Kokkos::RangePolicy<comm::Space>(space, 0, static_cast<std::int64_t>(cells_.extent(0))),
      Pick<Real>{field, cells_, values_});
  space.fence("cell values");
  Kokkos::deep_copy(on_host_, values_);
  return {on_host_.data(), on_host_.extent(0)};
}

template class CellValues<float>;
template class CellValues<double>;
template class CellValues<std::uint8_t>;

}  // namespace halotherm::solver
