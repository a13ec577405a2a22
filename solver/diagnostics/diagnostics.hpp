// SPDX-License-Identifier: MIT
// What a run says of a field that no watched step has just computed: a pass of its own over the block.
#pragma once

#include "solver/field/field.hpp"
#include "solver/diagnostics/instrument.hpp"

namespace halotherm::solver {

/// Of the block; `previous` is the field one step before. The numbers are those that a watched step notes. Blocking.
template <class Real>
Tally tally_of(const Field<Real>& temperature, const Field<Real>& previous, const WatchSettings<Real>& settings);

}  // namespace halotherm::solver
