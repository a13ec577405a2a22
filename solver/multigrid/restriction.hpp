// SPDX-License-Identifier: MIT
// Sums of joined cells, also of their squares.
#pragma once

#include "solver/linear/vectors.hpp"
#include "solver/multigrid/coarsening.hpp"

namespace halotherm::solver {

/// coarse = sums of `fine` over joined cells. Functions read ghost cells of `fine` where blocks end
/// between two cells that are joined. Asynchronous on `space`.
void restrict_to(const comm::Space& space, const Coarsening& coarsening,
                 const comm::Box& coarse_owned, const comm::GridView<const float>& fine,
                 const comm::GridView<float>& coarse);
/// coarse = sums of `fine`. Returns the sum of the squares of `fine`: of joined cells in
/// double precision, of these sums exactly. Depends neither on threads nor on the partition.
/// Blocking.
ProductSum restrict_and_sum(const comm::Space& space, const Coarsening& coarsening,
                            const comm::Box& coarse_owned, const comm::GridView<const float>& fine,
                            const comm::GridView<float>& coarse, const SumScale& scale);
/// The same of the rounded values, which are stored in `fine`, in one pass over memory. No joined
/// cells may belong to other blocks. Instantiated for float and double.
template <class Real>
ProductSum round_restrict_and_sum(const comm::Space& space, const Coarsening& coarsening,
                                  const comm::Box& coarse_owned, const Rounded<Real>& rounded,
                                  const comm::GridView<float>& fine,
                                  const comm::GridView<float>& coarse, const SumScale& scale);

}  // namespace halotherm::solver
