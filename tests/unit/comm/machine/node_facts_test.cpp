// SPDX-License-Identifier: MIT
#include "comm/machine/node_facts.hpp"

#include "comm/machine/nvml.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

/// The files of two NUMA nodes and an adapter with two ports, one of them down.
class NodeFactsOf : public testing::Test {
 protected:
  void SetUp() override {
    add("sys/devices/system/node/node0/cpulist", "0-3,8-11");
    add("sys/devices/system/node/node1/cpulist", "4-7,12-15");
    add("sys/bus/pci/devices/0000:1b:00.0/numa_node", "1");
    add("sys/bus/pci/devices/0000:2b:00.0/numa_node", "-1");
    add("sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE");
    add("sys/class/infiniband/mlx5_0/ports/1/rate", "200 Gb/sec (4X HDR)");
    add("sys/class/infiniband/mlx5_0/ports/2/state", "1: DOWN");
    add("sys/class/infiniband/mlx5_0/ports/2/rate", "400 Gb/sec (4X NDR)");
    add("dev/infiniband/rdma_cm", "");
  }

  void add(const std::string& file, const std::string& text) {
    const auto path = folder_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    test::write_bytes(path, text + "\n");
  }
  NodeFacts facts(const std::set<int>& cpus = {0}) const {
    return node_facts(cpus, folder_.path());
  }

  Communicator world_{MPI_COMM_WORLD};
  test::TemporaryFolder folder_{world_};
};

TEST_F(NodeFactsOf, NumaNodes) {
  EXPECT_EQ(facts({2, 9}).numa_nodes, std::vector<int>{0});
  EXPECT_EQ(facts({3, 12}).numa_nodes, (std::vector<int>{0, 1}));
  EXPECT_TRUE(facts({99}).numa_nodes.empty());
  EXPECT_EQ(numa_node_of("0000:1b:00.0", folder_.path()), 1);
  EXPECT_EQ(numa_node_of("0000:2b:00.0", folder_.path()), std::nullopt);
  EXPECT_EQ(numa_node_of("0000:3b:00.0", folder_.path()), std::nullopt);
  EXPECT_EQ(numa_node_of("", folder_.path()), std::nullopt);
}

TEST_F(NodeFactsOf, OnlyPortsThatAreUpCount) {
  EXPECT_EQ(facts().active_ports, 1);
  EXPECT_DOUBLE_EQ(facts().adapter_rate.value(), 25e9);
}

TEST_F(NodeFactsOf, AdaptersMustBeUsable) {
  EXPECT_FALSE(facts().verbs) << "rdma_cm alone is no adapter";
  add("dev/infiniband/uverbs0", "");
  EXPECT_TRUE(facts().verbs);
}

TEST_F(NodeFactsOf, ModulesAndOtherFabrics) {
  EXPECT_FALSE(facts().peermem || facts().gdrdrv || facts().other_fabric);
  add("sys/module/nvidia_peermem/version", "1");
  EXPECT_TRUE(facts().peermem);
  add("sys/module/gdrdrv/version", "1");
  EXPECT_TRUE(facts().gdrdrv);
  add("sys/class/cxi/cxi0/state", "up");
  EXPECT_TRUE(facts().other_fabric);
}

TEST_F(NodeFactsOf, TheOlderModuleCountsToo) {
  add("sys/module/nv_peer_mem/version", "1");
  EXPECT_TRUE(facts().peermem);
}

