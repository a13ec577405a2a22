// SPDX-License-Identifier: MIT
// Reductions over the cells of a box.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/partition/box.hpp"
#include "solver/field/pack.hpp"

#include <utility>

namespace halotherm::solver {

namespace detail {

/// Iterates over rows on CPUs, and over short columns of cells on GPUs: 64-bit divisions give the
/// place of a slot.
template <class Body>
struct ReduceSlot {
  static constexpr int column = 16;  ///< cells along z
  comm::Box box;
  Body body;
  using value_type = typename Body::value_type;
  KOKKOS_INLINE_FUNCTION void init(value_type& value) const { body.init(value); }
  KOKKOS_INLINE_FUNCTION void join(value_type& value, const value_type& other) const {
    body.join(value, other);
  }
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t slot, value_type& value) const {
    const std::int64_t nx = box.extent(0);
    const std::int64_t ny = box.extent(1);
    const std::int64_t row = comm::kernels_run_on_host ? slot : slot / nx;
    const int j = box.lower[1] + static_cast<int>(row % ny);
    const int k =
        box.lower[2] + static_cast<int>(row / ny) * (comm::kernels_run_on_host ? 1 : column);
    if constexpr (comm::kernels_run_on_host && requires { body.row(0, 0, 0, 0, value); }) {
      body.row(box.lower[0], box.upper[0], j, k, value);
    } else if constexpr (comm::kernels_run_on_host) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) body(i, j, k, value);
    } else {
      visit_column(box.lower[0] + static_cast<int>(slot % nx), j, k, value);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void visit_column(int i, int j, int k, value_type& value) const {
    const int end = Kokkos::min(k + column, box.upper[2]);
    if constexpr (requires { body.term(0, 0, 0); }) {
      constexpr int at_once = 4;
      for (; k + at_once <= end; k += at_once) {
        decltype(body.term(0, 0, 0)) terms[at_once];
        HALOTHERM_UNROLL
        for (int n = 0; n < at_once; ++n) terms[n] = body.term(i, j, k + n);
        HALOTHERM_UNROLL
        for (int n = 0; n < at_once; ++n) body.add_term(terms[n], i, j, k + n, value);
      }
      for (; k < end; ++k) body.add_term(body.term(i, j, k), i, j, k, value);
    } else if constexpr (requires { body.column(0, 0, 0, 0, value); }) {
      body.column(i, j, k, end, value);
    } else {
      for (; k < end; ++k) body(i, j, k, value);
    }
  }
};

}  // namespace detail

/// Joins `body(i, j, k, value)` over the cells of a box that is not empty, into `result`, a view of
/// one value in device memory. `body` gives value_type, init and join as Kokkos' reducing functors
/// do; join must not depend on the order, so that the result does not depend on threads or blocks.
/// On CPUs a body may instead take whole rows, by `row(first, end, j, k, value)`, on GPUs short
/// columns of cells along z, by `column(i, j, first, end, value)`; or there it may have its work in
/// two parts, `term(i, j, k)`, which reads, and `add_term(term, i, j, k, value)`: then several
/// cells' loads are on their way at a time. Asynchronous on `space`.
template <class Body, class Result>
void reduce_cells(const comm::Space& space, const char* label, const comm::Box& box,
                  const Body& body, Result&& result) {
  constexpr int column = detail::ReduceSlot<Body>::column;
  const std::int64_t planes =
      comm::kernels_run_on_host ? box.extent(2) : (box.extent(2) + column - 1) / column;
  const std::int64_t rows = box.extent(1) * planes;
  const std::int64_t slots = comm::kernels_run_on_host ? rows : rows * box.extent(0);
  Kokkos::parallel_reduce(
      label, Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<std::int64_t>>(space, 0, slots),
      detail::ReduceSlot<Body>{box, body}, std::forward<Result>(result));
}

/// The same for any box, with the value as a result. Blocking.
template <class Body>
typename Body::value_type reduce_cells(const char* label, const comm::Box& box, const Body& body) {
  typename Body::value_type result;
  body.init(result);
  if (box.empty()) return result;
  const comm::Space space;
  reduce_cells(space, label, box, body, result);
  space.fence("reduced");
  return result;
}

}  // namespace halotherm::solver
