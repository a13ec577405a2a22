// SPDX-License-Identifier: MIT
// Several plain steps of forward Euler after one exchange.
#pragma once

#include "app/integrate/phase_timers.hpp"
#include "app/problem/problem.hpp"
#include "comm/device/execution.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace halotherm::app {

/// How several steps follow an exchange of as many ghost layers.
enum class Pass {
  divided,  ///< in one pass over memory: the interior beside the exchange, then the shell
  whole,    ///< in one pass over memory: the block, after the exchange
  stepwise  ///< one after another, after the exchange, and in the ghost cells that later ones need
};
constexpr std::string_view name_of(Pass pass) {
  constexpr std::array names{"divided", "whole", "stepwise"};
  return names.at(static_cast<std::size_t>(pass));
}

/// Takes so many steps at once of a problem whose sides and sources stay as they are. Instantiated
/// for float and double.
template <class Real>
class Passes {
 public:
  /// All references must outlive it.
  Passes(const comm::Streams& streams, Domain<Real>& domain, const Problem<Real>& problem);

  struct Most {
    int in_one_pass = 1;  ///< over memory: 1 where there are no kernels for several
    int stepwise = 1;     ///< 1 where the block adjoins none, or properties follow the temperature
    int any() const { return std::max(in_one_pass, stepwise); }
  };
  /// Collective. The most steps that a pass can have: 1 where sides and sources change, or where
  /// blocks would need conditions of their neighbours that differ along a side; at most the ghost
  /// layers of the domain.
  Most most() const;
  /// Collective. Why that is not more: " a side changes with time", for messages.
  std::string reason_for_single_steps() const;

  /// Collective over neighbours. From here on a pass has so many steps, at most `most()` of every
  /// rank: exchanges fill as many ghost layers, and at least `layers`. Where the domain has no
  /// overlap, no pass is divided.
  void set(int steps, int layers, Pass pass = Pass::divided);
  int steps() const { return steps_; }
  Pass pass() const { return pass_; }

  /// Takes a pass of steps of length `dt` [s]. Collective over neighbours. `scratch` is
  /// overwritten.
  void take(solver::Field<Real>& temperature, solver::Field<Real>& scratch, double dt,
            PhaseTimers& timers) const;
  /// Its kernels alone, with increments of 0. Asynchronous, not collective.
  enum class Part { interior, shell, all };
  void diffuse(Part part, const comm::Ghosted<Real>& in, const comm::GridView<Real>& out) const;
  /// Whether no kernel visits its cells one by one, in rows too short to stream through.
  bool are_streamed() const;

 private:
  bool can_step_in_ghosts() const;
  bool is_alone() const;

  const comm::Streams& streams_;
  Domain<Real>& domain_;
  const Problem<Real>& problem_;
  int steps_ = 1;
  Pass pass_ = Pass::divided;
  std::vector<comm::Box> interior_, shell_;  ///< of one pass over memory
  std::vector<comm::Region> stepwise_;       ///< of each step
};

}  // namespace halotherm::app
