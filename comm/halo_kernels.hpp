// SPDX-License-Identifier: MIT
// Between a field and the dense buffers of its messages.
#pragma once

#include "comm/for_each_cell.hpp"
#include "comm/grid_view.hpp"
#include "comm/halo_plan.hpp"

namespace halotherm::comm {

/// The send or receive boxes of messages as kernels take them.
BoxList boxes_of(const std::vector<HaloMessage>& messages, Box HaloMessage::*which);

/// One kernel on `space` that copies the cells of every box, x fastest, to its buffer in device memory. Instantiated for float and
/// double, as `unpack`.
template <class Real>
void pack(const Space& space, const BoxList& boxes, const GridView<const Real>& field, Real* const (&buffers)[BoxList::capacity]);

/// One kernel on `space` that copies the buffers to the cells of their boxes.
template <class Real>
void unpack(const Space& space, const BoxList& boxes, const GridView<Real>& field, const Real* const (&buffers)[BoxList::capacity]);

}  // namespace halotherm::comm
