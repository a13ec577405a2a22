// SPDX-License-Identifier: MIT
// The lengths of steps whose estimated error stays within a tolerance.
#pragma once

#include "solver/integrators/scheme.hpp"

namespace halotherm::solver {

/// Judges steps by their estimated errors and proposes the next length: a PI controller (Gustafsson
/// 1991; Hairer & Wanner, Solving Ordinary Differential Equations II, section IV.2). It computes
/// with products, quotients and square roots alone, which every machine rounds in the same way, so
/// all ranks find the same length.
class StepControl {
 public:
  /// Steps take errors up to `tolerance` [K] and are at most `longest` [s]. `last_error`: of the
  /// step before, in tolerances; of a first step the default.
  StepControl(Method method, double tolerance, double longest, double last_error = least_error)
      : method_(method), tolerance_(tolerance), longest_(longest), last_error_(last_error) {}

  struct Verdict {
    bool accepted;
    double dt;  ///< of the full step from here on [s]
  };
  /// Of a step of this length [s] with this error [K]; `dt` is the full step that it was taken
  /// from.
  Verdict judge(double length, double dt, double error);

  /// Of the last accepted step, in tolerances: with the full step all that a restart needs.
  double last_error() const { return last_error_; }
  double tolerance() const { return tolerance_; }  ///< [K]
  double longest() const { return longest_; }      ///< [s]

  /// Errors below it, in tolerances, count as it.
  static constexpr double least_error = 1e-4;
  /// Of a step to the next.
  static constexpr double most_growth = 5;

 private:
  bool fits(double in_tolerances, double stretch) const;

  Method method_;
  double tolerance_;
  double longest_;
  double last_error_;
  bool rejected_ = false;  ///< the last step
};

}  // namespace halotherm::solver
