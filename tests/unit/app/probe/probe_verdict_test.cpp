// SPDX-License-Identifier: MIT
// Each fault by itself, added to facts of a cluster that has none.
#include "app/probe/probe_verdict.hpp"

#include "tests/support/probe_facts.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using comm::TransportKind;
using comm::UnavailableReason;
using test::gigabytes;

class ProbeVerdict : public testing::Test {
 protected:
  PairVerdict on_node() const { return judge(a_, b_, near_pair_, mpi_); }
  PairVerdict between_nodes() const { return judge(a_, far_, far_pair_, mpi_); }

  /// Replaces p2p's exchanges.
  void p2p_fails(const comm::UnavailableReason& why) {
    std::erase_if(near_pair_.exchanges,
                  [](const auto& exchange) { return exchange.kind == TransportKind::p2p; });
    test::add_failure(near_pair_, TransportKind::p2p, why);
  }

  ProbeRank a_ = test::gpu_rank("node1", 0);
  ProbeRank b_ = test::gpu_rank("node1", 1);
  ProbeRank far_ = test::gpu_rank("node2", 0);
  ProbePair near_pair_ = test::nvlink_pair();
  ProbePair far_pair_ = test::pair_between_nodes();
  ProbeMpi mpi_ = test::gpu_aware_mpi();
};

UnavailableReason invalid_argument() {
  return {UnavailableReason::Kind::unavailable,
          "p2p cannot be used (invalid argument); set it to auto", "invalid argument"};
}

void expect_problem(const std::vector<ProbeProblem>& problems, const std::string& what,
                    const std::string& remedy) {
  ASSERT_EQ(problems.size(), 1u) << "each fault is one problem";
  EXPECT_NE(problems[0].what.find(what), std::string::npos) << problems[0].what;
  EXPECT_NE(problems[0].remedy.find(remedy), std::string::npos) << problems[0].remedy;
}

TEST_F(ProbeVerdict, NoFaultNoProblem) {
  const auto near_verdict = on_node();
  EXPECT_EQ(near_verdict.best, TransportKind::p2p);
  EXPECT_EQ(near_verdict.path, Path::nvlink);
  EXPECT_DOUBLE_EQ(near_verdict.latency, 4e-6);
  EXPECT_DOUBLE_EQ(near_verdict.bandwidth, 750 * gigabytes);
  EXPECT_DOUBLE_EQ(near_verdict.fraction().value(), 750.0 / 900);
  EXPECT_TRUE(near_verdict.correct);
  EXPECT_TRUE(near_verdict.problems.empty()) << near_verdict.problems[0].what;
  const auto far_verdict = between_nodes();
  EXPECT_EQ(far_verdict.path, Path::rdma_gpudirect);
  EXPECT_DOUBLE_EQ(far_verdict.fraction().value(), 0.9);
  EXPECT_TRUE(far_verdict.problems.empty()) << far_verdict.problems[0].what;
  EXPECT_TRUE(problems_of(a_).empty());
}

/// The same failure of p2p has another reason for every other fact, so a verdict that ignored the
/// facts would fail here.
TEST_F(ProbeVerdict, FactsDecideTheReason) {
  p2p_fails(invalid_argument());
  expect_problem(on_node().problems, "(invalid argument)", "--ipc=host");
  near_pair_.link.accessible = false;
  expect_problem(on_node().problems, "lets neither device reach", "nvidia-smi topo -p2p r");
  near_pair_.link.visible = false;
  expect_problem(on_node().problems, "does not see the other's device", "--gpus-per-node");
  b_.links.partitioned = true;
  expect_problem(on_node().problems, "MIG", "whole GPUs");
}

TEST_F(ProbeVerdict, ASharedDeviceIsVisibleToBoth) {
  p2p_fails(invalid_argument());
  b_.identity = a_.identity;
  near_pair_.link = {true, true, false};
  expect_problem(on_node().problems, "(invalid argument)", "--ipc=host");
}

TEST_F(ProbeVerdict, AnMpiThatTakesNoDevicePointersMattersWhereP2pDoesNotHelp) {
  mpi_ = test::plain_mpi();
  std::erase_if(near_pair_.exchanges,
                [](const auto& exchange) { return exchange.kind == TransportKind::device; });
  EXPECT_TRUE(on_node().problems.empty());
  std::erase_if(far_pair_.exchanges,
                [](const auto& exchange) { return exchange.kind == TransportKind::device; });
  const auto problems = between_nodes().problems;
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_NE(problems[0].remedy.find("GPU-aware MPI"), std::string::npos);
  EXPECT_NE(problems[1].what.find("rate is low"), std::string::npos) << "30 of 100 GB/s";
}

