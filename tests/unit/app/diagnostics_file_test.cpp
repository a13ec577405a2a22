// SPDX-License-Identifier: MIT
#include "app/diagnostics_file.hpp"

#include "tests/support/file_size_limit.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace halotherm::app {
namespace {

TEST(DiagnosticsFile, rows_wait_for_a_full_disk_and_none_is_torn) {
  const comm::Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = folder.path() / "diagnostics.csv";
  test::write_bytes(file, "an older run's");
  DiagnosticsFile diagnostics;
  diagnostics.open(file, "step\n");
  diagnostics.add("0");
  {
    const test::FileSizeLimit limit(12);
    diagnostics.add("1 123456789");  // 19 bytes in all
    ASSERT_TRUE(diagnostics.failure());
    EXPECT_EQ(diagnostics.failure()->code(), comm::ExitCode::input_output);
    EXPECT_NE(std::string(diagnostics.failure()->what()).find("diagnostics.csv' (File too large)"), std::string::npos);
    diagnostics.add("2");
    EXPECT_TRUE(diagnostics.failure());
  }
  diagnostics.add("3");
  EXPECT_FALSE(diagnostics.failure());
  EXPECT_EQ(test::bytes_of(file), "step\n0\n1 123456789\n2\n3\n");
}

TEST(DiagnosticsFile, says_that_rows_could_not_be_brought_to_the_disk) {
  const comm::Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = folder.path() / "diagnostics.csv";
  DiagnosticsFile diagnostics;
  diagnostics.open(file, "step\n");
  diagnostics.flush();
  EXPECT_FALSE(diagnostics.failure());
  std::filesystem::remove(file);
  diagnostics.flush();
  EXPECT_TRUE(diagnostics.failure());
}

TEST(DiagnosticsFile, says_at_once_that_it_cannot_be_made) {
  const comm::Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  DiagnosticsFile diagnostics;
  EXPECT_THROW(diagnostics.open(folder.path() / "none" / "diagnostics.csv", "step\n"), comm::Error);
}

}  // namespace
}  // namespace halotherm::app
