// SPDX-License-Identifier: MIT
// Judges a pair's facts: the best transport, the problems, and their remedies.
#pragma once

#include "app/probe/probe_path.hpp"

namespace halotherm::app {

/// A smaller share of the expected rate is a problem.
inline constexpr double least_fraction = 0.7;
/// A larger share is impossible, apart from the rounding of links' nominal rates.
inline constexpr double most_fraction = 1.05;

/// The message size by which the probe chooses the best transport: a face of 362² cells in FP64. A
/// run with `auto` uses its own messages.
inline constexpr double usual_message_bytes = 1 << 20;

inline constexpr auto remedy_for_cpu_build =
    "probe with the CUDA build, build/cuda/bin/halotherm (cmake --preset cuda && cmake --build "
    "--preset cuda); slurm/probe.sbatch does so in jobs with GPUs";

struct ProbeProblem {
  std::string what;  ///< with the reason
  std::string remedy;
  friend bool operator==(const ProbeProblem&, const ProbeProblem&) = default;
};

struct PairVerdict {
  bool correct = true;  ///< no transport delivered wrong bytes
  /// The fastest with messages of the usual size, as a run with parallel.transport: auto would
  /// choose it; none if none works.
  std::optional<comm::TransportKind> best;
  double latency = 0;  ///< of the best: an exchange of the smallest messages [s]
  std::optional<comm::TransportKind> widest;  ///< has the highest rate, which the path can carry
  double bandwidth = 0;                       ///< of the widest, both directions together [bytes/s]
  bool through_host = false;  ///< from GPU to GPU the widest goes through the hosts' memories
  Path path = Path::unknown;  ///< of the widest
  std::optional<ExpectedRate> expected;
  std::vector<ProbeProblem> problems;

  std::optional<double> fraction() const {
    return expected ? std::optional(bandwidth / expected->bandwidth) : std::nullopt;
  }
};

PairVerdict judge(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair,
                  const ProbeMpi& mpi);

/// Problems of a single rank: CPUs far from its device, a shared GPU, GPUs that a CPU build leaves
/// idle.
std::vector<ProbeProblem> problems_of(const ProbeRank& rank);

}  // namespace halotherm::app
