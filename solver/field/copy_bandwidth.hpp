// SPDX-License-Identifier: MIT
// The ceilings that steps are measured against.
#pragma once

#include "solver/field/field.hpp"

namespace halotherm::solver {

/// Copies `source` to `target` (of the same shape; its content is lost), whole arrays, and gives
/// the best rate of `repeats`, by a copy kernel with 16-byte accesses, one or a few a thread, by
/// stores that bypass the caches where CPUs have them, or by the memory system's own copy,
/// whichever is the fastest [bytes/s, read and written]. Blocking.
template <class Real>
double copy_bandwidth(const Field<Real>& source, Field<Real>& target, int repeats);

/// The same for `target` = `a` + s `b`, as STREAM's triad (McCalpin 1995): two arrays read, one
/// written.
template <class Real>
double triad_bandwidth(const Field<Real>& a, const Field<Real>& b, Field<Real>& target,
                       int repeats);

}  // namespace halotherm::solver
