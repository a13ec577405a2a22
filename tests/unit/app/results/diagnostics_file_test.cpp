// SPDX-License-Identifier: MIT
#include "app/results/diagnostics_file.hpp"

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
    EXPECT_NE(std::string(diagnostics.failure()->what()).find("diagnostics.csv' (File too large)"),
              std::string::npos);
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

class OldDiagnostics : public testing::Test {
 protected:
  /// What a restart at step 30 finds in a file of these lines, with a row due every 10 steps.
  OldRows found(const std::string& lines) {
    test::write_bytes(file_, lines);
    return rows_until(file_, "step,mean", 30, 10);
  }

  const comm::Communicator world_{MPI_COMM_WORLD};
  const test::TemporaryFolder folder_{world_};
  const std::filesystem::path file_ = folder_.path() / "diagnostics.csv";
};

TEST_F(OldDiagnostics, whole_ones_are_taken_to_the_step) {
  for (const auto* rest : {"", "40,1\n", "40,1\n50,1\n", "4", "x"}) {
    const auto old = found("step,mean\n0,1.5\n10,-1e-9\n20,nan\n30,4\n" + std::string(rest));
    EXPECT_EQ(old.rows, "0,1.5\n10,-1e-9\n20,nan\n30,4\n");
    EXPECT_EQ(old.missing, "");
  }
  EXPECT_EQ(found("step,mean\n17,1\n20,1\n30,1\n").missing,
            "");  // begun by a restart into a folder of its own
}

TEST_F(OldDiagnostics, what_is_missing_is_said) {
  EXPECT_EQ(rows_until(file_, "step,mean", 30, 10).missing,
            "no rows of steps 0 to 30 (No such file or directory)");
  EXPECT_EQ(found("").missing,
            "no rows of steps 0 to 30 (its first line does not match this run's columns)");
  EXPECT_EQ(found("step,mean,other\n0,1,2\n").missing,
            "no rows of steps 0 to 30 (its first line does not match this run's columns)");
  EXPECT_EQ(found("step,mean\n0,1\n10,1\n").missing,
            "no rows of steps 11 to 30 (it ends too early)");
  EXPECT_EQ(found("step,mean\n0,1\n10,1\n20,1\n30,").missing,
            "no rows of steps 21 to 30 (it ends too early)");
}

TEST_F(OldDiagnostics, damaged_lines_are_left_out_and_said) {
  const auto nulls = found("step,mean\n0,1\n" + std::string(5, '\0') + "\n20,1\n30,1\n");
  EXPECT_EQ(nulls.rows, "0,1\n20,1\n30,1\n");
  EXPECT_EQ(nulls.missing, "no rows of steps 1 to 19 (its line 3 is damaged)");
  EXPECT_TRUE(nulls.damaged);
  EXPECT_EQ(found("step,mean\n0,1\n10,1,1\n20,x\n").missing,
            "no rows of steps 1 to 30 (its line 3 is damaged)");
  EXPECT_EQ(found("step,mean\n0,1\n10,1\n10,1\n20,1\n30,1\n").rows, "0,1\n10,1\n20,1\n30,1\n");
}

}  // namespace
}  // namespace halotherm::app
