// SPDX-License-Identifier: MIT
// Runs Google Benchmark on one rank and its device: halotherm_benchmarks --benchmark_filter=512
#include "comm/machine/environment.hpp"
#include "comm/mpi/error.hpp"

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  using namespace halotherm;
  benchmark::Initialize(&argc, argv);  // ends the program if asked for help
  const comm::Environment environment(argc, argv);
  const auto& world = environment.world();
  return comm::guarded(world, [&] {
    if (world.size() > 1) {
      throw comm::CollectiveError(
          comm::ExitCode::usage,
          {"there are several ranks", "the benchmarks measure one", "start them without mpiexec"});
    }
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return comm::ExitCode::usage;
    const comm::DeviceScope device(world);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return comm::ExitCode::done;
  });
}
