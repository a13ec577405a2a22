// SPDX-License-Identifier: MIT
// The matrix of a coarse level from the conductances of the finer one.
#pragma once

#include "solver/cycle/transfer.hpp"

namespace halotherm::solver {

/// The coarse conductances have the energy of the interpolated corrections, bounded from above axis
/// by axis: where the corrections at a fine face of conductance g differ by Σ s_n d_n, with the
/// differences d_n across the coarse faces of an axis and s_n ≥ 0, such a coarse face gets g s_n Σ
/// s_m (Jensen's inequality). Products of differences along two axes are left out. Anchors are
/// restricted. Sets what the block owns of the coarse level; reads ghost cells of `fine` as
/// `restrict_by` does, and shares in one layer. Asynchronous on `space`.
void coarsen(const comm::Space& space, const TransferView& transfer, const comm::Box& coarse_owned,
             const MatrixView& fine, Matrix& coarse);

}  // namespace halotherm::solver
