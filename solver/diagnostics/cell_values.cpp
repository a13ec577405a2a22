// SPDX-License-Identifier: MIT
#include "solver/diagnostics/cell_values.hpp"

namespace halotherm::solver {

namespace {

template <class Real, class Source>
struct Pick {
  Source source;
  Kokkos::View<const comm::Int3*, comm::Memory> cells;
  Kokkos::View<Real*, comm::Memory> values;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    values(n) = source(cells(n)[0], cells(n)[1], cells(n)[2]);
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
template <class Source>
std::span<const Real> CellValues<Real>::read(const Source& source) {
  if (cells_.extent(0) == 0) return {};
  const comm::Space space;
  Kokkos::parallel_for(
      "cell values",
      Kokkos::RangePolicy<comm::Space>(space, 0, static_cast<std::int64_t>(cells_.extent(0))),
      Pick<Real, Source>{source, cells_, values_});
  space.fence("cell values");
  Kokkos::deep_copy(on_host_, values_);
  return {on_host_.data(), on_host_.extent(0)};
}

#define HALOTHERM_INSTANTIATE(Real)                                                         \
  template class CellValues<Real>;                                                          \
  template std::span<const Real> CellValues<Real>::read(const comm::GridView<const Real>&); \
  template std::span<const Real> CellValues<Real>::read(const CellValue<Real>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)
HALOTHERM_INSTANTIATE(std::uint8_t)

}  // namespace halotherm::solver
