// SPDX-License-Identifier: MIT
#include "app/bench/bench.hpp"

#include "app/bench/bench_cases.hpp"
#include "app/bench/bench_report.hpp"
#include "app/bench/bench_solves.hpp"
#include "comm/device/execution.hpp"
#include "comm/machine/device.hpp"
#include "comm/machine/meters.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/error_text.hpp"
#include "io/text/message_text.hpp"
#include "io/text/number_text.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

BenchRecord describe(const comm::Communicator& world) {
  BenchRecord record;
  record.ranks = world.size();
  record.device = comm::device_model();
  record.peak_bandwidth = comm::peak_memory_bandwidth();
  record.cache_bytes = comm::last_level_cache_bytes();
  return record;
}

std::string joined(const std::string& one, const std::string& other) {
  return one + (one.empty() || other.empty() ? "" : "; ") + other;
}

/// A warning about rates above the memory's peak and grids that fit into caches.
std::string doubt(const BenchRecord& record, double bandwidth, double bytes_of_set) {
  if (record.peak_bandwidth && bandwidth > record.ranks * *record.peak_bandwidth) {
    return bytes_of_set < static_cast<double>(record.cache_bytes)
               ? "above the memory's physical peak: the caches hold the grid"
               : "above the memory's physical peak: the figure is wrong";
  }
  if (bytes_of_set < static_cast<double>(record.cache_bytes)) return "the caches may hold the grid";
  return "";
}

template <class Real>
void bench_grid(const comm::Communicator& world, const BenchOptions& options,
                const comm::Int3& cells, bool all_operators, const io::Log& log,
                BenchRecord& record) {
  BenchGrid<Real> grid(world, cells, options.repeats);
  for (auto& ceiling : grid.ceilings()) {
    ceiling.warning = joined(disturbance(ceiling),
                             doubt(record, ceiling.bandwidth, static_cast<double>(ceiling.bytes)));
    log.line(bench_line(ceiling));
    record.ceilings.push_back(ceiling);
  }
  const auto add = [&](BenchRow row) {
    const double smallest = 2.0 * sizeof(Real);  // of solves, whose bytes are not counted
    const auto bytes = std::max(row.bytes_per_cell, smallest) *
                       static_cast<double>(comm::Box{{0, 0, 0}, cells}.size());
    row.warning = joined(row.warning, doubt(record, row.bandwidth(), bytes));
    log.line(bench_line(row));
    record.rows.push_back(std::move(row));
  };
  grid.measure_operators(all_operators, add);
  const auto clocks = comm::current_clocks();
  record.compute_mhz = clocks.compute_mhz;
  record.memory_mhz = clocks.memory_mhz;
  if (cells[2] > 1 && all_operators) {
    grid.measure_packing(add);
    grid.measure_checkpoint(options.directory, add);
  }
  if (all_operators) measure_solves<Real>(world, cells, options.repeats, add);
}

}  // namespace

comm::Int3 parse_grid(const std::string& text) {
  std::vector<int> cells;
  const auto words = io::split(text, ',');
  for (const auto& word : words) {
    const auto extent = io::parse_whole_number(word).value_or(0);
    if (extent >= 4 && extent <= 1 << 30) cells.push_back(static_cast<int>(extent));
  }
  if (cells.size() < words.size() || cells.size() > 3) {
    throw comm::Error(comm::ExitCode::usage,
                      {"halotherm bench: --cells is '" + comm::shortened(text, 60) + "'",
                       "must be one to three whole numbers from 4 on, with commas between them",
                       "give them as in 512 or 1000,777,513"});
  }
  if (cells.size() == 1) return {cells[0], cells[0], cells[0]};
  return {cells[0], cells[1], cells.size() > 2 ? cells[2] : 1};
}

std::vector<comm::Int3> grids_of(const BenchOptions& options) {
  if (!options.cells.empty()) return options.cells;
  // on GPUs grids that fill them; on CPUs one that fits into caches and larger ones
  if constexpr (comm::kernels_run_on_host) return {{96, 96, 96}, {512, 512, 512}, {4096, 4096, 1}};
  return {{512, 512, 512}, {1022, 1022, 1022}, {1000, 777, 513}, {16384, 8192, 1}};
}

double largest_cells(const BenchOptions& options) {
  std::int64_t largest = 0;
  for (const auto& cells : grids_of(options))
    largest = std::max(largest, comm::Box{{0, 0, 0}, cells}.size());
  return static_cast<double>(largest);
}

BenchRecord bench(const comm::Communicator& world, const BenchOptions& options,
                  const io::Log& log) {
  auto record = describe(world);
  log.line(bench_heading(record));
  const auto grids = grids_of(options);
  for (const auto& precision : options.precisions) {
    bool first_of_its_kind[4] = {true, true, true, true};
    for (const auto& cells : grids) {
      const int dimensions = cells[2] > 1 ? 3 : cells[1] > 1 ? 2 : 1;
      // varying coefficients are evaluated on the host, which is slow for large grids: the usual
      // grids have them once for each number of dimensions
      const bool all_operators = first_of_its_kind[dimensions] || !options.cells.empty();
      first_of_its_kind[dimensions] = false;
      if (precision == "float64") {
        bench_grid<double>(world, options, cells, all_operators, log, record);
      } else {
        bench_grid<float>(world, options, cells, all_operators, log, record);
      }
    }
  }
  return record;
}

}  // namespace halotherm::app
