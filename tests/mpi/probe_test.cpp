// SPDX-License-Identifier: MIT
// The probe itself, with messages so small that its numbers mean nothing.
#include "app/probe/probe.hpp"

#include "app/probe/probe_json.hpp"
#include "comm/device/execution.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

namespace halotherm::app {
namespace {

using test::world;

class Probe : public testing::Test {
 protected:
  Probe() { options_.sizes = {8, 4096}; }
  ProbeRecord run() { return probe(world(), options_, io::Log(world(), text_)); }

  ProbeOptions options_;
  std::ostringstream text_;
};

TEST_F(Probe, MeasuresEveryPairByEveryTransport) {
  const auto record = run();
  const auto ranks = static_cast<std::size_t>(world().size());
  ASSERT_EQ(record.ranks.size(), ranks);
  ASSERT_EQ(record.pairs.size(), ranks * (ranks - 1) / 2) << "all ranks are on one node";
  ASSERT_EQ(record.verdicts.size(), record.pairs.size());
  std::set<std::pair<int, int>> seen;
  for (std::size_t p = 0; p < record.pairs.size(); ++p) {
    const auto& pair = record.pairs[p];
    EXPECT_TRUE(seen.emplace(pair.first, pair.second).second);
    EXPECT_TRUE(works(pair, comm::TransportKind::staged));
    EXPECT_TRUE(works(pair, comm::TransportKind::rma));
    if (comm::kernels_run_on_host) {
      EXPECT_TRUE(works(pair, comm::TransportKind::device));
      EXPECT_EQ(pair.exchanges.size(), 6u) << "three transports, two sizes";
      EXPECT_EQ(record.verdicts[p].path, Path::shared_memory);
    }
    for (const auto& result : pair.one_way) EXPECT_GT(result.latency * result.bandwidth, 0);
    ASSERT_FALSE(pair.one_way.empty());
    EXPECT_TRUE(record.verdicts[p].correct);
    EXPECT_GT(record.verdicts[p].bandwidth, 0);
  }
}

TEST_F(Probe, AllRanksKnowTheSame) {
  const auto json = probe_json(run());
  EXPECT_EQ(json, world().broadcast(json));
}

TEST_F(Probe, JsonIsComplete) {
  const auto record = run();
  const auto json = nlohmann::json::parse(probe_json(record));
  ASSERT_EQ(json["ranks"].size(), static_cast<std::size_t>(world().size()));
  EXPECT_EQ(json["ranks"][0]["host"], record.ranks[0].host);
  EXPECT_EQ(json["mpi"]["library"], record.mpi.library);
  ASSERT_EQ(json["pairs"].size(), record.pairs.size());
  for (const auto& pair : json["pairs"]) {
    for (const auto& exchange : pair["exchanges"])
      EXPECT_GT(exchange["bandwidth_both_ways"], 0) << exchange;
    EXPECT_FALSE(pair["one_way"].empty());
    EXPECT_TRUE(pair["verdict"]["correct"]);
    EXPECT_TRUE(pair["verdict"]["problems"].is_array());
  }
}

TEST_F(Probe, TextNamesEveryPairAndEndsWithAVerdict) {
  const auto record = run();
  if (!world().is_root()) return;
  for (const auto& pair : record.pairs) {
    EXPECT_NE(
        text_.str().find("\n" + std::to_string(pair.first) + "-" + std::to_string(pair.second)),
        std::string::npos);
  }
  EXPECT_NE(text_.str().find("verdict        " + std::to_string(record.pairs.size()) +
                             " pairs measured, every byte right"),
            std::string::npos)
      << text_.str();
}

TEST_F(Probe, MeasuresAtMostAsManyPairsAsAsked) {
  options_.pairs = 1;
  const auto record = run();
  EXPECT_EQ(record.pairs.size(), 1u);
  EXPECT_EQ(record.pairs_left_out, world().size() * (world().size() - 1) / 2 - 1);
}

TEST_F(Probe, APairIsTwoRanksInTheOrderGiven) {
  const int last = world().size() - 1;
  if (world().rank() == 0 || world().rank() == last) {
    const auto pair = comm::make_pair(world(), last, 0);
    EXPECT_EQ(pair.size(), 2);
    EXPECT_EQ(pair.rank(), world().rank() == last ? 0 : 1);
  }
  comm::sleeping_barrier(world());
}

TEST_F(Probe, FactsSurviveTheirJourney) {
  ProbeRank rank;
  rank.host = "a \"host\"";
  rank.identity = "GPU-1";
  rank.links = {"0000:01:00.0", 3, true, 4.5e11, std::nullopt};
  rank.device_numa_node = 2;
  rank.node = {{1, 2}, true, false, true, false, 3, 5e10, true, false, true, 4, true};
  rank.environment["UCX_TLS"] = "rc,\xff";
  const auto copy = rank_from_text(to_text(rank));
  EXPECT_EQ(to_text(copy), to_text(rank_from_text(to_text(copy))));
  EXPECT_EQ(copy.host, rank.host);
  EXPECT_EQ(copy.links.nvlink_rate, rank.links.nvlink_rate);
  EXPECT_FALSE(copy.links.pcie_rate);
  EXPECT_TRUE(copy.links.partitioned && copy.node.peermem && copy.node.verbs && !copy.node.gdrdrv);
  EXPECT_TRUE(copy.node.open_driver && !copy.node.kernel_dmabuf && copy.node.verbs_dmabuf &&
              copy.node.mps);
  EXPECT_EQ(copy.node.nvidia_gpus, 4);
  EXPECT_EQ(copy.node.numa_nodes, rank.node.numa_nodes);
}

TEST_F(Probe, ObstaclesSurviveTheirJourney) {
  using comm::UnavailableReason;
  ProbePair pair;
  pair.exchanges = {{comm::TransportKind::rma,
                     8,
                     0,
                     {UnavailableReason::Kind::unavailable, "wrong (so) do", "so"}},
                    {comm::TransportKind::p2p, 8, 0, UnavailableReason::wrong_data("1 element")},
                    {comm::TransportKind::staged, 8, 1e-6, {}}};
  const auto copy = pair_from_text(to_text(pair));
  ASSERT_EQ(copy.exchanges.size(), 3u);
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(copy.exchanges[e].unavailable.kind, pair.exchanges[e].unavailable.kind);
    EXPECT_EQ(copy.exchanges[e].unavailable.text, pair.exchanges[e].unavailable.text);
    EXPECT_EQ(copy.exchanges[e].unavailable.reason, pair.exchanges[e].unavailable.reason);
  }
}

TEST(ProbeAlone, CopiesWithinItsDevice) {
  ProbeOptions options;
  options.sizes = {8, 4096};
  std::ostringstream text;
  const auto record = probe(world(), options, io::Log(world(), text));
  EXPECT_TRUE(record.pairs.empty());
  EXPECT_GT(record.self_copy, 0);
  EXPECT_NE(text.str().find("one rank alone"), std::string::npos);
}

}  // namespace
}  // namespace halotherm::app
