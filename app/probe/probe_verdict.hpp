// SPDX-License-Identifier: MIT
// What is to be made of the facts: which transport serves a pair best, what is wrong, and what to
// do about it.
#pragma once

#include "app/probe/probe_path.hpp"

namespace halotherm::app {

/// Less than this share of the expected rate is a problem.
inline constexpr double least_fraction = 0.7;
/// More is not possible, but for the rounding of what links are said to carry.
inline constexpr double most_fraction = 1.05;

/// Of the messages with which the transport for a run is chosen; `auto` does so with the run's own.
/// A face of 362² cells in FP64.
inline constexpr double usual_message_bytes = 1 << 20;

inline constexpr const char* remedy_for_cpu_build =
    "probe with the CUDA build, build/cuda/bin/halotherm (cmake --preset cuda && cmake --build "
    "--preset cuda); slurm/probe.sbatch "
    "takes it in jobs with GPUs";

struct ProbeProblem {
  std::string what;    ///< with the reason
  std::string remedy;  ///< what to do
  friend bool operator==(const ProbeProblem&, const ProbeProblem&) = default;
};

struct PairVerdict {
  bool correct = true;  ///< no transport brought wrong bytes
  /// What a run with parallel.transport: auto takes: the fastest with messages of the usual size;
  /// none if none works.
  std::optional<comm::TransportKind> best;
  double latency = 0;  ///< of the best one: an exchange of the smallest messages [s]
  std::optional<comm::TransportKind>
      widest;  ///< of the highest rate, which shows what the way between the ranks carries
  double bandwidth = 0;       ///< of the widest one, both directions together [bytes/s]
  bool through_host = false;  ///< from GPU to GPU the widest one goes through the hosts' memories
  Path path = Path::unknown;  ///< of the widest one
  std::optional<ExpectedRate> expected;
  std::vector<ProbeProblem> problems;

  std::optional<double> fraction() const {
    return expected ? std::optional(bandwidth / expected->bandwidth) : std::nullopt;
  }
};

PairVerdict judge(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair,
                  const ProbeMpi& mpi);

/// What is wrong with a rank by itself: where its CPUs are, a GPU that it shares, GPUs that its
/// program does not use.
std::vector<ProbeProblem> problems_of(const ProbeRank& rank);

}  // namespace halotherm::app
