// SPDX-License-Identifier: MIT
// Steps between which a run does nothing else: many in one call of the host, several in one pass
// over memory.
#pragma once

#include "app/config/config.hpp"
#include "app/integrate/integrator.hpp"
#include "comm/device/recording.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace halotherm::app {

/// Takes steps of one length with the bits of steps one by one. Those that devices take without the
/// host, blocks that adjoin others among them, are submitted by one call; their kernels are
/// recorded when they are first needed. Instantiated for float and double.
template <class Real>
class PlainSteps {
 public:
  /// Submits at most `most` steps at once; none if that is less than twice `together()` of
  /// `integrator`, which must outlive it and keep that number.
  PlainSteps(Integrator<Real>& integrator, int most) : integrator_(integrator), submits_(most) {}

  /// The most steps that a submission takes, a multiple of twice `together()`; 1: none is made.
  int submitted() const { return std::max(1, fitting(submits_)); }
  /// The most steps that `take` takes; 1: all are taken one by one.
  int most() const { return std::max(submitted(), integrator_.together()); }
  /// Collective over neighbours. Takes some of so many steps of length `dt` [s] that follow, and
  /// returns how many; 0 where the next one is to be taken by itself. Asynchronous, but that the
  /// host never is more than some dozen submissions ahead. The state must be the same object each
  /// time.
  int take(solver::State<Real>& state, double dt, int plain);

 private:
  struct Recorded {
    const Real* temperature;  ///< before and after the steps
    double dt;
    int steps;
    int phase;  ///< of the exchanges
    comm::Recording launches;
  };

  int fitting(int most) const;
  int next_submission(int plain) const;
  void submit(solver::State<Real>& state, double dt, int steps);

  Integrator<Real>& integrator_;
  int submits_;
  std::int64_t submissions_ = 0;
  std::vector<std::unique_ptr<Recorded>> recorded_;
};

/// Collective. The most steps that a submission may take: those of the configuration, or on GPUs
/// those of some passes over memory where a step of `seconds` is short; else 1.
/// `equal_steps`: whether all steps have one length. Throws CollectiveError (usage) where the
/// configuration asks for what is not possible.
template <class Real>
int most_submitted_steps(const Integrator<Real>& integrator, const TimeConfig& config,
                         bool equal_steps, double seconds);

}  // namespace halotherm::app
