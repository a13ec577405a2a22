// SPDX-License-Identifier: MIT
#include "comm/machine/environment.hpp"

#include "comm/device/execution.hpp"
#include "comm/machine/device.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"

#include <mpi.h>
#include <Kokkos_Core.hpp>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>

namespace halotherm::comm {

namespace {

/// An even share of the node's cores, limited by the launcher's binding.
int default_threads(int ranks_on_node) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 1;
  const int mine = CPU_COUNT(&allowed);
  const int online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return std::max(1, std::min(mine, online / ranks_on_node));
}

Kokkos::InitializationSettings settings_for(const Communicator& node, int threads_worth) {
  Kokkos::InitializationSettings settings;
  // Kokkos' advice on OMP_PROC_BIND is wrong for several ranks per node
  settings.set_disable_warnings(true);
  if (std::getenv("OMP_NUM_THREADS") == nullptr && std::getenv("KOKKOS_NUM_THREADS") == nullptr) {
    settings.set_num_threads(std::min(default_threads(node.size()), threads_worth));
  }
  if (const auto device = choose_device(node.rank())) settings.set_device_id(*device);
  return settings;
}

void start_mpi(int& argc, char**& argv) {
  int provided = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS)
    std::exit(static_cast<int>(ExitCode::internal));
}

}  // namespace

void wait_without_spinning(char** argv) {
  if constexpr (!kernels_run_on_host) return;
  constexpr auto keep_what_is_set = 0;
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", keep_what_is_set);
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  setenv("GOMP_SPINCOUNT", "1000", keep_what_is_set);  // about 20 us
  execv("/proc/self/exe", argv);  // returns only on failure; threads then spin as usual
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

Environment::Environment(int& argc, char**& argv) : uncaught_(std::uncaught_exceptions()) {
  start_mpi(argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  watchdog_.emplace(rank);
  const Activity activity("starting");
  world_.emplace(MPI_COMM_WORLD);
}

Environment::~Environment() {
  if (std::uncaught_exceptions() > uncaught_) return;
  const Activity activity("ending");
  watchdog_->end_sharing();
  world_.reset();
  const CollectiveCall call("MPI_Finalize");
  MPI_Finalize();
}

void Environment::name_processes() {
  const auto hosts = gather_alike(*world_, host_name());
  set_processes({hosts.distinct, hosts.of_rank, world_->gather(static_cast<int>(getpid()))});
  watchdog_->share_reports(world_->node());
}

DeviceScope::DeviceScope(const Communicator& world, int threads_worth) {
  const Activity activity("preparing the device");
  const auto& node = world.node();
  agree(world, [&] { Kokkos::initialize(settings_for(node, threads_worth)); });
}

DeviceScope::~DeviceScope() {
  if (Kokkos::is_initialized()) Kokkos::finalize();
}

std::string Places::device(int rank) const {
  return DeviceDescription{model(rank), own_[static_cast<std::size_t>(rank)].device}.name();
}

Places places(const Communicator& world) {
  const auto device = describe_device();
  auto hosts = gather_alike(world, host_name());
  auto models = gather_alike(world, device.model);
  auto own = world.gather_on_root(Places::Own{device.id, device_is_shared(world)});
  if (!world.is_root()) return {{}, {}, {}};
  return {std::move(hosts), std::move(models), std::move(own)};
}

bool device_is_shared(const Communicator& world) {
  const auto mine = describe_device().id;
  const auto of_node = world.node().gather_values(mine);
  return mine != DeviceId{} && std::ranges::count(of_node, mine) > 1;
}

bool mpi_claims_device_support() {
  if constexpr (kernels_run_on_host) return true;
#if defined(KOKKOS_ENABLE_CUDA) && defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

bool threads_may_call_mpi() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level >= MPI_THREAD_MULTIPLE;
}

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string line(text.data(), static_cast<std::size_t>(length));
  return line.substr(0, std::min(line.find_first_of(",\n"), line.size()));
}

}  // namespace halotherm::comm
