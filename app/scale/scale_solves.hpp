// SPDX-License-Identifier: MIT
// The solves of a scaling study of a steady state or of implicit steps.
#pragma once

#include "app/linear/refinement.hpp"
#include "app/scale/scale_record.hpp"

namespace halotherm::app {

/// Whether runs of this method solve systems.
bool has_solves(const Config& config);

/// Solves the system of the configured steady state, or of the first step of the configured
/// implicit method, again and again from the initial temperature. All members are collective.
/// Instantiated for float and double.
template <class Real>
class ScaleSolves {
 public:
  /// References must outlive it.
  ScaleSolves(const comm::Communicator& ranks, const comm::Streams& streams, Domain<Real>& domain,
              Problem<Real>& problem, const Config& config);

  /// Solves twice, which warms up. `solves`: of a repeat; none: about a second's. Throws
  /// CollectiveError (numerics) if that does not converge.
  SolveSummary prepare(std::optional<std::int64_t> solves);
  /// Means of a repeat [s], on the slowest rank.
  struct Times {
    double solve;
    double coarse;  ///< of it, the levels below the finest
  };
  Times measure();

 private:
  double solve();
  double coarse_levels();
  std::uint64_t checksum() const;

  const comm::Communicator& ranks_;
  const comm::Streams& streams_;
  Domain<Real>& domain_;
  Problem<Real>& problem_;
  double rate_;  ///< [1/s]
  double end_;   ///< of the step [s]
  std::vector<Real> start_;
  solver::Field<Real> before_, temperature_;
  Refinement<Real> refinement_;
  SolveRecord record_;       ///< of the last solve
  std::int64_t solves_ = 1;  ///< of a repeat
};

}  // namespace halotherm::app
