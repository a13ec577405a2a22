// SPDX-License-Identifier: MIT
#include "app/probe/probe_path.hpp"

#include "io/text/message_text.hpp"

#include <algorithm>

namespace halotherm::app {

using comm::TransportKind;

namespace {

/// UCX_TLS lists the permitted transports, or after ^ the forbidden ones. `member`: whether a word
/// names the transport or a part of it; `whole`: the word that names all of it.
template <class Member>
bool ucx_allows(std::string list, Member&& member, std::string_view whole) {
  if (list.empty()) return true;
  const bool forbids = list.starts_with("^");
  const auto words = io::split(list.substr(forbids ? 1 : 0), ',');
  return forbids ? std::ranges::count(words, whole) == 0
                 : std::ranges::any_of(
                       words, [&](const auto& word) { return word == "all" || member(word); });
}

/// rc, rc_verbs, rc_x, rc_mlx5, dc, ud; ib stands for all of them.
bool ucx_allows_rdma(const std::string& list) {
  const auto is_rdma = [](const std::string& word) {
    return word.starts_with("rc") || word.starts_with("dc") || word.starts_with("ud") ||
           word.starts_with("ib");
  };
  return ucx_allows(list, is_rdma, "ib");
}

bool ucx_allows_cuda_ipc(const std::string& list) {
  return ucx_allows(
      list, [](const std::string& word) { return word == "cuda" || word == "cuda_ipc"; },
      "cuda_ipc");
}

std::string value_of(const char* name, const std::map<std::string, std::string>& environment) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

/// Without UCX, RDMA needs Open MPI's byte transfer layer openib or uct.
bool open_mpi_allows_rdma(const std::string& pml, const std::string& btl) {
  const bool without_ucx = pml == "ob1" || pml == "^ucx";
  if (!without_ucx || btl.empty() || btl.starts_with("^")) return true;
  const auto words = io::split(btl, ',');
  return std::ranges::any_of(words,
                             [](const auto& word) { return word == "openib" || word == "uct"; });
}

Path path_on_node(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair,
                  TransportKind kind) {
  if (through_host(a, b, kind)) return Path::shared_memory;
  // a working p2p proves that the neighbour's memory can be mapped
  const bool mapped =
      kind == TransportKind::p2p || (pair.link.accessible && kind == TransportKind::nccl) ||
      (pair.link.accessible && ucx_allows_cuda_ipc(value_of("UCX_TLS", a.environment)) &&
       ucx_allows_cuda_ipc(value_of("UCX_TLS", b.environment)));
  if (!mapped) return Path::shared_memory;
  if (same_device(a, b)) return Path::same_device;
  return pair.link.nvlink ? Path::nvlink : Path::pcie_peer;
}

Path path_between_nodes(const ProbeRank& a, const ProbeRank& b, TransportKind kind) {
  const auto has_rdma = [&](const ProbeRank& rank) {
    const bool allowed = kind == TransportKind::nccl
                             ? value_of("NCCL_IB_DISABLE", rank.environment) != "1"
                             : environment_allows_rdma(rank.environment);
    return rank.node.verbs && rank.node.active_ports > 0 && allowed;
  };
  if (!has_rdma(a) || !has_rdma(b))
    return a.node.other_fabric && b.node.other_fabric ? Path::unknown : Path::tcp;
  const bool direct = !through_host(a, b, kind) && a.node.gpudirect() && b.node.gpudirect();
  return direct ? Path::rdma_gpudirect : Path::rdma_host;
}

std::optional<ExpectedRate> both_ways(std::optional<double> a, std::optional<double> b,
                                      const char* source) {
  if (!a || !b) return std::nullopt;
  return ExpectedRate{2 * std::min(*a, *b), source};
}

}  // namespace

std::string_view name_of(Path path) {
  constexpr std::string_view names[] = {
      "same device",         "NVLink",       "PCIe peer", "shared memory",
      "RDMA with GPUDirect", "RDMA by host", "TCP",       "unknown"};  // in the order of the paths
  return names[static_cast<int>(path)];
}

bool both_on_gpus(const ProbeRank& a, const ProbeRank& b) {
  return a.gpu && b.gpu;
}
bool same_host(const ProbeRank& a, const ProbeRank& b) {
  return a.host == b.host;
}
bool same_device(const ProbeRank& a, const ProbeRank& b) {
  return same_host(a, b) && !a.identity.empty() && a.identity == b.identity;
}

bool through_host(const ProbeRank& a, const ProbeRank& b, TransportKind kind) {
  return !both_on_gpus(a, b) || kind == TransportKind::staged || kind == TransportKind::rma;
}

bool works(const ProbePair& pair, TransportKind kind) {
  const auto of_kind = [&](const auto& exchange) { return exchange.kind == kind; };
  return std::ranges::any_of(pair.exchanges, of_kind) &&
         std::ranges::all_of(pair.exchanges, [&](const auto& exchange) {
           return !of_kind(exchange) || exchange.works();
         });
}

bool environment_allows_rdma(const std::map<std::string, std::string>& environment) {
  return ucx_allows_rdma(value_of("UCX_TLS", environment)) &&
         open_mpi_allows_rdma(value_of("OMPI_MCA_pml", environment),
                              value_of("OMPI_MCA_btl", environment));
}

Path path_of(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair, TransportKind kind) {
  return same_host(a, b) ? path_on_node(a, b, pair, kind) : path_between_nodes(a, b, kind);
}

std::optional<ExpectedRate> expected_rate(const ProbeRank& a, const ProbeRank& b, Path path) {
  if (path == Path::nvlink)
    return both_ways(a.links.nvlink_rate, b.links.nvlink_rate, "all NVLinks");
  if (path == Path::pcie_peer)
    return both_ways(a.links.pcie_rate, b.links.pcie_rate, "PCI Express");
  auto adapter = both_ways(a.node.adapter_rate, b.node.adapter_rate, "a network adapter's port");
  if (path == Path::rdma_host) return adapter;
  if (path != Path::rdma_gpudirect) return std::nullopt;
  auto bus = both_ways(a.links.pcie_rate, b.links.pcie_rate, "PCI Express");
  return adapter && bus && bus->bandwidth < adapter->bandwidth ? bus : adapter;
}

}  // namespace halotherm::app
