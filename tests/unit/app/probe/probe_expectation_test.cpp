// SPDX-License-Identifier: MIT
#include "app/probe/probe_expectation.hpp"

#include "app/probe/probe.hpp"
#include "app/probe/probe_json.hpp"
#include "app/probe/probe_report.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/probe_facts.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using test::expect_part;
using test::gigabytes;

/// Two GPUs of one node, and the first one of another.
class ProbeExpectations : public testing::Test {
 protected:
  ProbeExpectations() {
    record_.mpi = test::gpu_aware_mpi();
    record_.ranks = {test::gpu_rank("node1", 0), test::gpu_rank("node1", 1),
                     test::gpu_rank("node2", 0)};
    record_.pairs = {test::nvlink_pair(), test::pair_between_nodes()};
    record_.pairs[1].second = 2;
  }

  std::string missed(const std::string& expectation) {
    record_.verdicts.clear();
    for (const auto& pair : record_.pairs) {
      record_.verdicts.push_back(judge(record_.ranks[static_cast<std::size_t>(pair.first)],
                                       record_.ranks[static_cast<std::size_t>(pair.second)], pair,
                                       record_.mpi));
    }
    const auto miss = what_misses(parse_expectation(expectation), record_);
    return miss ? comm::to_string(*miss) : "";
  }

  ProbeRecord record_;
};

TEST_F(ProbeExpectations, HoldOnAClusterWithoutFaults) {
  for (const char* expectation : {"nvlink", "rdma", "80", "89.9"})
    EXPECT_EQ(missed(expectation), "") << expectation;
}

TEST_F(ProbeExpectations, NvlinkIsMissedByAnotherPath) {
  record_.pairs[0].link.nvlink = false;
  expect_part(missed("nvlink"), "missed by 1 of 1 pairs (0-1: PCIe peer)");
}

TEST_F(ProbeExpectations, NvlinkIsMissedAtLessThanHalfItsRate) {
  record_.pairs[0] = test::nvlink_pair(460 * gigabytes);
  EXPECT_EQ(missed("nvlink"), "");
  record_.pairs[0] = test::nvlink_pair(440 * gigabytes);
  expect_part(missed("nvlink"), "0-1: 49 % of the NVLinks' rate");
  record_.ranks[0].links.nvlink_rate.reset();
  expect_part(missed("nvlink"), "rate not known");
}

TEST_F(ProbeExpectations, RdmaIsMissedByTcp) {
  record_.ranks[2].node.verbs = false;
  expect_part(missed("rdma"), "0-2: TCP");
  EXPECT_EQ(missed("nvlink"), "") << "on the node all is well";
}

TEST_F(ProbeExpectations, RdmaIsMissedAtHalfItsRate) {
  for (const bool peermem : {true, false}) {
    for (auto& rank : record_.ranks) {
      rank.node.peermem = peermem;
      test::give_dmabuf(rank.node);
    }
    record_.pairs[1] = test::pair_between_nodes(50 * gigabytes);
    record_.pairs[1].second = 2;
    expect_part(missed("rdma"), "0-2: 50 % of what a network adapter's port can carry");
    record_.pairs[1] = test::pair_between_nodes(71 * gigabytes);
    record_.pairs[1].second = 2;
    EXPECT_EQ(missed("rdma"), "");
  }
  record_.ranks[0].node.adapter_rate.reset();
  expect_part(missed("rdma"), "RDMA of a rate not known");
}

TEST_F(ProbeExpectations, ACpuBuildSaysThatItIsOne) {
  record_.ranks = {test::cpu_rank("node1"), test::cpu_rank("node1"), test::cpu_rank("node2")};
  expect_part(missed("nvlink"),
              "this is a CPU build, which measures no GPU; the nodes show no NVIDIA GPU");
  record_.ranks[2].node.nvidia_gpus = 8;
  expect_part(missed("nvlink"),
              "up to 8 NVIDIA GPUs each); probe with the CUDA build, build/cuda/bin/halotherm");
}

TEST_F(ProbeExpectations, AReportSaysWhereRatesAreOfTheHostsMemories) {
  record_.pairs.pop_back();
  for (auto& exchange : record_.pairs[0].exchanges) exchange.kind = comm::TransportKind::rma;
  for (auto& pair : record_.pairs) pair.one_way.push_back({"host", 1e-6, 8, 1e9});
  missed("nvlink");
  const auto text = probe_results(record_);
  for (const char* part : {"rma (host)", "h: from GPU to GPU through the hosts' memories", "750h"})
    expect_part(text, part);
  const auto json = probe_json(record_);
  expect_part(json, "\"memory\": \"host\"");
  EXPECT_EQ(json.find("\"memory\": \"device\""), std::string::npos);
  expect_part(json, "\"through_host\": true");
}

TEST_F(ProbeExpectations, RatesAreThoseOfEveryPair) {
  expect_part(missed("100"),
              "expected 100 GB/s between all ranks: missed by 1 of 2 pairs (0-2: 90 GB/s)");
  expect_part(missed("1000"), "missed by 2 of 2");
}

TEST_F(ProbeExpectations, WhatNobodyCouldShowIsMissed) {
  record_.pairs.pop_back();
  expect_part(missed("rdma"), "not shown");
  record_.ranks[1].identity = record_.ranks[0].identity;
  expect_part(missed("nvlink"), "not shown");
  record_.pairs.clear();
  expect_part(missed("1"), "not shown");
}

TEST_F(ProbeExpectations, ManyMissesAreShortened) {
  for (int n = 0; n < 8; ++n) record_.pairs.push_back(record_.pairs[1]);
  expect_part(missed("500"), "missed by 9 of 10 pairs (");
  expect_part(missed("500"), ", ...)");
}

TEST_F(ProbeExpectations, AReportNamesProblemsOnceWithAllTheirPairs) {
  record_.ranks[0].node.peermem = false;
  record_.pairs.push_back(record_.pairs[1]);
  record_.pairs[2].first = 1;
  record_.ranks[1].node.peermem = false;
  for (auto& pair : record_.pairs) pair.one_way.push_back({"host", 1e-6, 8, 1e9});
  missed("rdma");
  const auto text = probe_heading(record_) + probe_results(record_);
  expect_part(text, "problem        0-2, 1-2: GPUDirect RDMA may be missing");
  expect_part(text, "3 pairs measured, every byte right, 1 kinds of problems");
  expect_part(text, "no nvidia_peermem");
  expect_part(text, "83 % of 900, all NVLinks");
}

}  // namespace
}  // namespace halotherm::app
