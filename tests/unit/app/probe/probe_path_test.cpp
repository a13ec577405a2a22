// SPDX-License-Identifier: MIT
#include "app/probe/probe_path.hpp"

#include "tests/support/probe_facts.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using comm::TransportKind;
using test::gigabytes;

class ProbePath : public testing::Test {
 protected:
  Path on_node(TransportKind kind) const { return path_of(a_, b_, pair_, kind); }
  Path between_nodes(TransportKind kind) const { return path_of(a_, far_, pair_, kind); }

  ProbeRank a_ = test::gpu_rank("node1", 0);
  ProbeRank b_ = test::gpu_rank("node1", 1);
  ProbeRank far_ = test::gpu_rank("node2", 0);
  ProbePair pair_ = test::nvlink_pair();
};

TEST_F(ProbePath, NvlinkIsWhatTheDriverSays) {
  EXPECT_EQ(on_node(TransportKind::p2p), Path::nvlink);
  EXPECT_EQ(on_node(TransportKind::device), Path::nvlink);
  pair_.link.nvlink = false;
  EXPECT_EQ(on_node(TransportKind::p2p), Path::pcie_peer);
  EXPECT_EQ(on_node(TransportKind::device), Path::pcie_peer);
}

TEST_F(ProbePath, WhatIsStagedGoesThroughTheHost) {
  for (const auto kind : {TransportKind::staged, TransportKind::rma}) {
    EXPECT_EQ(on_node(kind), Path::shared_memory);
    EXPECT_EQ(between_nodes(kind), Path::rdma_host);
  }
}

TEST_F(ProbePath, MpiCannotReachADeviceThatIsNotAccessible) {
  pair_.link.accessible = false;
  EXPECT_EQ(on_node(TransportKind::device), Path::shared_memory);
  EXPECT_EQ(on_node(TransportKind::p2p), Path::nvlink)
      << "it maps the memory, or does not work at all";
}

TEST_F(ProbePath, UcxCanLeaveCudaIpcOut) {
  b_.environment["UCX_TLS"] = "rc,sm,self,cuda_copy";
  EXPECT_EQ(on_node(TransportKind::device), Path::shared_memory);
  EXPECT_EQ(on_node(TransportKind::p2p), Path::nvlink) << "UCX has no part in it";
  for (const char* list : {"rc,cuda_ipc", "sm,cuda", "all", "^tcp"}) {
    b_.environment["UCX_TLS"] = list;
    EXPECT_EQ(on_node(TransportKind::device), Path::nvlink) << list;
  }
  b_.environment["UCX_TLS"] = "^cuda_ipc";
  EXPECT_EQ(on_node(TransportKind::device), Path::shared_memory);
}

TEST_F(ProbePath, SharedDevice) {
  b_.identity = a_.identity;
  EXPECT_EQ(on_node(TransportKind::p2p), Path::same_device);
  far_.identity = a_.identity;
  EXPECT_NE(between_nodes(TransportKind::device), Path::same_device)
      << "another host's devices are other devices";
}

TEST_F(ProbePath, CpusShareMemory) {
  const auto cpu = test::cpu_rank("node1");
  EXPECT_EQ(path_of(cpu, cpu, pair_, TransportKind::device), Path::shared_memory);
}

TEST_F(ProbePath, GpuDirectNeedsItsModuleOnBothNodes) {
  EXPECT_EQ(between_nodes(TransportKind::device), Path::rdma_gpudirect);
  far_.node.peermem = false;
  EXPECT_EQ(between_nodes(TransportKind::device), Path::rdma_host);
}

TEST_F(ProbePath, GpuDirectWorksByDmaBufToo) {
  far_.node.peermem = false;
  test::give_dmabuf(far_.node);
  EXPECT_EQ(between_nodes(TransportKind::device), Path::rdma_gpudirect)
      << "each node by its own way";
  a_.node.peermem = false;
  EXPECT_EQ(between_nodes(TransportKind::device), Path::rdma_host);
  test::give_dmabuf(a_.node);
  EXPECT_EQ(between_nodes(TransportKind::device), Path::rdma_gpudirect);
  EXPECT_EQ(between_nodes(TransportKind::staged), Path::rdma_host);
}

