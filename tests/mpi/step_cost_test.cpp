// SPDX-License-Identifier: MIT
// What a step must not do: allocate device memory, fence the whole device, or talk to all ranks.
// Counted in runs of different lengths: whatever a run does beside its steps cancels out.
#include "app/run/simulation.hpp"
#include "tests/support/nccl.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

namespace {

struct Counts {
  long allocations = 0;
  long fences = 0;
  long global_fences = 0;
  long collectives = 0;
};

Counts counts;

std::string last_allocation;  ///< for the message

void on_allocation(Kokkos::Tools::SpaceHandle, const char* label, const void*, std::uint64_t) {
  ++counts.allocations;
  last_allocation += std::string(" ") + label;
}

void on_fence(const char* name, std::uint32_t, std::uint64_t*) {
  ++counts.fences;
  if (std::string(name).find("Kokkos::fence") != std::string::npos) ++counts.global_fences;
}

}  // namespace

// MPI's profiling interface: the program's calls come here
extern "C" {
int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  ++counts.collectives;
  return PMPI_Allreduce(in, out, count, type, op, comm);
}
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++counts.collectives;
  return PMPI_Bcast(data, count, type, root, comm);
}
int MPI_Barrier(MPI_Comm comm) {
  ++counts.collectives;
  return PMPI_Barrier(comm);
}
int MPI_Allgather(const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype other,
                  MPI_Comm comm) {
  ++counts.collectives;
  return PMPI_Allgather(in, n, type, out, m, other, comm);
}
}

namespace halotherm::app {
namespace {

class StepCost : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    Kokkos::Tools::Experimental::set_allocate_data_callback(on_allocation);
    Kokkos::Tools::Experimental::set_begin_fence_callback(on_fence);
    RunControl::meeting_interval = 1e6;  // [s]: after 64 steps, then twice as many
  }
  void TearDown() override {
    RunControl::meeting_interval = usual_interval_;
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr);
  }

  std::string value_ = "300 + z", ambient_ = "290", emissivity_ = "0.5", fire_ = "900";
  std::string source_ = "1", integrator_ = "euler";
  const double usual_interval_ = RunControl::meeting_interval;

  /// What a run of so many steps does in all.
  Counts cost_of(int steps) {
    const auto& world = test::world();
    const auto folder = std::filesystem::temp_directory_path() /
                        world.broadcast("step_cost_" + std::to_string(getpid()));
    std::ostringstream text;
    text << "grid: {cells: [24, 20, 16], upper: [1, 1, 1]}\n"
         << "materials: {solid: {conductivity: 2, density: 3, heat_capacity: 4}}\n"
         << "initial: {temperature: \"300 + x\"}\n"
         << "sides: {x: periodic, y-: {temperature: \"" << value_ << "\"}, "
         << "z+: {convection: {coefficient: \"5 + x\", ambient: \"" << ambient_ << "\"}, "
         << "radiation: {emissivity: \"" << emissivity_ << "\", ambient: \"" << ambient_ << "\"}, "
         << "patches: [{name: spot, box: {lower: [0, 0, 1], upper: [1, 0.5, 1]}, flux: 3}]}, "
         << "z-: {radiation: {emissivity: 0.8, ambient: \"" << fire_ << "\"}}}\n"
         << "regions: [{source: \"" << source_ << "\"}]\n"
         << "time: {steps: " << steps << ", integrator: " << integrator_ << "}\n"
         << "parallel: {transport: " << GetParam() << "}\n"
         << "output: {directory: " << folder.string() << ", diagnostics: {steps: 1000}}\n";
    const auto config = parse_config(text.str(), "test", {});
    std::ostringstream silent;
    counts = {};
    last_allocation.clear();
    Simulation<double>(world, config, choose_partition<double>(world, config), {}, {}, {},
                       io::Log(world, silent))
        .run();
    const Counts found = counts;
    world.barrier();
    if (world.is_root()) std::filesystem::remove_all(folder);
    world.barrier();
    return found;
  }
};

TEST_P(StepCost, StepsAllocateNothingAndAreLocal) {
  if (std::string(GetParam()) == "device" && !comm::mpi_claims_device_support())
    GTEST_SKIP() << "this MPI takes no device pointers";
  if (std::string(GetParam()) == "p2p" && comm::kernels_run_on_host) GTEST_SKIP() << "no GPU";
  if (std::string(GetParam()) == "nccl" && !test::nccl_works()) GTEST_SKIP() << "no NCCL";
  cost_of(1);  // Kokkos takes scratch memory the first time that it reduces
  const auto few = cost_of(5);
  const auto many = cost_of(95);  // too few to be worth a calibration
  EXPECT_GT(few.collectives, 0) << "collectives are not counted";
  EXPECT_GT(few.allocations, 0) << "allocations are not counted";
  EXPECT_EQ(many.allocations, few.allocations) << last_allocation;
  EXPECT_LT(many.collectives - few.collectives, 90 / 5);  // of one meeting
  EXPECT_EQ(many.global_fences, few.global_fences);
  // where kernels run beside the host, it waits for packed messages only, and for all in the steps
  // that are timed
  EXPECT_LE(many.fences - few.fences, 90 * 5);
}

TEST_P(StepCost, StagesAllocateNothingAndAreLocal) {
  if (std::string(GetParam()) != "staged") GTEST_SKIP() << "no matter of the transport";
  value_ = "300 + z + t";
  source_ = "x + t";
  for (const auto* integrator : {"rk2", "rkl2, stages: 3"}) {
    integrator_ = integrator;
    cost_of(1);
    const auto few = cost_of(5);
    const auto many = cost_of(65);
    EXPECT_EQ(many.allocations, few.allocations) << integrator << ':' << last_allocation;
    EXPECT_LT(many.collectives - few.collectives, 60 / 5) << integrator;  // of one meeting
    EXPECT_EQ(many.global_fences, few.global_fences) << integrator;
  }
}

TEST_P(StepCost, StepsThatFollowAToleranceMeetOnceAndAllocateNothing) {
  if (std::string(GetParam()) != "staged") GTEST_SKIP() << "no matter of the transport";
  source_ = "x + t";
  for (const auto* integrator : {"rk2, tolerance: 1e3", "rkl2, tolerance: 1e3"}) {
    integrator_ = integrator;
    cost_of(1);
    const auto few = cost_of(5);
    const auto many = cost_of(65);
    EXPECT_EQ(many.allocations, few.allocations) << integrator << ':' << last_allocation;
    EXPECT_GE(many.collectives - few.collectives, 60) << integrator;
    EXPECT_LT(many.collectives - few.collectives, 60 + 60 / 5) << integrator;
    EXPECT_EQ(many.global_fences, few.global_fences) << integrator;
  }
}

TEST_P(StepCost, FormulasThatChangeWithTimeAllocateNothing) {
  if (std::string(GetParam()) != "staged") GTEST_SKIP() << "no matter of the transport";
  value_ = "300 + z + t";
  ambient_ = "290 + sin(t)";
  emissivity_ = "0.5 + 0.1*sin(t)";
  fire_ = "900 + t";
  for (const auto* source : {"t", "x + t"}) {
    source_ = source;
    cost_of(1);
    const auto few = cost_of(5);
    const auto many = cost_of(95);
    EXPECT_EQ(many.allocations, few.allocations) << source << ':' << last_allocation;
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, StepCost,
                         testing::Values("device", "staged", "p2p", "rma", "nccl"));

}  // namespace
}  // namespace halotherm::app
