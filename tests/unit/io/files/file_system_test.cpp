// SPDX-License-Identifier: MIT
#include "io/files/file_system.hpp"

#include <gtest/gtest.h>

namespace halotherm::io {
namespace {

TEST(FileSystems, are_known_by_their_numbers) {
  for (const auto& [number, name] :
       {std::pair(0x0BD00BD0U, "Lustre"), std::pair(0x47504653U, "GPFS"),
        std::pair(0x19830326U, "BeeGFS"), std::pair(0x20030528U, "OrangeFS")}) {
    EXPECT_EQ(file_system_of(number).name, name);
    EXPECT_TRUE(file_system_of(number).parallel) << name;
  }
  EXPECT_EQ(file_system_of(0xEF53).name, "ext4");
  EXPECT_FALSE(file_system_of(0xEF53).parallel);
  EXPECT_FALSE(file_system_of(0x6969).parallel);
}

TEST(FileSystems, that_nobody_knows_are_named_by_their_number_and_not_parallel) {
  EXPECT_EQ(file_system_of(0x0000ABCD).name, "0x0000abcd");
  EXPECT_FALSE(file_system_of(0x0000ABCD).parallel);
}

TEST(FileSystems, of_folders_are_those_of_the_nearest_one_that_is_there) {
  EXPECT_EQ(file_system_of("/proc/self").name, "0x00009fa0");
  EXPECT_EQ(file_system_of("/proc/no/such/folder").name, "0x00009fa0");
  const auto here = file_system_of(std::filesystem::current_path()).name;
  EXPECT_NE(here, "unknown");
  EXPECT_EQ(file_system_of("").name, here);
  EXPECT_EQ(file_system_of("no_such_folder").name, here);
  EXPECT_EQ(file_system_of("no_such_folder/below").name, here);
}

TEST(FileSystems, behind_a_file_are_unknown) {
  EXPECT_EQ(file_system_of("/proc/version/below").name, "unknown");
}

}  // namespace
}  // namespace halotherm::io
