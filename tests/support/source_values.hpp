// SPDX-License-Identifier: MIT
// The values of a source that kernels see, on the host.
#pragma once

#include "comm/device/for_each_cell.hpp"
#include "solver/field/dense.hpp"
#include "solver/medium/cell_value.hpp"

#include <vector>

namespace halotherm::test {

template <class Real>
struct CopySource {
  solver::CellSource<Real> source;
  comm::GridView<Real> to;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const {
    to(i, j, k) = source(i, j, k);
  }
};

/// In the cells of a box, x fastest. Blocking.
template <class Real>
std::vector<Real> values_of(const solver::CellSource<Real>& source, const comm::Box& box) {
  std::vector<Real> values(static_cast<std::size_t>(box.size()));
  const auto buffer = solver::on_device("source", values);
  comm::for_each_cell(comm::Space(), "source", box,
                      CopySource<Real>{source, solver::dense_view(buffer.data(), box)});
  Kokkos::deep_copy(solver::HostSpan<Real>(values.data(), values.size()), buffer);
  return values;
}

}  // namespace halotherm::test
