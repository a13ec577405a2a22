// SPDX-License-Identifier: MIT
#include "app/probe/probe_json.hpp"

#include "app/measure/json.hpp"
#include "comm/system/version.hpp"

#include <array>

namespace halotherm::app {

namespace {

/// Writes the fields that `describe` lists; an empty text is null.
struct Writer {
  Json& json;

  template <class Value>
  void operator()(const char* key, const Value& value) const {
    json[key] = value;
  }
  void operator()(const char* key, const std::string& text) const {
    json[key] = text_or_null(text);
  }
};

struct Reader {
  const Json& json;

  template <class Value>
  void operator()(const char* key, Value& value) const {
    json[key].get_to(value);
  }
  void operator()(const char* key, std::string& text) const {
    text = json[key].is_null() ? "" : json[key].get<std::string>();
  }
};

template <class Field>
void describe(ProbeRank& r, const Field& field) {
  bool gpudirect = r.node.gpudirect();
  field("host", r.host);
  field("device", r.device);
  field("identity", r.identity);
  field("shared", r.shared);
  field("gpu", r.gpu);
  field("pci_bus_id", r.links.pci_bus_id);
  field("visible_devices", r.links.visible_devices);
  field("mig", r.links.partitioned);
  field("nvlink_bandwidth", r.links.nvlink_rate);
  field("pcie_bandwidth", r.links.pcie_rate);
  field("device_numa_node", r.device_numa_node);
  field("cpu_numa_nodes", r.node.numa_nodes);
  field("nvidia_peermem", r.node.peermem);
  field("gdrdrv", r.node.gdrdrv);
  field("infiniband_verbs", r.node.verbs);
  field("other_fabric", r.node.other_fabric);
  field("active_ports", r.node.active_ports);
  field("adapter_bandwidth", r.node.adapter_rate);
  field("open_kernel_module", r.node.open_driver);
  field("kernel_dmabuf", r.node.kernel_dmabuf);
  field("verbs_dmabuf", r.node.verbs_dmabuf);
  field("gpudirect_rdma", gpudirect);
  field("nvidia_gpus_of_node", r.node.nvidia_gpus);
  field("mps", r.node.mps);
  field("environment", r.environment);
}

template <class Field>
void describe(ProbeExchange& e, const Field& field) {
  std::optional<double> seconds, bandwidth;
  std::optional<comm::UnavailableReason::Kind> kind;
  if (e.works()) {
    seconds = e.seconds;
    bandwidth = e.bandwidth();
  } else {
    kind = e.unavailable.kind;
  }
  field("transport", e.kind);
  field("bytes", e.bytes);
  field("seconds", seconds);
  field("bandwidth_both_ways", bandwidth);
  field("unavailable", e.unavailable.text);
  field("unavailable_kind", kind);
  field("unavailable_reason", e.unavailable.reason);
  e.seconds = seconds.value_or(0);
  e.unavailable.kind = kind.value_or(comm::UnavailableReason::Kind::none);
}

template <class Field>
void describe(ProbeOneWay& o, const Field& field) {
  field("memory", o.memory);
  field("latency", o.latency);
  field("bytes", o.bytes);
  field("bandwidth", o.bandwidth);
}

template <class Field>
void describe(ProbePair& pair, const Field& field) {
  std::array ranks{pair.first, pair.second};
  field("ranks", ranks);
  field("visible", pair.link.visible);
  field("accessible", pair.link.accessible);
  field("nvlink", pair.link.nvlink);
  field("exchanges", pair.exchanges);
  field("one_way", pair.one_way);
  pair.first = ranks[0];
  pair.second = ranks[1];
}

}  // namespace

template <class Facts>
requires requires(Facts& facts, const Writer& writer) {
  describe(facts, writer);
}
void to_json(Json& json, Facts facts) {
  describe(facts, Writer{json});
}

template <class Facts>
requires requires(Facts& facts, const Reader& reader) {
  describe(facts, reader);
}
void from_json(const Json& json, Facts& facts) {
  describe(facts, Reader{json});
}

static void to_json(Json& json, const ProbeProblem& problem) {
  json = {{"what", problem.what}, {"remedy", problem.remedy}};
}

static void to_json(Json& json, const PairVerdict& v) {
  json = {{"correct", v.correct},
          {"best", v.best},
          {"latency", v.best ? Json(v.latency) : Json(nullptr)},
          {"widest", v.widest},
          {"through_host", v.through_host},
          {"path", v.path},
          {"bandwidth_both_ways", v.widest ? Json(v.bandwidth) : Json(nullptr)},
          {"expected_both_ways", v.expected ? Json(v.expected->bandwidth) : Json(nullptr)},
          {"expected_from", v.expected ? Json(v.expected->source) : Json(nullptr)},
          {"fraction", v.fraction()},
          {"problems", v.problems}};
}

/// Texts of the environment may be of any bytes.
static std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string to_text(const ProbeRank& rank) {
  return dumped(rank, -1);
}
std::string to_text(const ProbePair& pair) {
  return dumped(pair, -1);
}
ProbeRank rank_from_text(const std::string& text) {
  return Json::parse(text).get<ProbeRank>();
}
ProbePair pair_from_text(const std::string& text) {
  return Json::parse(text).get<ProbePair>();
}

std::string probe_json(const ProbeRecord& r) {
  Json ranks(r.ranks), pairs(r.pairs);
  for (std::size_t n = 0; n < r.ranks.size(); ++n) ranks[n]["problems"] = problems_of(r.ranks[n]);
  for (std::size_t p = 0; p < r.pairs.size(); ++p) {
    const auto [a, b] = r.ranks_of(r.pairs[p]);
    for (std::size_t e = 0; e < r.pairs[p].exchanges.size(); ++e) {
      const bool by_host = through_host(a, b, r.pairs[p].exchanges[e].kind);
      pairs[p]["exchanges"][e]["memory"] = by_host ? "host" : "device";  // that the rate is of
    }
    pairs[p]["verdict"] = r.verdicts[p];
  }
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
