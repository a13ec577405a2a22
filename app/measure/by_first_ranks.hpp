// SPDX-License-Identifier: MIT
// Work of some ranks of a job, for which the others wait.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <functional>

namespace halotherm::app {

/// Collective. The first `count` ranks do the work, which is collective among them, while the
/// others sleep. Throws its CollectiveError on all ranks.
void by_first_ranks(const comm::Communicator& world, int count, const std::function<void()>& work);

}  // namespace halotherm::app
