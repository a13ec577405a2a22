// SPDX-License-Identifier: MIT
// An exchange of faces with both neighbours of a ring, by every transport that works here, beside a
// bare exchange of the same bytes by MPI, which neither packs nor unpacks: mpirun -n 2
// halotherm_exchange_benchmark
//
// Each exchange is waited for before the next one begins, as a step that has nothing to hide it
// behind would have to. Microseconds on the slowest rank, the median of several batches that take
// turns.
#include "comm/halo/halo_exchange.hpp"
#include "comm/machine/environment.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/stopwatch.hpp"
#include "comm/transport/device_pointers.hpp"
#include "solver/field/field.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>

namespace halotherm::test {

namespace {

constexpr int batches = 11;
constexpr int exchanges_a_batch = 50;
constexpr int planes = 4;  // of a rank
constexpr comm::TransportKind kinds[] = {comm::TransportKind::device, comm::TransportKind::staged,
                                         comm::TransportKind::p2p, comm::TransportKind::rma,
                                         comm::TransportKind::nccl};

struct Contender {
  std::string name;
  std::function<void()> exchange;
  std::vector<double> microseconds = {};
};

/// Two sends and two receives of buffers that stay the same.
template <class Space>
class BareExchange {
 public:
  BareExchange(const comm::Communicator& world, int face)
      : world_(world),
        elements_(face * face),
        sent_("sent", bytes()),
        received_("received", bytes()) {}

  void operator()() const {
    const int next = (world_.rank() + 1) % world_.size();
    const int last = (world_.rank() + world_.size() - 1) % world_.size();
    MPI_Request requests[4];
    MPI_Irecv(received_.data(), elements_, MPI_DOUBLE, last, 0, world_.handle(), &requests[0]);
    MPI_Irecv(received_.data() + elements_, elements_, MPI_DOUBLE, next, 1, world_.handle(),
              &requests[1]);
    MPI_Isend(sent_.data(), elements_, MPI_DOUBLE, next, 0, world_.handle(), &requests[2]);
    MPI_Isend(sent_.data() + elements_, elements_, MPI_DOUBLE, last, 1, world_.handle(),
              &requests[3]);
    comm::check(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
  }

 private:
  std::size_t bytes() const { return 2 * static_cast<std::size_t>(elements_); }

  const comm::Communicator& world_;
  int elements_;
  Kokkos::View<double*, Space> sent_;
  Kokkos::View<double*, Space> received_;
};

/// A halo of its own for each transport, on one field.
Contender halo_contender(const comm::Communicator& world, const comm::Streams& streams,
                         const comm::Partition& cut, comm::TransportKind kind,
                         solver::Field<double>& field) {
  const auto plan = comm::make_halo_plan(cut, world.rank(), 1, comm::GhostRegion::faces);
  auto halo =
      std::make_shared<comm::Halo<double>>(world, plan, std::vector(plan.messages.size(), kind));
  const auto exchange = [halo, &streams, view = field.view()] {
    (void)halo->start(streams, view).finish();
    streams.edge().fence("exchange");
  };
  return {std::string(name_of(kind)), exchange};
}

void measure(const comm::Communicator& world, std::vector<Contender>& contenders) {
  for (int batch = 0; batch <= batches; ++batch) {
    for (auto& contender : contenders) {
      world.barrier();
      const comm::Stopwatch stopwatch;
      for (int n = 0; n < exchanges_a_batch; ++n) contender.exchange();
      const double seconds = world.max(stopwatch.seconds()) / exchanges_a_batch;
      if (batch > 0) contender.microseconds.push_back(1e6 * seconds);
    }
  }
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void compare(const comm::Communicator& world, int face, bool device_pointers) {
  const comm::Streams streams;
  const comm::Partition cut({face, face, planes * world.size()}, {false, false, true},
                            {1, 1, world.size()});
  solver::Field<double> field("field", cut.owned(world.rank()), {1, 1, 1});
  std::vector<Contender> contenders;
  contenders.push_back({"bare MPI, host memory", BareExchange<comm::PinnedMemory>(world, face)});
  if (device_pointers)
    contenders.push_back({"bare MPI, device memory", BareExchange<comm::Memory>(world, face)});
  for (const auto kind : kinds) {
    if (kind == comm::TransportKind::device && !device_pointers) continue;
    try {
      contenders.push_back(halo_contender(world, streams, cut, kind, field));
    } catch (const comm::CollectiveError& error) {
      if (world.is_root())
        std::printf("%s: %s\n", std::string(name_of(kind)).c_str(), error.what());
    }
  }
  measure(world, contenders);
  if (!world.is_root()) return;
  std::printf("%4d x %-4d %9.3f MB each way:", face, face, 8e-6 * face * face);
  for (const auto& contender : contenders)
    std::printf("  %s %.2f us", contender.name.c_str(), median(contender.microseconds));
  std::printf("\n");
}

}  // namespace

}  // namespace halotherm::test

int main(int argc, char** argv) {
  using namespace halotherm;
  if (comm::is_device_pointer_trial(argc, argv)) return comm::run_device_pointer_trial(argc, argv);
  const comm::Environment environment(argc, argv);
  const auto& world = environment.world();
  return comm::guarded(world, [&] {
    if (world.size() < 2)
      throw comm::CollectiveError(
          comm::ExitCode::usage,
          {"one rank is not enough", "an exchange takes two", "use mpirun -n 2"});
    const comm::DeviceScope device(world);
    const bool device_pointers = comm::find_device_pointers(world, {}, 1 << 20).unavailable.empty();
    for (const int face : {1, 32, 128, 256, 512, 1022}) test::compare(world, face, device_pointers);
    return comm::ExitCode::done;
  });
}
