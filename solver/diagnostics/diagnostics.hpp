// SPDX-License-Identifier: MIT
// What a run says of a field that no instrumented step has just computed: a pass of its own over
// the block.
#pragma once

#include "solver/diagnostics/instrument.hpp"
#include "solver/field/field.hpp"

namespace halotherm::solver {

/// Of the block; `previous` is the field one step before. The numbers are those that a instrumented
/// step adds. Blocking.
template <class Real>
Accumulator accumulate(const Field<Real>& temperature, const Field<Real>& previous,
                       const DiagnosticsSettings<Real>& settings);

}  // namespace halotherm::solver
