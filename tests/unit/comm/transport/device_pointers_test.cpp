// SPDX-License-Identifier: MIT
#include "comm/transport/device_pointers.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

TEST(DevicePointersText, NamesTheNodesOfEachOutcome) {
  EXPECT_EQ(nodes_text({{"signal 11", "node7"}}), "signal 11 on node7");
  EXPECT_EQ(nodes_text({{"signal 11", "node7"}, {"exit code 1", "node2"}, {"signal 11", "node9"}}),
            "exit code 1 on node2; signal 11 on node7, node9");
}

TEST(DevicePointersText, CountsTheRestOfMany) {
  std::vector<std::pair<std::string, std::string>> failed;
  for (int node = 0; node < 1000; ++node)
    failed.emplace_back("exit code 1", "node" + std::to_string(node));
  EXPECT_EQ(nodes_text(failed), "exit code 1 on node0, node1, node2 and 997 more nodes");
}

}  // namespace
}  // namespace halotherm::comm
