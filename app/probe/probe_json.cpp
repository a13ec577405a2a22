// SPDX-License-Identifier: MIT
#include "app/probe/probe_json.hpp"

#include "app/probe/probe.hpp"
#include "comm/system/version.hpp"

#include <nlohmann/json.hpp>

namespace halotherm::app {

namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class Value>
std::optional<Value> optional_from(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<Value>());
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string text_from(const Json& json) {
  return json.is_null() ? "" : json.get<std::string>();
}

comm::TransportKind kind_from(const Json& json) {
  using comm::TransportKind;
  for (const auto kind : {TransportKind::device, TransportKind::p2p, TransportKind::rma}) {
    if (json == name_of(kind)) return kind;
  }
  return TransportKind::staged;
}

Json json_of(const ProbeRank& r) {
  Json environment = Json::object();
  for (const auto& [name, value] : r.environment) environment[name] = value;
  return {{"host", r.host},
          {"device", r.device},
          {"identity", text_or_null(r.identity)},
          {"shared", r.shared},
          {"gpu", r.gpu},
          {"pci_bus_id", text_or_null(r.links.pci_bus_id)},
          {"visible_devices", r.links.visible_devices},
          {"mig", r.links.partitioned},
          {"nvlink_bandwidth", or_null(r.links.nvlink_rate)},
          {"pcie_bandwidth", or_null(r.links.pcie_rate)},
          {"device_numa_node", or_null(r.device_numa_node)},
          {"cpu_numa_nodes", r.node.numa_nodes},
          {"nvidia_peermem", r.node.peermem},
          {"gdrdrv", r.node.gdrdrv},
          {"infiniband_verbs", r.node.verbs},
          {"other_fabric", r.node.other_fabric},
          {"active_ports", r.node.active_ports},
          {"adapter_bandwidth", or_null(r.node.adapter_rate)},
          {"open_kernel_module", r.node.open_driver},
          {"kernel_dmabuf", r.node.kernel_dmabuf},
          {"verbs_dmabuf", r.node.verbs_dmabuf},
          {"gpudirect_rdma", r.node.gpudirect()},
          {"nvidia_gpus_of_node", r.node.nvidia_gpus},
          {"mps", r.node.mps},
          {"environment", environment}};
}

Json json_of(const ProbeExchange& e) {
  return {{"transport", name_of(e.kind)},
          {"bytes", e.bytes},
          {"seconds", e.works() ? Json(e.seconds) : Json(nullptr)},
          {"bandwidth_both_ways", e.works() ? Json(e.bandwidth()) : Json(nullptr)},
          {"unavailable", text_or_null(e.unavailable.text)},
          {"unavailable_kind", e.works() ? Json(nullptr) : Json(name_of(e.unavailable.kind))},
          {"unavailable_reason", text_or_null(e.unavailable.reason)}};
}

comm::UnavailableReason unavailable_from(const Json& e) {
  using Kind = comm::UnavailableReason::Kind;
  comm::UnavailableReason unavailable{Kind::none, text_from(e["unavailable"]),
                                      text_from(e["unavailable_reason"])};
  for (const auto kind : {Kind::unavailable, Kind::wrong_data}) {
    if (e["unavailable_kind"] == name_of(kind)) unavailable.kind = kind;
  }
  return unavailable;
}

Json json_of(const ProbeOneWay& o) {
  return {
      {"memory", o.memory}, {"latency", o.latency}, {"bytes", o.bytes}, {"bandwidth", o.bandwidth}};
}

Json json_of(const ProbePair& pair) {
  Json exchanges = Json::array();
  for (const auto& exchange : pair.exchanges) exchanges.push_back(json_of(exchange));
  Json one_way = Json::array();
  for (const auto& result : pair.one_way) one_way.push_back(json_of(result));
  return {{"ranks", {pair.first, pair.second}},
          {"visible", pair.link.visible},
          {"accessible", pair.link.accessible},
          {"nvlink", pair.link.nvlink},
          {"exchanges", exchanges},
          {"one_way", one_way}};
}

Json json_of(const ProbeProblem& problem) {
  return {{"what", problem.what}, {"remedy", problem.remedy}};
}

Json json_of(const std::vector<ProbeProblem>& problems) {
  Json list = Json::array();
  for (const auto& problem : problems) list.push_back(json_of(problem));
  return list;
}

Json json_of(const PairVerdict& v) {
  return {{"correct", v.correct},
          {"best", v.best ? Json(name_of(*v.best)) : Json(nullptr)},
          {"latency", v.best ? Json(v.latency) : Json(nullptr)},
          {"widest", v.widest ? Json(name_of(*v.widest)) : Json(nullptr)},
          {"through_host", v.through_host},
          {"path", name_of(v.path)},
          {"bandwidth_both_ways", v.widest ? Json(v.bandwidth) : Json(nullptr)},
          {"expected_both_ways", v.expected ? Json(v.expected->bandwidth) : Json(nullptr)},
          {"expected_from", v.expected ? Json(v.expected->source) : Json(nullptr)},
          {"fraction", or_null(v.fraction())},
          {"problems", json_of(v.problems)}};
}

/// A measured number that is no number would not be JSON; texts of the environment may be of any
/// bytes.
std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_text(const ProbeRank& rank) {
  return dumped(json_of(rank), -1);
}

std::string to_text(const ProbePair& pair) {
  return dumped(json_of(pair), -1);
}

ProbeRank rank_from_text(const std::string& text) {
  const auto json = Json::parse(text);
  ProbeRank rank;
  rank.host = json["host"];
  rank.device = json["device"];
  rank.identity = text_from(json["identity"]);
  rank.shared = json["shared"];
  rank.gpu = json["gpu"];
  rank.links = {text_from(json["pci_bus_id"]), json["visible_devices"], json["mig"],
                optional_from<double>(json["nvlink_bandwidth"]),
                optional_from<double>(json["pcie_bandwidth"])};
  rank.device_numa_node = optional_from<int>(json["device_numa_node"]);
  rank.node = {json["cpu_numa_nodes"].get<std::vector<int>>(),
               json["nvidia_peermem"],
               json["gdrdrv"],
               json["infiniband_verbs"],
               json["other_fabric"],
               json["active_ports"],
               optional_from<double>(json["adapter_bandwidth"]),
               json["open_kernel_module"],
               json["kernel_dmabuf"],
               json["verbs_dmabuf"],
               json["nvidia_gpus_of_node"],
               json["mps"]};
  for (const auto& [name, value] : json["environment"].items()) rank.environment[name] = value;
  return rank;
}

ProbePair pair_from_text(const std::string& text) {
  const auto json = Json::parse(text);
  ProbePair pair;
  pair.first = json["ranks"][0];
  pair.second = json["ranks"][1];
  pair.link = {json["visible"], json["accessible"], json["nvlink"]};
  for (const auto& e : json["exchanges"]) {
    pair.exchanges.push_back({kind_from(e["transport"]), e["bytes"],
                              optional_from<double>(e["seconds"]).value_or(0),
                              unavailable_from(e)});
  }
  for (const auto& o : json["one_way"])
    pair.one_way.push_back({o["memory"], o["latency"], o["bytes"], o["bandwidth"]});
  return pair;
}

namespace {

/// With the memory that each rate is of.
Json json_of(const ProbePair& pair, const PairVerdict& verdict,
             const std::vector<ProbeRank>& ranks) {
  const auto& a = ranks[static_cast<std::size_t>(pair.first)];
  const auto& b = ranks[static_cast<std::size_t>(pair.second)];
  auto json = json_of(pair);
  for (std::size_t e = 0; e < pair.exchanges.size(); ++e)
    json["exchanges"][e]["memory"] = through_host(a, b, pair.exchanges[e].kind) ? "host" : "device";
  json["verdict"] = json_of(verdict);
  return json;
}

}  // namespace

std::string probe_json(const ProbeRecord& r) {
  Json ranks = Json::array();
  for (const auto& rank : r.ranks) {
    ranks.push_back(json_of(rank));
    ranks.back()["problems"] = json_of(problems_of(rank));
  }
  Json pairs = Json::array();
  for (std::size_t p = 0; p < r.pairs.size(); ++p)
    pairs.push_back(json_of(r.pairs[p], r.verdicts[p], r.ranks));
  const Json report{{"version", version},
                    {"commit", commit},
                    {"preset", build_preset},
                    {"mpi",
                     {{"library", r.mpi.library},
                      {"claims_device_pointers", r.mpi.claims_device_pointers},
                      {"device_pointers_unavailable", text_or_null(r.mpi.unavailable)}}},
                    {"ranks", ranks},
                    {"pairs", pairs},
                    {"pairs_left_out", r.pairs_left_out},
                    {"self_copy_bandwidth", r.self_copy > 0 ? Json(r.self_copy) : Json(nullptr)}};
  return dumped(report, 1) + "\n";
}

}  // namespace halotherm::app
