// SPDX-License-Identifier: MIT
// The ceiling that a run is measured against.
#pragma once

#include "solver/field.hpp"

namespace halotherm::solver {

/// Copies `source` to `target` (of the same shape; its content is lost), whole arrays, and gives the best rate of `repeats`, by a
/// copy kernel with 16-byte accesses or by the memory system's own copy, whichever is faster [bytes/s, read and written]. Blocking.
template <class Real>
double copy_bandwidth(const Field<Real>& source, Field<Real>& target, int repeats);

}  // namespace halotherm::solver
