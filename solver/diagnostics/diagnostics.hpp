// SPDX-License-Identifier: MIT
// Diagnostics by a separate pass over the block, for states that no instrumented step produced.
#pragma once

#include "solver/diagnostics/instrument.hpp"
#include "solver/field/field.hpp"

namespace halotherm::solver {

/// Accumulates over the block the same numbers as an instrumented step; `previous` is the field one
/// step before. Blocking.
template <class Real>
Accumulator accumulate(const Field<Real>& temperature, const Field<Real>& previous,
                       const DiagnosticsSettings<Real>& settings);

}  // namespace halotherm::solver
