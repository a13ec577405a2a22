// SPDX-License-Identifier: MIT
#include "app/probe/probe_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace halotherm::app {

using comm::TransportKind;

namespace {

using Problems = std::vector<ProbeProblem>;

bool is_wrong(const ProbeExchange& exchange) {
  return exchange.unavailable.kind == comm::UnavailableReason::Kind::wrong_data;
}

/// The first one of that transport, if it does not work.
const ProbeExchange* first_failure(const ProbePair& pair, TransportKind kind) {
  const auto failed = [&](const ProbeExchange& exchange) {
    return exchange.kind == kind && !exchange.works();
  };
  const auto found = std::ranges::find_if(pair.exchanges, failed);
  return found == pair.exchanges.end() ? nullptr : &*found;
}

/// From the usual message size, as the logarithm of the ratio.
double distance(const ProbeExchange& exchange) {
  return std::abs(std::log2(static_cast<double>(exchange.bytes) / usual_message_bytes));
}

/// The fastest with messages nearest to the usual size.
void choose_best(const ProbePair& pair, PairVerdict& verdict) {
  const ProbeExchange* best = nullptr;
  for (const auto& exchange : pair.exchanges) {
    if (!works(pair, exchange.kind)) continue;
    const bool nearer = best == nullptr || distance(exchange) < distance(*best);
    if (nearer || (exchange.bytes == best->bytes && exchange.seconds < best->seconds))
      best = &exchange;
  }
  if (best == nullptr) return;
  verdict.best = best->kind;
  const ProbeExchange* smallest = best;
  for (const auto& exchange : pair.exchanges) {
    if (exchange.kind == best->kind && exchange.bytes < smallest->bytes) smallest = &exchange;
  }
  verdict.latency = smallest->seconds;
}

void choose_widest(const ProbePair& pair, PairVerdict& verdict) {
  for (const auto& exchange : pair.exchanges) {
    if (!works(pair, exchange.kind) || exchange.bandwidth() <= verdict.bandwidth) continue;
    verdict.widest = exchange.kind;
    verdict.bandwidth = exchange.bandwidth();
  }
}

void find_broken_transports(const ProbePair& pair, Problems& problems) {
  for (const auto& exchange : pair.exchanges) {
    const std::string kind(name_of(exchange.kind));
    if (is_wrong(exchange)) {
      problems.push_back({kind + " brings wrong bytes (" + exchange.unavailable.text + " at " +
                              std::to_string(exchange.bytes) + " bytes)",
                          "do not compute with it: set parallel.transport to another one, and try "
                          "another version of MPI or driver"});
    } else if (!exchange.works() && exchange.kind != TransportKind::p2p &&
               exchange.kind != TransportKind::nccl) {  // NCCL need not be installed
      problems.push_back({kind + " does not work (" + exchange.unavailable.text + ")",
                          "see the MPI library's messages"});
    }
  }
}

/// For devices of one node, between which p2p should work.
void find_reason_without_p2p(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair,
                             Problems& problems) {
  const auto* failure = first_failure(pair, TransportKind::p2p);
  if (failure == nullptr || is_wrong(*failure)) return;
  if (a.links.partitioned || b.links.partitioned) {
    problems.push_back(
        {"p2p is not possible (MIG instances do not share memory between processes)",
         "use whole GPUs where speed between them counts; staged is the way between instances"});
  } else if (!pair.link.visible && !same_device(a, b)) {
    problems.push_back(
        {"p2p is not possible (a rank does not see the other's device: --gpus-per-task, "
         "CUDA_VISIBLE_DEVICES, or containers)",
         "make all GPUs of a node visible to every rank: --gpus-per-node instead of "
         "--gpus-per-task, no CUDA_VISIBLE_DEVICES per rank; Halotherm selects the device"});
  } else if (!pair.link.accessible) {
    problems.push_back(
        {"p2p is not possible (the driver lets neither device reach the other's memory)",
         "compare nvidia-smi topo -p2p r; PCIe access control (ACS), an IOMMU or a virtual machine "
         "may be in the way"});
  } else {
    problems.push_back({"p2p is not possible (" + failure->unavailable.reason + ")",
                        "ranks of a node must share its IPC namespace: run them in one container, "
                        "or with --ipc=host"});
  }
}

void find_missing_device_pointers(bool on_node, const ProbePair& pair, const ProbeMpi& mpi,
                                  Problems& problems) {
  if (mpi.unavailable.empty() || (on_node && works(pair, TransportKind::p2p)))
    return;  // p2p does not need MPI
  problems.push_back({"device pointers must not be handed to MPI (" + mpi.unavailable + ")",
                      "load a GPU-aware MPI: an Open MPI for which ompi_info lists CUDA support, "
                      "preferably over UCX with CUDA"});
}

/// The module nvidia_peermem is missing, and so is a part of dma-buf, which could replace it.
ProbeProblem missing_gpudirect(const comm::NodeFacts& node) {
  const std::string what =
      "GPUDirect RDMA may be missing (a node's kernel has no module nvidia_peermem, and ";
  const std::string or_module = ", or modprobe nvidia-peermem on every node";
  if (!node.open_driver) {
    return {
        what + "its NVIDIA driver is not the open kernel module, which shares memory as dma-buf)",
        "modprobe nvidia-peermem on every node, or install the driver's open kernel module (GPUs "
        "from Turing on)"};
  }
  if (!node.kernel_dmabuf)
    return {what + "does not register a dma-buf with adapters)",
            "install Linux 5.12 or newer, or the adapters' own drivers" + or_module};
  return {what + "the verbs library has no ibv_reg_dmabuf_mr)",
          "install rdma-core 34 or newer" + or_module};
}

void find_missing_rdma(const ProbeRank& a, const ProbeRank& b, Problems& problems) {
  if (!a.node.verbs || !b.node.verbs) return;  // no adapters: nothing is missing
  if (a.node.active_ports == 0 || b.node.active_ports == 0) {
    problems.push_back({"RDMA is not possible (a node has adapters, and no port of them is active)",
                        "see ibstat and the cables"});
  } else if (!environment_allows_rdma(a.environment) || !environment_allows_rdma(b.environment)) {
    problems.push_back({"RDMA is not used (UCX_TLS, OMPI_MCA_pml or OMPI_MCA_btl leaves it out)",
                        "unset them, or set UCX_TLS=rc,cuda_copy,cuda_ipc,sm,self"});
  } else if (both_on_gpus(a, b)) {
    for (const auto* node : {&a.node, &b.node}) {
      if (node->gpudirect()) continue;
      const auto problem = missing_gpudirect(*node);
      if (std::ranges::count(problems, problem) == 0) problems.push_back(problem);
    }
    if (!a.node.gdrdrv || !b.node.gdrdrv) {
      problems.push_back({"small messages may be slow (a node's kernel has no module gdrdrv)",
                          "install gdrcopy on every node, and UCX with it"});
    }
  }
}

std::string remedy_of(Path path) {
  switch (path) {
    case Path::nvlink:
      return "see nvidia-smi nvlink -s and -e for links that are down or count errors, and whether "
             "other jobs use the GPUs; without a switch between the GPUs, only some of the links "
             "lead to each other GPU";
    case Path::pcie_peer:
      return "see nvidia-smi topo -m: paths through a host bridge or between sockets are slower; "
             "check also that the slot has all lanes";
    case Path::rdma_gpudirect:
    case Path::rdma_host:
      return "bind each rank to the NUMA node of its GPU and adapter, name that adapter in "
             "UCX_NET_DEVICES, and compare ib_write_bw";
    default:
      return "";
  }
}

/// Where only dma-buf is possible, MPI may not use it.
std::string remedy_of(Path path, const comm::NodeFacts& a, const comm::NodeFacts& b) {
  if (path != Path::rdma_gpudirect || (a.peermem && b.peermem)) return remedy_of(path);
  return "without the module nvidia_peermem GPUDirect needs dma-buf, which UCX uses from 1.16 on, "
         "and from 1.14 on with UCX_PROTO_ENABLE=y (ucx_info -d lists dmabuf): try another UCX, or "
         "modprobe nvidia-peermem; then " +
         remedy_of(path);
}

void find_odd_rate(const PairVerdict& verdict, const std::string& remedy, Problems& problems) {
  const auto fraction = verdict.fraction();
  if (!fraction) return;
  if (*fraction > most_fraction) {
    problems.push_back(
        {fmt::format("the rate is not possible ({:.0f} % of what {} can carry)", 100 * *fraction,
                     verdict.expected->source),
         "the links' nominal rate or the clock is wrong: ignore this pair's figures"});
  }
  if (*fraction >= least_fraction) return;
  problems.push_back({fmt::format("the rate is low ({:.0f} % of what {} can carry)",
                                  100 * *fraction, verdict.expected->source),
                      remedy});
}

}  // namespace

