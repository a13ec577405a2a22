// SPDX-License-Identifier: MIT
// halotherm probe: tests whether the exchange between these ranks works, by which path, and whether
// it is as fast as it should be.
#pragma once

#include "app/probe/probe_expectation.hpp"
#include "comm/mpi/communicator.hpp"
#include "io/text/log.hpp"

#include <filesystem>
#include <utility>

namespace halotherm::app {

struct ProbeOptions {
  std::optional<std::filesystem::path> json;
  std::optional<ProbeExpectation> expectation;
  int pairs = 64;  ///< at most
  /// Message sizes, in multiples of 8 [bytes]; empty: a range from latency to bandwidth.
  std::vector<std::int64_t> sizes;
};

struct ProbeRecord {
  ProbeMpi mpi;
  bool nccl_works = false;  ///< between all ranks, without which no pair is measured with it
  std::vector<ProbeRank> ranks;
  std::vector<ProbePair> pairs;
  std::vector<PairVerdict> verdicts;  ///< in the order of the pairs
  std::int64_t pairs_left_out = 0;    ///< by --pairs
  double self_copy = 0;  ///< within the device of a single rank, read and written [bytes/s]

  std::pair<const ProbeRank&, const ProbeRank&> ranks_of(const ProbePair& pair) const {
    return {ranks[static_cast<std::size_t>(pair.first)],
            ranks[static_cast<std::size_t>(pair.second)]};
  }
};

/// Collective, within a DeviceScope. One pair at a time, while the others sleep. Throws
/// CollectiveError.
ProbeRecord probe(const comm::Communicator& world, const ProbeOptions& options, const io::Log& log);

}  // namespace halotherm::app
