// SPDX-License-Identifier: MIT
// The expectation of --expect, and whether the measurements meet it.
#pragma once

#include "app/probe/probe_verdict.hpp"
#include "comm/mpi/error.hpp"

namespace halotherm::app {

struct ProbeExpectation {
  enum class Kind { nvlink, rdma, rate };
  Kind kind = Kind::rate;
  double rate = 0;  ///< that every pair must reach, both directions together [bytes/s]
};

/// A pair is joined by NVLinks if it reaches this share of their rate. RDMA must reach
/// least_fraction of its rate.
inline constexpr double least_nvlink_fraction = 0.5;

/// "nvlink", "rdma" or a rate in GB/s. Throws comm::Error (usage).
ProbeExpectation parse_expectation(const std::string& text);

struct ProbeRecord;

/// A message that names the pairs that miss it; empty if it holds. An expectation that no pair can
/// show is missed.
std::optional<comm::ErrorText> what_misses(const ProbeExpectation& expectation,
                                           const ProbeRecord& record);

}  // namespace halotherm::app
