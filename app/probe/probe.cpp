// SPDX-License-Identifier: MIT
#include "app/probe/probe.hpp"

#include "app/probe/probe_json.hpp"
#include "app/probe/probe_pairs.hpp"
#include "app/probe/probe_report.hpp"
#include "comm/device/execution.hpp"
#include "comm/machine/device.hpp"
#include "comm/machine/environment.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "comm/system/host_cpus.hpp"
#include "comm/transport/device_pointers.hpp"
#include "comm/transport/transport_trial.hpp"

namespace halotherm::app {

namespace {

/// The largest size determines the bandwidth; NVLink needs more than 16 MiB for its full rate.
std::vector<std::int64_t> usual_sizes() {
  std::vector<std::int64_t> sizes{8, 64 << 10, 1 << 20, 16 << 20};
  if (!comm::kernels_run_on_host) sizes.push_back(128 << 20);
  return sizes;
}

/// Collective over the node.
ProbeRank describe_rank(const comm::Communicator& world) {
  const auto device = comm::describe_device();
  ProbeRank rank;
  rank.host = comm::host_name();
  rank.device = device.name();
  rank.shared = comm::device_is_shared(world);
  rank.identity = device.identity();
  rank.gpu = !comm::kernels_run_on_host;
  rank.links = comm::describe_device_links();
  rank.device_numa_node = comm::numa_node_of(rank.links.pci_bus_id);
  rank.node = comm::node_facts(comm::usable_cpus());
  rank.node.verbs_dmabuf = comm::verbs_library_takes_dmabuf();
  rank.environment = comm::transport_environment();
  return rank;
}

void gather_ranks(const comm::Communicator& world, ProbeRecord& record) {
  for (const auto& text : world.gather(to_text(describe_rank(world))))
    record.ranks.push_back(rank_from_text(text));
}

/// Broadcasts each pair's measurements from its first rank.
void gather_pairs(const comm::Communicator& world, ProbeRecord& record) {
  for (auto& pair : record.pairs) pair = pair_from_text(world.broadcast(to_text(pair), pair.first));
}

void measure_pairs(const comm::Communicator& world, const std::vector<std::int64_t>& sizes,
                   const io::Log& log, ProbeRecord& record) {
  io::Progress progress(log);
  progress.begin(0);
  double done = 0;
  for (auto& pair : record.pairs) {
    progress.update(done / static_cast<double>(record.pairs.size()), [&] {
      return "ranks " + std::to_string(pair.first) + " and " + std::to_string(pair.second);
    });
    if (world.rank() == pair.first || world.rank() == pair.second)
      measure_pair(world, record, sizes, pair);
    comm::sleeping_barrier(world);
    ++done;
  }
  progress.interrupt();
}

}  // namespace

ProbeRecord probe(const comm::Communicator& world, const ProbeOptions& options,
                  const io::Log& log) {
  const auto sizes = options.sizes.empty() ? usual_sizes() : options.sizes;
  ProbeRecord record;
  record.mpi = {
      comm::mpi_library(), comm::mpi_claims_device_support(),
      comm::find_device_pointers(world, {}, static_cast<std::size_t>(sizes.back())).unavailable};
  record.nccl_works = world.size() > 1 && comm::nccl_works(world);
  gather_ranks(world, record);
  log.line(probe_heading(record));

  std::vector<std::string> hosts;
  for (const auto& rank : record.ranks) hosts.push_back(rank.host);
  const auto chosen = choose_pairs(hosts, options.pairs);
  record.pairs_left_out = chosen.left_out;
  for (const auto& [first, second] : chosen.pairs)
    record.pairs.push_back({first, second, {}, {}, {}});
  if (world.size() == 1) {
    record.self_copy = measure_self_copy(16 * sizes.back());
  } else {
    measure_pairs(world, sizes, log, record);
    gather_pairs(world, record);
  }
  for (const auto& pair : record.pairs) {
    const auto [a, b] = record.ranks_of(pair);
    record.verdicts.push_back(judge(a, b, pair, record.mpi));
  }
  log.line(probe_results(record));
  return record;
}

}  // namespace halotherm::app
