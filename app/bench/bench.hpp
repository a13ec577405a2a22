// SPDX-License-Identifier: MIT
// halotherm bench: measures the speed of the solver's parts beside what the memory can reach.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/partition/box.hpp"
#include "io/text/log.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

struct BenchOptions {
  std::vector<comm::Int3> cells;  ///< grids, flat along axes of extent 1; empty: grids_of chooses
  int repeats = 5;
  std::vector<std::string> precisions{"float64", "float32"};
  std::optional<std::filesystem::path> json;
  std::filesystem::path directory = "results/bench";  ///< of a checkpoint, which is removed
};

/// Of a linear solve.
struct BenchSolve {
  std::int64_t iterations = 0;  ///< of conjugate gradients, each with one cycle
  int levels = 0;
  double residual = 0;       ///< over the first, at the end
  double reduction = 0;      ///< of the residual by an iteration, geometric mean
  double copies = 0;         ///< the time in copies of the temperature field
  double setup_seconds = 0;  ///< of the matrix and all levels, the first time
};

/// One measurement. Rates are sums over the ranks, which all work at once, each on its own grid.
struct BenchRow {
  std::string kind;  ///< stencil, halo, files or solve
  std::string name;
  std::string precision;
  comm::Int3 cells{};  ///< of each rank
  double seconds = 0;  ///< median of the repeats, on the slowest rank
  double seconds_min = 0;
  double seconds_max = 0;
  int repeats = 0;
  double processor = 1;  ///< least share of its cores' time that a rank got
  double cells_per_second = 0;
  double bytes_per_cell = 0;  ///< that must be moved; 0 of solves
  double flops_per_cell = 0;
  std::optional<double>
      ceiling;  ///< rate of copies of the grid between the repeats, median [bytes/s]
  std::optional<double> fraction;  ///< of the copies around a repeat, median of the repeats
  std::optional<double> joules_per_cell;
  std::optional<BenchSolve> solve;
  std::string detail;   ///< the tile
  std::string warning;  ///< why the figures may be wrong; empty if there is no reason

  double bandwidth() const { return cells_per_second * bytes_per_cell; }
};

struct BenchCeiling {
  std::string name;  ///< copy or triad
  std::string precision;
  comm::Int3 cells{};
  std::int64_t bytes = 0;  ///< moved by each rank
  double bandwidth = 0;    ///< of all ranks, the best of the repeats [bytes/s]
  double slowest = 0;      ///< the worst of them
  std::string warning;
};

struct BenchRecord {
  int ranks = 1;
  std::string device;
  std::optional<double> peak_bandwidth;  ///< of one device [bytes/s]
  std::optional<double> compute_mhz;     ///< while kernels ran
  std::optional<double> memory_mhz;
  std::int64_t cache_bytes = 0;
  std::vector<BenchCeiling> ceilings;
  std::vector<BenchRow> rows;
};

/// {512, 512, 512} of "512", {1000, 777, 1} of "1000,777", as given to --cells. Throws comm::Error
/// (usage).
comm::Int3 parse_grid(const std::string& text);
std::vector<comm::Int3> grids_of(const BenchOptions& options);
/// Cells of the largest of these grids.
double largest_cells(const BenchOptions& options);

/// Collective, within a DeviceScope. Prints rows as they are measured. Throws CollectiveError.
BenchRecord bench(const comm::Communicator& world, const BenchOptions& options, const io::Log& log);

}  // namespace halotherm::app
