// SPDX-License-Identifier: MIT
// halotherm bench: how fast this machine runs the solver's parts, and what it could reach.
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
  std::vector<comm::Int3>
      cells;  ///< grids; extents of 1 make them flat; empty: what suits the device
  int repeats = 5;
  std::vector<std::string> precisions{"float64", "float32"};
  std::optional<std::filesystem::path> json;
  std::filesystem::path directory =
      "results/bench";  ///< where a checkpoint is written, and removed again
};

/// One measured thing. Rates are those of all ranks together; each works on a grid of its own, all
/// at once.
struct BenchRow {
  std::string kind;  ///< stencil, halo or checkpoint
  std::string name;
  std::string precision;
  comm::Int3 cells{};  ///< of each rank
  double seconds = 0;  ///< the median of the repeats, on the slowest rank
  double seconds_min = 0;
  double seconds_max = 0;
  int repeats = 0;
  double processor = 1;  ///< share of its cores' time that the worst-off rank got meanwhile
  double cells_per_second = 0;
  double bytes_per_cell = 0;  ///< that cannot be avoided
  double flops_per_cell = 0;
  std::optional<double> ceiling;  ///< the rate of copies of the same grid, between the repeats:
                                  ///< their median [bytes/s]
  std::optional<double>
      fraction;  ///< of the copies right before and after a repeat: the repeats' median
  std::optional<double> joules_per_cell;
  std::string detail;   ///< the tile
  std::string warning;  ///< why the number should not be believed, if so

  double bandwidth() const { return cells_per_second * bytes_per_cell; }
};

struct BenchCeiling {
  std::string name;  ///< copy or triad
  std::string precision;
  comm::Int3 cells{};
  std::int64_t bytes = 0;  ///< moved by each rank
  double bandwidth = 0;    ///< of all ranks, the best of the repeats [bytes/s]
  double slowest = 0;      ///< and the worst
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
/// The grids that will be measured.
std::vector<comm::Int3> grids_of(const BenchOptions& options);
/// Of the largest of them.
double largest_cells(const BenchOptions& options);

/// Collective, within a DeviceScope. Prints rows as they are measured. Throws CollectiveError.
BenchRecord bench(const comm::Communicator& world, const BenchOptions& options, const io::Log& log);

/// What speaks against a row's or a ceiling's numbers besides caches: that its copies ran far below
/// the best ones of the same grid, that they differed much from each other, or that other programs
/// had the cores. Empty if nothing does. Pure.
std::string disturbance(double copy, double best_copy, double processor);
std::string disturbance(const BenchCeiling& ceiling);
/// Below this share of the best copy of the same grid, a row is measured again, and if that does
/// not help, marked.
inline constexpr double undisturbed = 0.9;

std::string bench_heading(const BenchRecord& record);
std::string bench_line(const BenchCeiling& ceiling);
std::string bench_line(const BenchRow& row);
std::string bench_json(const BenchRecord& record);

}  // namespace halotherm::app
