// SPDX-License-Identifier: MIT
// The error in time of a method with equal steps, measured by runs on few cells.
#pragma once

#include "app/run/pilot.hpp"

#include <cstdint>

namespace halotherm::app {

struct MethodOrder {
  solver::Method method;
  int order;
};

/// The largest error in any cell at the samples of a run [K].
struct MeasuredError {
  std::int64_t steps = 0;  ///< of the run; 0: not measured
  double error = 0;        ///< of so many steps
  double order = 1;        ///< as measured, at most that of the method

  /// The steps for this error, by the order.
  std::int64_t steps_for(double tolerance) const;
  double error_of(std::int64_t count) const;
};

/// Measures errors by comparing runs of n and 2n steps (Richardson 1911, Phil. Trans. A 210).
class ErrorSearch {
 public:
  /// References must outlive it. All ranks have the same pilot.
  ErrorSearch(const comm::Communicator& world, Pilot& pilot, double tolerance)
      : world_(world), pilot_(pilot), tolerance_(tolerance) {}

  /// Collective. From the fewest steps that the method can take, twice as many again and again,
  /// until the error is the tolerance or the time [s] is over, of which it takes half
  /// a second to two, and its last run. An order is measured before anything is extrapolated. The
  /// same on all ranks.
  MeasuredError measure(const MethodOrder& kind, double seconds);

 private:
  std::optional<std::vector<double>> run(solver::Method method, int steps);

  const comm::Communicator& world_;
  Pilot& pilot_;
  double tolerance_;
};

}  // namespace halotherm::app
