// SPDX-License-Identifier: MIT
// Kernels that write or read the cells of messages, and signal or wait for their flags.
#pragma once

#include "comm/device/flags.hpp"
#include "comm/device/for_each_cell.hpp"

namespace halotherm::comm {

/// The messages that a kernel writes: `body(b, n, i, j, k)` for each cell of the boxes.
template <class Body>
Sending<detail::VisitSlot<Body>> sending(const Signals& signals, const BoxList& boxes,
                                         const Body& body) {
  return {signals, boxes.slots(), {boxes, body}};
}
/// The messages that a kernel reads: `body(b, n, i, j, k)` for each cell of the boxes.
template <class Body>
Receiving<detail::VisitSlot<Body>> receiving(const Waits& waits, const BoxList& boxes,
                                             const Body& body) {
  return {waits, boxes.slots(), {boxes, body}};
}

namespace detail {

/// On CPUs.
template <class Body>
void for_each_slot(const Space& space, const char* label, std::int64_t slots, const Body& body) {
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  if (slots > 0) Kokkos::parallel_for(label, Policy(space, 0, slots), body);
}

}  // namespace detail

/// The body for each slot, then the signals, if there are any. Asynchronous on `space`.
template <class Body>
void send(const Space& space, const char* label, const Sending<Body>& sending) {
  if constexpr (!kernels_run_on_host) return launch_flagged(space, label, sending);
  detail::for_each_slot(space, label, sending.slots, sending.body);
}
/// The waits, if there are any, then the body for each slot. Asynchronous on `space`.
template <class Body>
void receive(const Space& space, const char* label, const Receiving<Body>& receiving) {
  if constexpr (!kernels_run_on_host)
    return launch_flagged(space, label, Sending<Nothing>{}, receiving);
  detail::for_each_slot(space, label, receiving.slots, receiving.body);
}

}  // namespace halotherm::comm
