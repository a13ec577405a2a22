// SPDX-License-Identifier: MIT
// The command `halotherm verify`: whether this build gives right answers on this machine.
#pragma once

#include "app/verify/judgement.hpp"
#include "comm/mpi/communicator.hpp"
#include "io/text/log.hpp"

#include <filesystem>
#include <optional>

namespace halotherm::app {

struct VerifyOptions {
  bool quick = false;  ///< fewer combinations
  std::optional<std::filesystem::path> json;
};

/// Collective, within a DeviceScope. Measures all claims, with a progress line; writes no file.
/// Orders and exact solutions are computed on the first ranks, at most `most_ranks_of_orders`,
/// because their grids are small. The record is complete on rank 0. A problem that ends with an
/// error is a failed claim.
VerifyRecord verify(const comm::Communicator& world, const VerifyOptions& options,
                    const io::Log& log);
inline constexpr int most_ranks_of_orders = 8;

/// Collective. Throws CollectiveError (check failed) if a claim of rank 0's record failed.
void require_passed(const comm::Communicator& world, const VerifyRecord& record);

}  // namespace halotherm::app
