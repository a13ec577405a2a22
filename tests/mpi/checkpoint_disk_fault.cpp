// SPDX-License-Identifier: MIT
// A program that must end by itself: the disk fails on the last rank alone, in the middle of a collective write. MPI then leaves
// the other ranks waiting, so the job has to be ended with a message and the exit code for input and output.
#include "comm/environment.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/io_support.hpp"

int main(int argc, char** argv) {
  using namespace halotherm;
  const comm::Environment environment(argc, argv);
  const auto& world = environment.world();
  return comm::guarded(world, [&] {
    const test::TemporaryFolder folder(world);
    io::CheckpointInfo info;
    info.grid = {3, {48, 48, 48}, {0, 0, 0}, {1, 1, 1}};
    const auto box = test::slab(world, info.grid.cells, 2);
    std::optional<test::FileSizeLimit> limit;
    if (world.rank() == world.size() - 1) limit.emplace(300000);
    io::write_checkpoint<double>(world, folder.path(), info, box, test::coded_block<double>(box), 1);
    return comm::ExitCode::done;
  });
}
