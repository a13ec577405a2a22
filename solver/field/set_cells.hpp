// SPDX-License-Identifier: MIT
// Kernel launches that set a value in each cell of a box, with several cells' loads on their way at
// a time on GPUs.
#pragma once

#include "comm/device/for_each_cell.hpp"
#include "solver/field/pack.hpp"

namespace halotherm::solver {

namespace detail {

template <class Body>
struct SetCell {
  Body body;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    body.set(i, j, k, body.value(i, j, k));
  }
  void row(int first, int last, int j, int k) const
      requires(requires(const Body& b) { b.row(0, 0, 0, 0); }) {
    body.row(first, last, j, k);
  }
};

/// Some cells along z.
template <class Body>
struct SetColumn {
  static constexpr int cells = 4;
  comm::Box box;
  Body body;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int x, int y, int column) const {
    const int i = box.lower[0] + x, j = box.lower[1] + y, k = box.lower[2] + cells * column;
    if (k + cells > box.upper[2]) {
      for (int at = k; at < box.upper[2]; ++at) body.set(i, j, at, body.value(i, j, at));
      return;
    }
    decltype(body.value(0, 0, 0)) values[cells];
    HALOTHERM_UNROLL
    for (int n = 0; n < cells; ++n) values[n] = body.value(i, j, k + n);
    HALOTHERM_UNROLL
    for (int n = 0; n < cells; ++n) body.set(i, j, k + n, values[n]);
  }
};

}  // namespace detail

/// Launches `body.set(i, j, k, body.value(i, j, k))` for each cell of the box, which may be large.
/// `set` writes only its own cell, and `value` reads no other cell that `set` writes. On CPUs a
/// body's `row(first, last, j, k)`, if it has one, does the same for the cells of a row.
/// Asynchronous on `space`.
template <class Body>
void set_cells(const comm::Space& space, const char* label, const comm::Box& box,
               const Body& body) {
  using Column = detail::SetColumn<Body>;
  if constexpr (!comm::kernels_run_on_host) {
    if (!comm::is_thin(box) && box.extent(1) >= 4 && box.extent(2) >= Column::cells) {
      const int columns = (box.extent(2) + Column::cells - 1) / Column::cells;
      return comm::for_each_index(space, label, {box.extent(0), box.extent(1), columns},
                                  Column{box, body});
    }
  }
  comm::for_each_cell(space, label, box, detail::SetCell<Body>{body});
}

}  // namespace halotherm::solver
