// SPDX-License-Identifier: MIT
#include "comm/mpi/sub_communicator.hpp"

#include "comm/system/best_time.hpp"

#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace halotherm::comm {

namespace {

constexpr Repeats round_trips{.timings = 5, .calls = 20, .warm_ups = 1};

double half_round_trip(const Communicator& pair, std::byte* memory, int bytes) {
  const int other = 1 - pair.rank();
  const auto send = [&] { check(MPI_Send(memory, bytes, MPI_BYTE, other, 0, pair.handle())); };
  const auto receive = [&] {
    check(MPI_Recv(memory, bytes, MPI_BYTE, other, 0, pair.handle(), MPI_STATUS_IGNORE));
  };
  return 0.5 * best_time(pair, round_trips, [&] {
           if (pair.is_root()) send();
           receive();
           if (!pair.is_root()) send();
         });
}

/// Collective over the members only, which are numbered in the given order.
Communicator some_ranks(const Communicator& world, const std::vector<int>& members) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group some = MPI_GROUP_NULL;
  MPI_Comm handle = MPI_COMM_NULL;
  check(MPI_Comm_group(world.handle(), &all));
  check(MPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &some));
  check(MPI_Comm_create_group(world.handle(), some, 0, &handle));
  check(MPI_Group_free(&some));
  check(MPI_Group_free(&all));
  Communicator result(handle);
  check(MPI_Comm_free(&handle));
  return result;
}

}  // namespace

Communicator make_pair(const Communicator& world, int first, int second) {
  return some_ranks(world, {first, second});
}

Communicator first_ranks(const Communicator& world, int count) {
  std::vector<int> members(static_cast<std::size_t>(count));
  std::iota(members.begin(), members.end(), 0);
  return some_ranks(world, members);
}

Communicator this_rank_alone() {
  return Communicator(MPI_COMM_SELF);
}

void sleeping_barrier(const Communicator& communicator) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(communicator.handle(), &request));
  for (int done = 0;;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

OneWay measure_one_way(const Communicator& pair, std::byte* memory, std::int64_t bytes) {
  OneWay result;
  result.latency = half_round_trip(pair, memory, 8);
  result.bandwidth =
      static_cast<double>(bytes) / half_round_trip(pair, memory, static_cast<int>(bytes));
  return result;
}

}  // namespace halotherm::comm
