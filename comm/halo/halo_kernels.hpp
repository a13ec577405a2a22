// SPDX-License-Identifier: MIT
// Between a field and the dense buffers of its messages.
#pragma once

#include "comm/device/flagged_cells.hpp"
#include "comm/device/grid_view.hpp"
#include "comm/halo/halo_plan.hpp"

namespace halotherm::comm {

/// The send or receive boxes of messages as kernels take them.
BoxList boxes_of(const std::vector<HaloMessage>& messages, Box HaloMessage::*which);

/// What a kernel needs to know of messages: the cells of each, its buffer in device memory, x
/// fastest, and the flags.
template <class Value, class Flags>
struct Messages {
  const BoxList& boxes;
  Value* buffers[BoxList::capacity] = {};
  Flags flags = {};
};
template <class Real>
using Outgoing = Messages<Real, Departures>;
template <class Real>
using Incoming = Messages<const Real, Arrivals>;

/// One kernel on `space` that copies the cells of every box to its buffer. Instantiated for float
/// and double, as all of these.
template <class Real>
void pack(const Space& space, const GridView<const Real>& field, const Outgoing<Real>& messages);

/// One kernel on `space` that copies the buffers to the cells of their boxes.
template <class Real>
void unpack(const Space& space, const GridView<Real>& field, const Incoming<Real>& messages);

/// Both in one kernel, where flags are all that is between them.
template <class Real>
void exchange(const Space& space, const GridView<Real>& field, const Outgoing<Real>& sent,
              const Incoming<Real>& received);

}  // namespace halotherm::comm
