// SPDX-License-Identifier: MIT
// Kernels that write or read the cells of messages and wait for, or set, their flags.
#pragma once

#include "comm/device/flags.hpp"
#include "comm/device/for_each_cell.hpp"

namespace halotherm::comm {

/// The cells of boxes as messages that a kernel writes or reads.
template <class Body>
Sending<detail::VisitSlot<Body>> sending(const Departures& departures, const BoxList& boxes,
                                         const Body& body) {
  return {departures, boxes.slots(), {boxes, body}};
}
template <class Body>
Receiving<detail::VisitSlot<Body>> receiving(const Arrivals& arrivals, const BoxList& boxes,
                                             const Body& body) {
  return {arrivals, boxes.slots(), {boxes, body}};
}

/// As for_each_cell_of, with flags if there are some.
template <class Body>
void send_cells(const Space& space, const char* label, const Departures& departures,
                const BoxList& boxes, const Body& body) {
  if (departures.count == 0) return for_each_cell_of(space, label, boxes, body);
  launch_flagged(space, label, sending(departures, boxes, body));
}
template <class Body>
void receive_cells(const Space& space, const char* label, const Arrivals& arrivals,
                   const BoxList& boxes, const Body& body) {
  if (arrivals.count == 0) return for_each_cell_of(space, label, boxes, body);
  launch_flagged(space, label, Sending<Nothing>{}, receiving(arrivals, boxes, body));
}

}  // namespace halotherm::comm