TEST_F(ProbePath, RdmaNeedsAnAdapterThatIsUsableAndUp) {
  far_.node.active_ports = 0;
  EXPECT_EQ(between_nodes(TransportKind::device), Path::tcp);
  far_.node.active_ports = 1;
  far_.node.verbs = false;
  EXPECT_EQ(between_nodes(TransportKind::device), Path::tcp);
}

TEST_F(ProbePath, AnotherFabricIsNotKnown) {
  for (auto* rank : {&a_, &far_}) {
    rank->node.verbs = false;
    rank->node.other_fabric = true;
  }
  EXPECT_EQ(between_nodes(TransportKind::device), Path::unknown);
  far_.node.other_fabric = false;
  EXPECT_EQ(between_nodes(TransportKind::device), Path::tcp);
}

TEST_F(ProbePath, TheEnvironmentCanLeaveRdmaOut) {
  far_.environment = {{"UCX_TLS", "tcp,sm,self"}};
  EXPECT_EQ(between_nodes(TransportKind::device), Path::tcp);
}

TEST_F(ProbePath, ListsOfTransports) {
  const auto ucx = [](const char* list) { return environment_allows_rdma({{"UCX_TLS", list}}); };
  for (const char* list :
       {"rc", "rc_x,sm,self", "all", "dc,cuda_copy", "sm,ud_mlx5", "ib", "^tcp", "^rc"})
    EXPECT_TRUE(ucx(list)) << list;
  for (const char* list : {"tcp", "sm,self,tcp", "^ib"}) EXPECT_FALSE(ucx(list)) << list;
  const auto ompi = [](const char* pml, const char* btl) {
    return environment_allows_rdma({{"OMPI_MCA_pml", pml}, {"OMPI_MCA_btl", btl}});
  };
  EXPECT_TRUE(environment_allows_rdma({}));
  EXPECT_TRUE(ompi("ucx", "tcp,self"));
  EXPECT_TRUE(ompi("ob1", "openib,self"));
  EXPECT_TRUE(ompi("ob1", "^tcp"));
  EXPECT_FALSE(ompi("ob1", "tcp,self"));
  EXPECT_FALSE(ompi("^ucx", "vader,tcp,self"));
}

TEST_F(ProbePath, RatesComeFromTheSlowerEnd) {
  const auto rate = [&](Path path) { return expected_rate(a_, far_, path); };
  far_.links.nvlink_rate = 300 * gigabytes;
  far_.node.adapter_rate = 25 * gigabytes;
  EXPECT_DOUBLE_EQ(rate(Path::nvlink)->bandwidth, 600 * gigabytes);
  EXPECT_DOUBLE_EQ(rate(Path::pcie_peer)->bandwidth, 126 * gigabytes);
  EXPECT_DOUBLE_EQ(rate(Path::rdma_gpudirect)->bandwidth, 50 * gigabytes);
  EXPECT_DOUBLE_EQ(rate(Path::rdma_host)->bandwidth, 50 * gigabytes);
}

TEST_F(ProbePath, GpuDirectIsBoundByTheGpusBus) {
  a_.links.pcie_rate = 16 * gigabytes;
  EXPECT_DOUBLE_EQ(expected_rate(a_, far_, Path::rdma_gpudirect)->bandwidth, 32 * gigabytes);
  EXPECT_DOUBLE_EQ(expected_rate(a_, far_, Path::rdma_host)->bandwidth, 100 * gigabytes);
  a_.links.pcie_rate.reset();
  EXPECT_DOUBLE_EQ(expected_rate(a_, far_, Path::rdma_gpudirect)->bandwidth, 100 * gigabytes);
}

TEST_F(ProbePath, NothingIsExpectedWhereNothingIsKnown) {
  for (const auto path : {Path::same_device, Path::shared_memory, Path::tcp, Path::unknown})
    EXPECT_FALSE(expected_rate(a_, b_, path));
  a_.links.nvlink_rate.reset();
  EXPECT_FALSE(expected_rate(a_, b_, Path::nvlink));
}

}  // namespace
}  // namespace halotherm::app
