// SPDX-License-Identifier: MIT
// Conditions of sides and of void faces that change with time, evaluated where the faces are.
#pragma once

#include "app/problem/sampled_side.hpp"
#include "comm/mpi/error.hpp"
#include "solver/equation/heat_equation.hpp"
#include "solver/equation/void_faces.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace halotherm::app {

/// A part of a side. Instantiated for float and double.
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

/// Void faces whose flows heat the cells beside them. Instantiated for float and double.
template <class Real>
class DeviceVoidFaces {
 public:
  /// `values`: the condition, evaluated at some time.
  DeviceVoidFaces(std::vector<solver::VoidFace> faces, SampledSide values);

  /// Whether the condition changes with time.
  bool change() const { return values_.changes(); }
  /// Before the source of `equation` is made that of another moment or temperature: gives it back
  /// as it was without these flows. Asynchronous on `space`, as all below.
  void release(const comm::Space& space, solver::HeatEquation<Real>& equation) const;
  /// After that: takes it as what the flows are added to.
  void hold(const comm::Space& space, solver::HeatEquation<Real>& equation) const;
  /// Makes the condition that of a moment, for the flows that follow. Throws Error (usage) for a
  /// value that all faces share.
  void set(const Moment& moment);
  /// Adds the flows at the temperatures `T` to the source.
  void follow(const comm::Space& space, const comm::GridView<const Real>& T,
              solver::HeatEquation<Real>& equation);

  /// The first time at which a value at some face was not allowed, and the error (usage) that names
  /// the place. Blocking.
  std::optional<std::pair<double, comm::Error>> failure() const;
  /// What the condition has allowed so far. Blocking.
  solver::TemperatureBounds bounds() const { return findings_.bounds(last_space_); }

 private:
  SampledSide values_;
  std::vector<solver::VoidFace> list_;
  solver::VoidFaces<Real> faces_;
  solver::FaceFindings findings_;
  comm::Space last_space_;
  double time_ = 0;  ///< [s]
};

}  // namespace halotherm::app
