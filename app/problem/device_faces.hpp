// SPDX-License-Identifier: MIT
// A part of a side whose condition changes with time, evaluated where the faces are.
#pragma once

#include "app/problem/sampled_side.hpp"
#include "comm/mpi/error.hpp"
#include "solver/equation/changing_faces.hpp"

#include <utility>
#include <vector>

namespace halotherm::app {

/// Instantiated for float and double.
template <class Real>
class DeviceFaces {
 public:
  /// `part` lacks coordinates, which are those of `values`, evaluated at some time. A formula that
  /// is a product while x, y, z and t are within `variables` takes a few thousand values.
  DeviceFaces(solver::PartOfSide part, SampledSide& values,
              const solver::VariableBounds& variables);

  /// Makes the conditions of the faces those of a moment. Asynchronous on `space`; no kernel on
  /// other streams may be reading them. Throws Error (usage) for a value that all faces share.
  void apply(const comm::Space& space, const Moment& moment, SampledSide& values,
             const typename solver::Boundary<Real>::Faces& conditions,
             const solver::FaceFindings::View& findings, std::int32_t part);

  /// The error (usage) that names the place of a failure of this part.
  static comm::Error error_of(const solver::FormulaFailure& failure, const SampledSide& values);

 private:
  solver::ChangingFaces<Real> faces_;
};

}  // namespace halotherm::app
