// SPDX-License-Identifier: MIT
// What is to be made of the facts: which transport serves a pair best, what is wrong, and what to do about it.
#pragma once

#include "app/probe_path.hpp"

namespace halotherm::app {

/// Less than this share of the expected rate is a problem.
inline constexpr double least_fraction = 0.7;
/// More is not possible, but for the rounding of what links are said to carry.
inline constexpr double most_fraction = 1.05;

struct ProbeProblem {
  std::string what;    ///< with the reason
  std::string remedy;  ///< what to do
  friend bool operator==(const ProbeProblem&, const ProbeProblem&) = default;
};

struct PairVerdict {
  bool correct = true;                      ///< no transport brought wrong bytes
  std::optional<comm::TransportKind> best;  ///< of the highest rate; none if none works
  double latency = 0;                       ///< of the best one: an exchange of the smallest messages [s]
  double bandwidth = 0;                     ///< of the best one, both directions together [bytes/s]
  Path path = Path::unknown;
  std::optional<ExpectedRate> expected;
  std::vector<ProbeProblem> problems;

  std::optional<double> fraction() const { return expected ? std::optional(bandwidth / expected->bandwidth) : std::nullopt; }
};

PairVerdict judge(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair, const ProbeMpi& mpi);

/// What is wrong with a rank by itself: where its CPUs are.
std::vector<ProbeProblem> problems_of(const ProbeRank& rank);

}  // namespace halotherm::app
