// SPDX-License-Identifier: MIT
// What --expect asks for, and whether it holds.
#pragma once

#include "app/probe/probe_verdict.hpp"

namespace halotherm::app {

struct ProbeExpectation {
  enum class Kind { nvlink, rdma, rate };
  Kind kind = Kind::rate;
  double rate = 0;  ///< that every pair must reach, both directions together [bytes/s]
};

/// Less than this share of the NVLinks' rate does not count as joined by them. RDMA has to reach
/// least_fraction of its rate.
inline constexpr double least_nvlink_fraction = 0.5;

/// "nvlink", "rdma" or a rate in GB/s. Throws comm::Error (usage).
ProbeExpectation parse_expectation(const std::string& text);

struct ProbeRecord;

/// Which pairs miss it, in words for the user; empty if it holds. An expectation that no pair could
/// prove is missed.
std::string what_misses(const ProbeExpectation& expectation, const ProbeRecord& record);

}  // namespace halotherm::app
