// SPDX-License-Identifier: MIT
// A stage of a step on a part of a block: the operator that it asks for, on its fields.
#pragma once

#include "solver/integrators/scheme.hpp"
#include "solver/kernels/apply.hpp"

#include <array>

namespace halotherm::solver {

/// The temperature and the scratch fields of a step, by their numbers in its stages.
template <class Real>
using StageViews = std::array<comm::GridView<Real>, Scheme::most_fields>;

/// Launches a stage of a step of length `dt` [s] on `region`; asynchronous on `space`. `in` is the
/// field `stage.from`, as `apply` takes it: a view for cells whose stencil reads no exchanged ghost
/// cell, or Ghosted. `board` takes the accumulators, if not null.
template <class Real, class In>
void apply_stage(const comm::Space& space, const comm::Region& region,
                 const HeatEquation<Real>& equation, const Boundary<Real>& boundary,
                 const Stage& stage, double dt, const In& in, const StageViews<Real>& fields,
                 AccumulatorBoard<Real>* board = nullptr) {
  const auto field = [&](int n) -> const comm::GridView<Real>& {
    return fields[static_cast<std::size_t>(n)];
  };
  const double length = stage.rate * dt;
  const auto& out = field(stage.to);
  if (stage.first_of_step)
    return apply(space, region, EulerStep<Real>{equation, boundary, length, board}, in, out);
  apply(
      space, region,
      RungeKuttaStage<Real>{equation, boundary, length, stage.input, stage.older, stage.first,
                            field(0), field(stage.older_field), field(Scheme::first_field), board},
      in, out);
}

}  // namespace halotherm::solver