/// Every combination of the parts of dma-buf on two nodes, of which the second has the module: it
/// is missing nothing.
TEST_F(ProbeVerdict, WhatGpuDirectLacks) {
  a_.node.peermem = false;
  for (int parts = 0; parts < 8; ++parts) {
    a_.node.open_driver = (parts & 1) != 0;
    a_.node.kernel_dmabuf = (parts & 2) != 0;
    a_.node.verbs_dmabuf = (parts & 4) != 0;
    const auto verdict = between_nodes();
    if (parts == 7) {
      EXPECT_EQ(verdict.path, Path::rdma_gpudirect);
      EXPECT_TRUE(verdict.problems.empty()) << verdict.problems[0].what;
    } else if (!a_.node.open_driver) {
      expect_problem(verdict.problems, "not the open kernel module", "modprobe nvidia-peermem");
    } else if (!a_.node.kernel_dmabuf) {
      expect_problem(verdict.problems, "does not register a dma-buf", "Linux 5.12");
    } else {
      expect_problem(verdict.problems, "ibv_reg_dmabuf_mr", "rdma-core 34");
    }
    EXPECT_TRUE(on_node().problems.empty()) << "a node needs none of it";
  }
}

TEST_F(ProbeVerdict, BothNodesLackTheSameOnce) {
  a_.node.peermem = far_.node.peermem = false;
  EXPECT_EQ(between_nodes().problems.size(), 1u);
  a_.node.open_driver = true;
  EXPECT_EQ(between_nodes().problems.size(), 2u) << "and different things each";
}

TEST_F(ProbeVerdict, ALinkAtHalfRateDoesNotPassByDmaBufEither) {
  for (auto* node : {&a_.node, &far_.node}) {
    node->peermem = false;
    test::give_dmabuf(*node);
  }
  far_pair_ = test::pair_between_nodes(50 * gigabytes);
  EXPECT_EQ(between_nodes().path, Path::rdma_gpudirect);
  expect_problem(between_nodes().problems,
                 "the rate is low (50 % of what a network adapter's port can carry)",
                 "UCX uses from 1.16");
}

TEST_F(ProbeVerdict, MissingModules) {
  far_.node.gdrdrv = false;
  expect_problem(between_nodes().problems, "gdrdrv", "gdrcopy");
  EXPECT_TRUE(on_node().problems.empty()) << "a node needs neither";
}

TEST_F(ProbeVerdict, ModulesOfGpusAreNotMissedOnCpus) {
  auto a = test::cpu_rank("node1");
  auto b = test::cpu_rank("node2");
  for (auto* rank : {&a, &b}) rank->node = {{0}, false, false, true, false, 1, 50 * gigabytes};
  const auto verdict = judge(a, b, far_pair_, mpi_);
  EXPECT_EQ(verdict.path, Path::rdma_host);
  EXPECT_TRUE(verdict.problems.empty());
}

TEST_F(ProbeVerdict, NothingIsMissedWhereThereIsNoAdapter) {
  a_.node = {{0}, false, false, false, false, 0, std::nullopt};
  const auto verdict = between_nodes();
  EXPECT_EQ(verdict.path, Path::tcp);
  EXPECT_FALSE(verdict.expected);
  EXPECT_TRUE(verdict.problems.empty());
}

TEST_F(ProbeVerdict, AdaptersThatAreDownOrLeftOut) {
  far_.node.active_ports = 0;
  expect_problem(between_nodes().problems, "no port of them is active", "ibstat");
  far_.node.active_ports = 1;
  far_.environment["UCX_TLS"] = "tcp";
  expect_problem(between_nodes().problems, "RDMA is not used", "UCX_TLS");
}

TEST_F(ProbeVerdict, FarCpus) {
  a_.node.numa_nodes = {1};
  expect_problem(problems_of(a_), "NUMA node 0", "--gpu-bind=closest");
  a_.node.numa_nodes = {0, 1};
  EXPECT_TRUE(problems_of(a_).empty()) << "not bound: some CPU is near";
  a_.device_numa_node.reset();
  a_.node.numa_nodes = {1};
  EXPECT_TRUE(problems_of(a_).empty()) << "not known";
}

/// As measured: device pointers within one GPU have the highest rate of large messages, and take
/// milliseconds for small ones.
TEST_F(ProbeVerdict, RanksThatShareAGpu) {
  b_.identity = a_.identity;
  near_pair_ = {0, 1, {true, true, false}, {}, {}};
  const auto add = [&](TransportKind kind, double small, double usual, double large) {
    near_pair_.exchanges.push_back({kind, 8, small, {}});
    near_pair_.exchanges.push_back({kind, 1 << 20, usual, {}});
    near_pair_.exchanges.push_back({kind, 128 << 20, large, {}});
  };
  add(TransportKind::device, 2.3e-3, 2.4e-3, 3e-3);
  add(TransportKind::rma, 0.3e-3, 0.5e-3, 20e-3);
  const auto verdict = on_node();
  EXPECT_EQ(verdict.best, TransportKind::rma) << "what auto takes";
  EXPECT_DOUBLE_EQ(verdict.latency, 0.3e-3);
  EXPECT_EQ(verdict.widest, TransportKind::device);
  EXPECT_EQ(verdict.path, Path::same_device);
  EXPECT_FALSE(verdict.through_host);

  EXPECT_TRUE(problems_of(a_).empty());
  a_.shared = true;
  expect_problem(problems_of(a_), "several ranks share one GPU", "one rank per GPU");
  a_.node.mps = true;
  EXPECT_TRUE(problems_of(a_).empty()) << "MPS lets their kernels run at once";
}

