// SPDX-License-Identifier: MIT
// Many steps that the host submits to the device by one call.
#pragma once

#include "app/config/config.hpp"
#include "app/integrate/integrator.hpp"
#include "comm/device/recording.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace halotherm::app {

/// Steps that devices take without the host, blocks that adjoin others among them. Their kernels
/// are recorded when they are first needed. Instantiated for float and double.
template <class Real>
class Submissions {
 public:
  /// Submits at most `most` steps at once; none if that is less than twice `together()` of
  /// `integrator`, which must outlive it and keep that number.
  Submissions(Integrator<Real>& integrator, int most) : integrator_(integrator), most_(most) {}

  /// The most steps that a submission takes, a multiple of twice `together()`; or 0.
  int most() const { return fitting(most_); }
  /// How many of so many plain steps that follow the next submission takes, none of which is to be
  /// timed; 0 where none fits.
  int next(int plain) const;
  /// Takes that many steps of length `dt` [s]; asynchronous, but that the host never is more than
  /// some dozen submissions ahead. The same bits as steps one by one. The
  /// state must be the same object each time.
  void advance(solver::State<Real>& state, double dt, int steps);

 private:
  struct Recorded {
    const Real* temperature;  ///< before and after the steps
    double dt;
    int steps;
    int phase;  ///< of the exchanges
    comm::Recording launches;
  };

  int fitting(int most) const;

  Integrator<Real>& integrator_;
  int most_;
  std::int64_t submitted_ = 0;
  std::vector<std::unique_ptr<Recorded>> recorded_;
};

/// Collective. The most steps that a submission may take: those of the configuration, or on GPUs
/// those of some passes over memory where a step of `seconds` is short; else 0.
/// `equal_steps`: whether all steps have one length. Throws CollectiveError (usage) where the
/// configuration asks for what is not possible.
template <class Real>
int most_submitted_steps(const Integrator<Real>& integrator, const TimeConfig& config,
                         bool equal_steps, double seconds);

}  // namespace halotherm::app