PairVerdict judge(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair,
                  const ProbeMpi& mpi) {
  PairVerdict verdict;
  verdict.correct = std::ranges::none_of(pair.exchanges, is_wrong);
  choose_best(pair, verdict);
  choose_widest(pair, verdict);
  if (verdict.widest) {
    verdict.through_host = both_on_gpus(a, b) && through_host(a, b, *verdict.widest);
    verdict.path = path_of(a, b, pair, *verdict.widest);
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
  find_odd_rate(verdict, remedy_of(verdict.path, a.node, b.node), problems);
  return verdict;
}

std::vector<ProbeProblem> problems_of(const ProbeRank& rank) {
  Problems problems;
  const auto& nodes = rank.node.numa_nodes;
  if (rank.device_numa_node && !nodes.empty() &&
      std::ranges::count(nodes, *rank.device_numa_node) == 0) {
    problems.push_back({fmt::format("the rank's CPUs are far from its device (NUMA node {} has the "
                                    "device, and none of the CPUs)",
                                    *rank.device_numa_node),
                        "bind ranks to their devices' NUMA nodes: srun --gpu-bind=closest or "
                        "--cpu-bind, mpirun --map-by numa"});
  }
  if (rank.gpu && rank.shared && !rank.node.mps) {
    problems.push_back(
        {"several ranks share one GPU (their kernels take turns in time slices: even small "
         "messages take milliseconds, and a run is several times slower than on one rank)",
         "start one rank per GPU; where more are needed, run NVIDIA's MPS on the node "
         "(nvidia-cuda-mps-control -d)"});
  }
  if (!rank.gpu && rank.node.nvidia_gpus > 0) {
    problems.push_back({fmt::format("the node's GPUs are not measured (this is a CPU build, and "
                                    "the node has {} NVIDIA GPUs)",
                                    rank.node.nvidia_gpus),
                        remedy_for_cpu_build});
  }
  return problems;
}

}  // namespace halotherm::app
