// SPDX-License-Identifier: MIT
// Runs of a problem on few cells, whose errors in time say how many steps a method needs.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/communicator.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace halotherm::app {

/// The configuration on at most about `cells` cells: those of equal width along an axis are joined
/// in pairs, again and again, along the axis that has most; cells that differ from their
/// neighbours, as in thin layers, stay. Even axes keep at least 4 cells.
Config coarser(const Config& config, double cells);

/// A run's steps, and the temperatures of all cells [K] at the first ends of steps that reach each
/// of `Pilot::samples` equal parts of it, in the order of time; a step may reach several.
struct PilotRun {
  std::vector<double> lengths;  ///< of the steps [s]
  std::int64_t rejected = 0;    ///< further steps that were taken again
  std::vector<double> temperatures;
};

/// Runs of the configured problem on this rank alone, in double precision, without outputs. No
/// member communicates. A run is nothing if the method cannot take such long steps, or does not
/// solve this problem. Throws comm::Error if the problem cannot be set up, as where a region has
/// no cell.
class Pilot {
 public:
  /// Equal parts of a run, which are also the steps that the fewest runs take.
  static constexpr int samples = 16;

  /// `config` has time.end.
  explicit Pilot(const Config& config);
  ~Pilot();
  Pilot(const Pilot&) = delete;
  Pilot& operator=(const Pilot&) = delete;

  double cells() const;
  /// The step that forward Euler could take [s].
  double first_dt() const;

  /// In so many equal steps, a multiple of `samples`.
  std::optional<PilotRun> run(solver::Method method, int steps) const;
  /// In steps whose estimated errors are within the tolerance [K]; nothing if more are tried.
  std::optional<PilotRun> run_within(solver::Method method, double tolerance,
                                     std::int64_t most_trials) const;
  /// In halves of these steps; with the temperatures at the same times.
  std::optional<PilotRun> run_halved(solver::Method method,
                                     const std::vector<double>& lengths) const;

 private:
  struct Parts;
  class Course;

  template <class TakeSteps>
  std::optional<PilotRun> run(const TimeConfig& time, TakeSteps&& take_steps) const;

  std::unique_ptr<Parts> parts_;
};

/// Collective. The pilot on some 4096 cells, or on as many more as have every region. Throws
/// CollectiveError if it cannot be set up on as many cells as the grid has.
std::unique_ptr<Pilot> make_pilot(const comm::Communicator& world, const Config& config);

}  // namespace halotherm::app
