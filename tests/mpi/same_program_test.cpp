// SPDX-License-Identifier: MIT
// Ranks that were started differently all report it before anything else.
#include "comm/mpi/same_program.hpp"

#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

TEST(SameProgram, equal_ranks_pass) {
  const Communicator world(MPI_COMM_WORLD);
  require_same_program(world, {"halotherm 1 (abc)", "run a.yaml"});
  EXPECT_FALSE(program_difference({{"a", "b"}, {"a", "b"}}));
}

TEST(SameProgram, another_command_line_is_refused_on_every_rank) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "needs another rank";
  const bool last = world.rank() == world.size() - 1;
  const auto error = test::collective_error([&] {
    require_same_program(world, {"halotherm", last ? "run a.yaml --set grid.cells=[8,8,8]"
                                                   : "run a.yaml --set grid.cells=[8,8,9]"});
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::usage);
  EXPECT_EQ(error->what(), "the ranks have different command lines (rank " +
                               std::to_string(world.size() - 1) +
                               ": ... grid.cells=[8,8,8]; rank 0: ... grid.cells=[8,8,9]); give "
                               "every rank the same arguments");
}

TEST(SameProgram, lines_that_differ_beyond_what_travels_are_refused_too) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "needs another rank";
  const auto error = test::collective_error([&] {
    require_same_program(world,
                         {"halotherm", std::string(5000, 'x') + std::to_string(world.rank())});
  });
  ASSERT_TRUE(error);
  EXPECT_NE(std::string(error->what()).find("beyond their beginning"), std::string::npos)
      << error->what();
}

TEST(SameProgram, another_program_is_named_with_its_ranks) {
  std::vector<ProgramIdentity> ranks(8, {"halotherm 1, build 12", "run"});
  for (std::size_t rank = 2; rank < 8; ++rank) ranks[rank].program = "halotherm 1, build 34";
  EXPECT_EQ(to_string(program_difference(ranks).value()),
            "the ranks run different programs (ranks 2, 3, 4, 5 and 2 others: halotherm 1, build "
            "34; rank 0: halotherm 1, build 12); "
            "start the same file on every rank");
}

TEST(SameProgram, this_one_has_a_build_id) {
  const char* const argv[] = {"halotherm", "run", "a.yaml"};
  const auto identity = identity_of(3, argv);
  EXPECT_EQ(identity.arguments, "run a.yaml");
  EXPECT_GT(identity.program.size() - identity.program.rfind(' '), 16U) << identity.program;
}

}  // namespace
}  // namespace halotherm::comm
