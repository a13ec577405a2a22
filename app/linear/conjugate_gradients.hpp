// SPDX-License-Identifier: MIT
// Conjugate gradients with a multigrid cycle as preconditioner.
#pragma once

#include "app/linear/multigrid.hpp"
#include "app/linear/products.hpp"

namespace halotherm::app {

/// Solves A e = r on the finest level of a multigrid (Saad 2003, "Iterative Methods for Sparse
/// Linear Systems", alg. 9.1), in single precision with sums in exact arithmetic: the iterates
/// depend on neither ranks nor partition.
class ConjugateGradients {
 public:
  /// `multigrid` must outlive it, and be built before a solve.
  explicit ConjugateGradients(Multigrid& multigrid);

  struct Result {
    int iterations = 0;
    double reduction = 1;  ///< of the 2-norm of r
  };
  /// Collective. Starts from e = 0 and r = b of the finest level, which it overwrites by what is
  /// left of r. Ends when the norm has fallen by `reduction`, after `most` iterations, or where
  /// single precision gains nothing more.
  Result solve(double reduction, int most);

  /// e, 0 in void cells
  comm::GridView<const float> solution() const { return e_.view(); }

 private:
  double set_direction(float factor);

  Multigrid& multigrid_;
  solver::Field<float> e_, p_, flow_;  ///< the flow is −A p
  Products rr_, rz_, pAp_;
};

}  // namespace halotherm::app
