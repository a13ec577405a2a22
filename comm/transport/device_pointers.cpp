// SPDX-License-Identifier: MIT
#include "comm/transport/device_pointers.hpp"

#include "comm/device/execution.hpp"
#include "comm/machine/device.hpp"
#include "comm/machine/environment.hpp"
#include "comm/mpi/rank_texts.hpp"
#include "comm/system/child_process.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

namespace halotherm::comm {

namespace {

constexpr std::string_view trial_argument = "--device-pointer-trial";
constexpr double limit = 30;  // [s]; MPI and CUDA start in one or two seconds

/// Drops the launcher's variables, with which the process would wait for the launcher, but keeps
/// those that select MPI's transports, which the trial tests.
bool passes(const std::string& variable) {
  constexpr std::array chosen{"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", "OMPI_MCA_opal_cuda",
                              "OMPI_MCA_mpi_cuda"};
  constexpr std::array launchers{"OMPI_",  "PMIX_",  "PMI_",     "PRTE_",
                                 "SLURM_", "HYDRA_", "MPI_LOCAL"};
  const auto starts = [&](const char* prefix) { return variable.starts_with(prefix); };
  return std::ranges::any_of(chosen, starts) || std::ranges::none_of(launchers, starts);
}

/// Sends and receives at the same time, as neighbours do, and checks the bytes.
bool arrives(std::size_t bytes) {
  using Bytes = Kokkos::View<unsigned char*, Memory>;
  const Bytes sent("sent", bytes);
  const Bytes received("received", bytes);
  const Space space;
  Kokkos::deep_copy(space, sent, static_cast<unsigned char>(1 + bytes % 251));
  space.fence("device pointer trial");
  MPI_Request requests[2];
  MPI_Irecv(received.data(), static_cast<int>(bytes), MPI_BYTE, 0, 1, MPI_COMM_SELF, &requests[0]);
  MPI_Isend(sent.data(), static_cast<int>(bytes), MPI_BYTE, 0, 1, MPI_COMM_SELF, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), received);
  return std::all_of(host.data(), host.data() + bytes,
                     [&](unsigned char byte) { return byte == 1 + bytes % 251; });
}

/// Of processes that pass device pointers to MPI.
std::string outcome_of_trials(std::int64_t largest) {
  return outcome_of_two([&] {
    return outcome_of({"/proc/self/exe", std::string(trial_argument), std::to_string(largest)},
                      limit, passes, {"OMPI_MCA_ess_singleton_isolated=1"});
  });
}

}  // namespace

bool is_device_pointer_trial(int argc, char** argv) {
  return argc == 3 && argv[1] == trial_argument;
}

int run_device_pointer_trial(int argc, char** argv) {
  const auto largest = static_cast<std::size_t>(std::strtoull(argv[2], nullptr, 10));
  MPI_Init(&argc, &argv);
  bool good = true;
  {
    const Kokkos::ScopeGuard kokkos;
    for (const std::size_t bytes :
         {std::size_t{8}, std::size_t{1} << 16, std::size_t{1} << 20, largest})
      good = good && arrives(bytes);
  }
  MPI_Finalize();
  return good ? 0 : 1;
}

std::string nodes_text(const std::vector<std::pair<std::string, std::string>>& outcome_and_host) {
  constexpr std::size_t most = 3;
  std::map<std::string, std::vector<std::string>> hosts_of;
  for (const auto& [outcome, host] : outcome_and_host) hosts_of[outcome].push_back(host);
  std::string text;
  for (const auto& [outcome, hosts] : hosts_of) {
    text += (text.empty() ? "" : "; ") + outcome + " on ";
    for (std::size_t n = 0; n < std::min(most, hosts.size()); ++n)
      text += (n > 0 ? ", " : "") + hosts[n];
    if (hosts.size() > most) text += " and " + std::to_string(hosts.size() - most) + " more nodes";
  }
  return text;
}

DevicePointers find_device_pointers(const Communicator& world, const std::vector<Channel>& channels,
                                    std::size_t bytes) {
  if constexpr (kernels_run_on_host) return {"", true, std::vector(channels.size(), true)};
  if (!mpi_claims_device_support()) {
    return {mpi_library() + " reports that it takes no device pointers", false,
            std::vector(channels.size(), false)};
  }
  for (const auto& channel : channels) bytes = std::max(bytes, bytes_of(channel));
  const auto& node = world.node();
  const auto largest = node.max(static_cast<std::int64_t>(std::max<std::size_t>(bytes, 8)));
  const auto outcome = node.is_root() ? outcome_of_trials(largest) : "";
  const bool works = node.all(outcome.empty());
  DevicePointers found;
  std::vector<std::pair<std::string, std::string>> failed;
  for (const auto& text :
       distinct_texts(world, outcome.empty() ? "" : outcome + '\n' + host_name()))
    failed.emplace_back(text.substr(0, text.find('\n')), text.substr(text.find('\n') + 1));
  if (!failed.empty()) {
    found.unavailable =
        mpi_library() +
        " reports that it takes device pointers, but a process that passes some ends with " +
        nodes_text(failed);
  }
  found.anywhere = world.any(works);
  const auto there =
      exchange_with_neighbours(world, channels, std::vector<char>(channels.size(), works));
  for (const char other : there) found.of_neighbours.push_back(works && other != 0);
  return found;
}

}  // namespace halotherm::comm