TEST_F(ProbeVerdict, RatesOfTheHostsMemoriesAreSaidToBe) {
  near_pair_ = {0, 1, {true, true, true}, {}, {}};
  test::add_exchanges(near_pair_, TransportKind::device, 30 * gigabytes);
  test::add_exchanges(near_pair_, TransportKind::rma, 60 * gigabytes);
  EXPECT_TRUE(on_node().through_host);
  a_.gpu = b_.gpu = false;
  EXPECT_FALSE(on_node().through_host) << "on CPUs there is no other memory";
}

TEST_F(ProbeVerdict, ACpuBuildDoesNotMeasureTheGpusThatAreThere) {
  auto rank = test::cpu_rank("node1");
  EXPECT_TRUE(problems_of(rank).empty());
  rank.node.nvidia_gpus = 4;
  expect_problem(problems_of(rank), "this is a CPU build, and the node has 4 NVIDIA GPUs",
                 "build/cuda/bin/halotherm");
  a_.node.nvidia_gpus = 4;
  EXPECT_TRUE(problems_of(a_).empty());
}

TEST_F(ProbeVerdict, LowRates) {
  near_pair_ = test::nvlink_pair(600 * gigabytes);
  expect_problem(on_node().problems, "67 % of what all NVLinks can carry", "nvidia-smi nvlink -s");
  far_pair_ = test::pair_between_nodes(40 * gigabytes);
  expect_problem(between_nodes().problems, "40 % of what a network adapter's port can carry",
                 "UCX_NET_DEVICES");
  near_pair_ = test::nvlink_pair(60 * gigabytes);
  near_pair_.link.nvlink = false;
  expect_problem(on_node().problems, "48 % of what PCI Express can carry", "nvidia-smi topo -m");
}

TEST_F(ProbeVerdict, RatesBeyondTheLinksAreNotBelieved) {
  near_pair_ = test::nvlink_pair(1000 * gigabytes);
  expect_problem(on_node().problems,
                 "the rate is not possible (111 % of what all NVLinks can carry)",
                 "ignore this pair");
}

TEST_F(ProbeVerdict, WrongBytesAreNeverTheBest) {
  p2p_fails(UnavailableReason::wrong_data("3 elements differ"));
  const auto verdict = on_node();
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.best, TransportKind::device);
  ASSERT_FALSE(verdict.problems.empty());
  EXPECT_NE(verdict.problems[0].what.find("p2p brings wrong bytes"), std::string::npos);
}

/// The words of an MPI library are no verdict, and their parentheses hold no reason.
TEST_F(ProbeVerdict, AnErrorOfMpiThatSaysWrongIsNoWrongData) {
  const auto text = "MPI_ERR_TYPE: wrong or invalid datatype (MPI call at rma_transport.cpp:27)";
  test::add_failure(far_pair_, TransportKind::rma, UnavailableReason::unavailable(text));
  EXPECT_TRUE(between_nodes().correct);
  const auto problems = between_nodes().problems;
  ASSERT_EQ(problems.size(), 2u) << "one for each size";
  EXPECT_NE(problems[0].what.find("rma does not work (MPI_ERR_TYPE: wrong"), std::string::npos)
      << problems[0].what;
  p2p_fails(UnavailableReason::unavailable(text));
  EXPECT_TRUE(on_node().correct);
  expect_problem(on_node().problems, std::string("p2p is not possible (") + text, "--ipc=host");
}

/// It would be chosen for its rate, but one size is enough to distrust it.
TEST_F(ProbeVerdict, OneSizeThatFailsSpoilsATransport) {
  near_pair_.exchanges.front().unavailable =
      UnavailableReason::wrong_data("1 element differs");  // staged, 8 bytes
  EXPECT_FALSE(works(near_pair_, TransportKind::staged));
  EXPECT_EQ(on_node().best, TransportKind::p2p);
  EXPECT_FALSE(on_node().correct);
}

TEST_F(ProbeVerdict, NothingWorks) {
  ProbePair pair;
  test::add_failure(pair, TransportKind::staged, UnavailableReason::unavailable("no memory"));
  const auto verdict = judge(test::cpu_rank("a"), test::cpu_rank("a"), pair, mpi_);
  EXPECT_FALSE(verdict.best);
  EXPECT_EQ(verdict.path, Path::unknown);
  EXPECT_EQ(verdict.problems.back().what, "no transport works");
}

}  // namespace
}  // namespace halotherm::app
