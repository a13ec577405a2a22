// SPDX-License-Identifier: MIT
// Runs GoogleTest under MPI: rank 0 prints, the others only their failures; the ranks' results are
// combined once, at the end, so that a failure on one rank cannot leave the others in a collective
// call.
#include "comm/transport/device_pointers.hpp"
#include "io/hdf5/library.hpp"

#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace {

const halotherm::comm::Communicator* the_world = nullptr;

/// Prints the failures of a rank that is not the root, whose normal output is suppressed.
class FailurePrinter : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed()) {
      std::cerr << "rank " << rank_ << ": " << (result.file_name() ? result.file_name() : "?")
                << ":" << result.line_number() << ": " << result.message() << std::endl;
    }
  }

 private:
  int rank_;
};

}  // namespace

const halotherm::comm::Communicator& halotherm::test::world() {
  return *the_world;
}

int main(int argc, char** argv) {
  if (halotherm::comm::is_device_pointer_trial(argc, argv))
    return halotherm::comm::run_device_pointer_trial(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  halotherm::io::hdf5::set_up_library();
  halotherm::comm::Environment environment(argc, argv);
  const auto& world = environment.world();
  the_world = &world;
  halotherm::comm::DeviceScope device(world);
  if (!world.is_root()) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(world.rank()));
  }
  const bool failed = RUN_ALL_TESTS() != 0;
  const bool none = testing::UnitTest::GetInstance()->test_to_run_count() == 0;
  if (none) std::cerr << "no test has that name: a filter that matches nothing is a failure\n";
  return world.any(failed || none) ? 1 : 0;
}
