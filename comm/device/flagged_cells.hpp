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

/// for_each_cell_of, then the signals, if there are any. Asynchronous on `space`.
template <class Body>
void send_cells(const Space& space, const char* label, const Signals& signals, const BoxList& boxes,
                const Body& body) {
  if (signals.count == 0) return for_each_cell_of(space, label, boxes, body);
  launch_flagged(space, label, sending(signals, boxes, body));
}
/// The waits, if there are any, then for_each_cell_of. Asynchronous on `space`.
template <class Body>
void receive_cells(const Space& space, const char* label, const Waits& waits, const BoxList& boxes,
                   const Body& body) {
  if (waits.count == 0) return for_each_cell_of(space, label, boxes, body);
  launch_flagged(space, label, Sending<Nothing>{}, receiving(waits, boxes, body));
}

}  // namespace halotherm::comm
