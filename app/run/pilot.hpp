// SPDX-License-Identifier: MIT
// Runs of a problem on few cells, whose errors in time say how many steps a method needs.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/communicator.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace halotherm::app {

/// The configuration on at most about `cells` cells: those of equal width along an axis are joined
/// in pairs, again and again, along the axis that has most; cells that differ from their
/// neighbours, as in thin layers, stay. Even axes keep at least 4 cells.
Config coarser(const Config& config, double cells);

/// Runs of the configured problem on this rank alone, in double precision, without outputs. No
/// member communicates. Throws comm::Error if the problem cannot be set up, as where a region has
/// no cell.
class Pilot {
 public:
  /// Steps that the fewest runs take, at the ends of which the temperatures are kept.
  static constexpr int samples = 16;

  /// `config` has time.end.
  explicit Pilot(const Config& config);
  ~Pilot();
  Pilot(const Pilot&) = delete;
  Pilot& operator=(const Pilot&) = delete;

  /// The temperatures of all cells at `samples` equal intervals of the run [K], by this method in
  /// so many equal steps, a multiple of `samples`. Nothing if the method cannot take such long
  /// steps, or does not solve this problem.
  std::optional<std::vector<double>> run(solver::Method method, int steps);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace halotherm::app
