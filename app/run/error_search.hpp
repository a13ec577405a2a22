// SPDX-License-Identifier: MIT
// The errors in time of methods, measured by runs on few cells.
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

/// A run whose steps follow a tolerance, and its largest error in any cell at the samples.
struct MeasuredTolerance {
  double tolerance = 0;  ///< of a step [K]
  double error = 0;      ///< of the run [K]
  PilotRun run;          ///< without steps: no tolerance was found
};

/// Measures errors by comparing runs with those in which every step is halved (Richardson 1911,
/// Phil. Trans. A 210).
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

  /// Collective. Seeks the tolerance of a step with which the error of the run is that of the
  /// search, or 0.4 of it or more, until the time [s] is over; takes the largest one found
  /// whose run keeps to it. The same on all ranks.
  MeasuredTolerance measure_tolerance(const MethodOrder& kind, double seconds);

 private:
  template <class Run>
  std::optional<PilotRun> agreed(Run&& run) const;
  double error_between(const MethodOrder& kind, const PilotRun& run, const PilotRun& halved) const;

  const comm::Communicator& world_;
  Pilot& pilot_;
  double tolerance_;
};

}  // namespace halotherm::app
