// SPDX-License-Identifier: MIT
#include "app/probe_verdict.hpp"

#include "io/formatted.hpp"

#include <algorithm>

namespace halotherm::app {

using comm::TransportKind;

namespace {

using Problems = std::vector<ProbeProblem>;

bool is_wrong(const ProbeExchange& exchange) {
  return exchange.obstacle.find("wrong") != std::string::npos;  // as try_transports says it
}

/// The first reason of that transport, if it does not work.
std::optional<std::string> obstacle_of(const ProbePair& pair, TransportKind kind) {
  for (const auto& exchange : pair.exchanges) {
    if (exchange.kind == kind && !exchange.works()) return exchange.obstacle;
  }
  return std::nullopt;
}

/// "what (why) what to do": the why.
std::string reason_in(const std::string& message) {
  const auto opening = message.find('(');
  const auto closing = message.rfind(')');
  if (opening == std::string::npos || closing == std::string::npos || closing < opening) return message;
  return message.substr(opening + 1, closing - opening - 1);
}

void choose_best(const ProbePair& pair, PairVerdict& verdict) {
  for (const auto& exchange : pair.exchanges) {
    if (!works(pair, exchange.kind) || exchange.bandwidth() <= verdict.bandwidth) continue;
    verdict.best = exchange.kind;
    verdict.bandwidth = exchange.bandwidth();
  }
  const ProbeExchange* smallest = nullptr;
  for (const auto& exchange : pair.exchanges) {
    if (verdict.best == exchange.kind && (smallest == nullptr || exchange.bytes < smallest->bytes)) smallest = &exchange;
  }
  if (smallest != nullptr) verdict.latency = smallest->seconds;
}

void find_broken_transports(const ProbePair& pair, Problems& problems) {
  for (const auto& exchange : pair.exchanges) {
    const std::string kind(name_of(exchange.kind));
    if (is_wrong(exchange)) {
      problems.push_back(
          {kind + " brings wrong bytes (" + exchange.obstacle + " at " + std::to_string(exchange.bytes) + " bytes)",
           "do not compute with it: set parallel.transport to another one, and try another version of MPI or driver"});
    } else if (!exchange.works() && exchange.kind != TransportKind::p2p) {
      problems.push_back({kind + " does not work (" + exchange.obstacle + ")", "see the MPI library's own messages"});
    }
  }
}

/// Between devices of a node, which p2p should join.
void find_reason_without_p2p(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair, Problems& problems) {
  const auto obstacle = obstacle_of(pair, TransportKind::p2p);
  if (!obstacle || obstacle->find("wrong") != std::string::npos) return;
  if (a.links.partitioned || b.links.partitioned) {
    problems.push_back({"p2p is not possible (MIG instances do not share memory between processes)",
                        "use whole GPUs where speed between them counts; staged is the way between instances"});
  } else if (!pair.link.visible && !same_device(a, b)) {
    problems.push_back(
        {"p2p is not possible (a rank does not see the other's device: --gpus-per-task, CUDA_VISIBLE_DEVICES, or containers)",
         "let every rank see all GPUs of its node: --gpus-per-node instead of --gpus-per-task, no CUDA_VISIBLE_DEVICES for "
         "each rank; Halotherm chooses by itself"});
  } else if (!pair.link.accessible) {
    problems.push_back(
        {"p2p is not possible (the driver lets neither device reach the other's memory)",
         "compare nvidia-smi topo -p2p r; PCIe access control (ACS), an IOMMU or a virtual machine may be in the way"});
  } else {
    problems.push_back({"p2p is not possible (" + reason_in(*obstacle) + ")",
                        "ranks of a node must share its IPC namespace: run them in one container, or with --ipc=host"});
  }
}

void find_missing_device_pointers(bool on_node, const ProbePair& pair, const ProbeMpi& mpi, Problems& problems) {
  if (mpi.obstacle.empty() || (on_node && works(pair, TransportKind::p2p))) return;  // p2p needs no help from MPI
  problems.push_back(
      {"device pointers must not be handed to MPI (" + mpi.obstacle + ")",
       "load a GPU-aware MPI, for Open MPI one for which ompi_info says that it has CUDA support, best over UCX with CUDA"});
}

void find_missing_rdma(const ProbeRank& a, const ProbeRank& b, Problems& problems) {
  if (!a.node.verbs || !b.node.verbs) return;  // no adapters: nothing is missing
  if (a.node.active_ports == 0 || b.node.active_ports == 0) {
    problems.push_back({"RDMA is not possible (a node has adapters, and no port of them is active)", "see ibstat and the cables"});
  } else if (!environment_allows_rdma(a.environment) || !environment_allows_rdma(b.environment)) {
    problems.push_back({"RDMA is not used (UCX_TLS, OMPI_MCA_pml or OMPI_MCA_btl leaves it out)",
                        "unset them, or set UCX_TLS=rc,cuda_copy,cuda_ipc,sm,self"});
  } else if (both_on_gpus(a, b)) {
    if (!a.node.peermem || !b.node.peermem) {
      problems.push_back(
          {"GPUDirect RDMA may be missing (a node's kernel has no module nvidia_peermem)",
           "modprobe nvidia-peermem on every node; not needed where UCX uses dma-buf, which then shows in the rate"});
    }
    if (!a.node.gdrdrv || !b.node.gdrdrv) {
      problems.push_back(
          {"small messages may be slow (a node's kernel has no module gdrdrv)", "install gdrcopy on every node, and UCX with it"});
    }
  }
}

std::string remedy_of(Path path) {
  switch (path) {
    case Path::nvlink:
      return "see nvidia-smi nvlink -s and -e for links that are down or count errors, and whether other jobs use the GPUs; where "
             "no "
             "switch joins the GPUs only some of the links lead to each other GPU";
    case Path::pcie_peer:
      return "see nvidia-smi topo -m: ways through a host bridge or between sockets are slower; and whether the slot has all lanes";
    case Path::rdma_gpudirect:
    case Path::rdma_host:
      return "bind each rank to the NUMA node of its GPU and adapter, name that adapter in UCX_NET_DEVICES, and compare "
             "ib_write_bw";
    default:
      return "";
  }
}

void find_odd_rate(const PairVerdict& verdict, Problems& problems) {
  const auto fraction = verdict.fraction();
  if (!fraction) return;
  if (*fraction > most_fraction) {
    problems.push_back(
        {io::formatted("the rate is not possible (%.0f %% of what ", 100 * *fraction) + verdict.expected->source + " can carry)",
         "the links or the clock are not what they seem: do not believe this pair's figures"});
  }
  if (*fraction >= least_fraction) return;
  problems.push_back(
      {io::formatted("the rate is low (%.0f %% of what ", 100 * *fraction) + verdict.expected->source + " can carry)",
       remedy_of(verdict.path)});
}

}  // namespace

PairVerdict judge(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair, const ProbeMpi& mpi) {
  PairVerdict verdict;
  verdict.correct = std::ranges::none_of(pair.exchanges, is_wrong);
  choose_best(pair, verdict);
  if (verdict.best) {
    verdict.path = path_of(a, b, pair, *verdict.best);
    verdict.expected = expected_rate(a, b, verdict.path);
  }
  auto& problems = verdict.problems;
  find_broken_transports(pair, problems);
  if (!verdict.best) problems.push_back({"no transport works", "see the reasons above"});
  if (both_on_gpus(a, b)) {
    if (same_host(a, b)) find_reason_without_p2p(a, b, pair, problems);
    find_missing_device_pointers(same_host(a, b), pair, mpi, problems);
  }
  if (!same_host(a, b)) find_missing_rdma(a, b, problems);
  find_odd_rate(verdict, problems);
  return verdict;
}

std::vector<ProbeProblem> problems_of(const ProbeRank& rank) {
  const auto& nodes = rank.node.numa_nodes;
  if (!rank.device_numa_node || nodes.empty() || std::ranges::count(nodes, *rank.device_numa_node) > 0) return {};
  return {{"the rank's CPUs are far from its device (NUMA node " + std::to_string(*rank.device_numa_node) +
               " has the device, and none of the CPUs)",
           "bind ranks to their devices' NUMA nodes: srun --gpu-bind=closest or --cpu-bind, mpirun --map-by numa"}};
}

}  // namespace halotherm::app
