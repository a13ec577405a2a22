// SPDX-License-Identifier: MIT
#include "app/measure/by_first_ranks.hpp"

#include "comm/mpi/error.hpp"
#include "comm/mpi/sub_communicator.hpp"

#include <optional>

namespace halotherm::app {

void by_first_ranks(const comm::Communicator& world, int count, const std::function<void()>& work) {
  std::optional<comm::CollectiveError> failure;
  if (world.rank() < count) {
    try {
      work();
    } catch (const comm::CollectiveError& error) {
      failure = error;
    }
  }
  comm::sleeping_barrier(world);
  comm::rethrow_of_root(world, failure);
}

}  // namespace halotherm::app