TEST_F(NodeFactsOf, TheDriverNamesItsKernelModule) {
  add("proc/driver/nvidia/version",
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  Release Build\nGCC version: 12");
  EXPECT_FALSE(facts().open_driver);
  add("proc/driver/nvidia/version",
      "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build\nGCC "
      "version");
  EXPECT_TRUE(facts().open_driver);
}

TEST_F(NodeFactsOf, KernelsThatTakeDmaBuf) {
  const std::pair<const char*, bool> kernels[] = {
      {"5.12.0", true},           {"5.15.0-91-generic", true}, {"6.1.0-28-amd64", true},
      {"5.11.22-generic", false}, {"4.18.0-553.el8", false},   {"what", false}};
  for (const auto& [release, takes] : kernels) {
    add("proc/sys/kernel/osrelease", release);
    EXPECT_EQ(facts().kernel_dmabuf, takes) << release;
  }
  add("proc/sys/kernel/osrelease", "4.18.0-553.el8");
  add("proc/kallsyms",
      "0000000000000000 t ib_umem_get\t[ib_uverbs]\n0000000000000000 T "
      "ib_umem_dmabuf_get\t[ib_uverbs]");
  EXPECT_TRUE(facts().kernel_dmabuf) << "an older kernel with newer drivers of adapters";
}

TEST_F(NodeFactsOf, GpusCountEvenIfUnused) {
  EXPECT_EQ(facts().nvidia_gpus, 0);
  add("proc/driver/nvidia/gpus/0000:1b:00.0/information", "Model: NVIDIA H200");
  add("proc/driver/nvidia/gpus/0000:2b:00.0/information", "Model: NVIDIA H200");
  EXPECT_EQ(facts().nvidia_gpus, 2);
}

TEST_F(NodeFactsOf, MpsRunsWhereItsPipeIs) {
  EXPECT_FALSE(facts().mps);
  add("tmp/nvidia-mps/control", "");
  EXPECT_TRUE(facts().mps);
  setenv("CUDA_MPS_PIPE_DIRECTORY", (folder_.path() / "elsewhere").c_str(), 1);
  EXPECT_FALSE(facts().mps);
  add("elsewhere/control", "");
  EXPECT_TRUE(facts().mps);
  unsetenv("CUDA_MPS_PIPE_DIRECTORY");
}

TEST_F(NodeFactsOf, GpudirectTakesTheModuleOrAllPartsOfDmaBuf) {
  for (int parts = 0; parts < 16; ++parts) {
    NodeFacts node;
    node.peermem = (parts & 1) != 0;
    node.open_driver = (parts & 2) != 0;
    node.kernel_dmabuf = (parts & 4) != 0;
    node.verbs_dmabuf = (parts & 8) != 0;
    EXPECT_EQ(node.dmabuf(), parts >= 14);
    EXPECT_EQ(node.gpudirect(), parts >= 14 || parts % 2 == 1) << parts;
  }
}

TEST_F(NodeFactsOf, OnlyALibraryWithTheFunctionTakesDmaBuf) {
  EXPECT_FALSE(verbs_library_takes_dmabuf("libnothing_of_this_name.so"));
  EXPECT_FALSE(verbs_library_takes_dmabuf("libm.so.6"));
}

TEST_F(NodeFactsOf, AnEmptyMachineHasNothing) {
  const auto none = node_facts({0}, folder_.path() / "nowhere");
  EXPECT_TRUE(none.numa_nodes.empty());
  EXPECT_EQ(none.active_ports, 0);
  EXPECT_FALSE(none.adapter_rate);
}

TEST_F(NodeFactsOf, Environment) {
  setenv("UCX_TLS", "rc,a=b", 1);
  setenv("OMPI_MCA_orte_something", "1", 1);
  const auto variables = transport_environment();
  unsetenv("UCX_TLS");
  unsetenv("OMPI_MCA_orte_something");
  EXPECT_EQ(variables.at("UCX_TLS"), "rc,a=b");
  EXPECT_FALSE(variables.contains("OMPI_MCA_orte_something"));
}

TEST(LinkRates, Nvlink) {
  EXPECT_DOUBLE_EQ(nvlink_rate(1, 6).value(), 20e9);
  for (const int version : {2, 3, 4, 5, 6}) EXPECT_DOUBLE_EQ(nvlink_rate(version, 8).value(), 25e9);
  EXPECT_DOUBLE_EQ(nvlink_rate(7, 10).value(), 50e9);
  EXPECT_DOUBLE_EQ(nvlink_rate(7, 9).value(), 25e9);
  EXPECT_FALSE(nvlink_rate(0, 9));
  EXPECT_FALSE(nvlink_rate(8, 9));
}

TEST(LinkRates, PciExpress) {
  EXPECT_DOUBLE_EQ(pcie_rate(1, 16).value(), 4e9);
  EXPECT_NEAR(pcie_rate(3, 16).value(), 15.75e9, 0.01e9);
  EXPECT_NEAR(pcie_rate(5, 16).value(), 63.0e9, 0.1e9);
  EXPECT_FALSE(pcie_rate(7, 16));
  EXPECT_FALSE(pcie_rate(4, 0));
}

}  // namespace
}  // namespace halotherm::comm
