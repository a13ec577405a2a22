// SPDX-License-Identifier: MIT
// Kernels that copy between fields and the contiguous buffers of their messages.
#pragma once

#include "comm/device/flagged_cells.hpp"
#include "comm/halo/ghosted.hpp"
#include "comm/halo/halo_plan.hpp"

namespace halotherm::comm {

/// The send or receive boxes of messages, as one kernel argument.
BoxList boxes_of(const std::vector<HaloMessage>& messages, Box HaloMessage::*which);

/// The messages of a kernel: their cells, their buffers in device memory, x fastest and one
/// field after another, and the flags.
template <class Value, class Flags>
struct Messages {
  const BoxList& boxes;
  Value* buffers[BoxList::capacity] = {};
  Flags flags = {};
};
template <class Real>
using Outgoing = Messages<Real, Signals>;
template <class Real>
using Incoming = Messages<const Real, Waits>;

/// Launches one kernel that copies the cells of all boxes to their buffers, then signals. All
/// kernels are asynchronous on `space`, and instantiated for float and double.
template <class Real>
void pack(const Space& space, const FieldViews<const Real>& fields, const Outgoing<Real>& messages);

/// Launches one kernel that waits for the flags, then copies the buffers to the cells of their
/// boxes.
template <class Real>
void unpack(const Space& space, const FieldViews<Real>& fields, const Incoming<Real>& messages);

/// Launches one kernel that packs and signals, then waits and unpacks.
template <class Real>
void exchange(const Space& space, const FieldViews<Real>& fields, const Outgoing<Real>& sent,
              const Incoming<Real>& received);

}  // namespace halotherm::comm
