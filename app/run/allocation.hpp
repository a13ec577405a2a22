// SPDX-License-Identifier: MIT
// What a run would need of a machine that it has not got: `run --dry-run --ranks N`.
#pragma once

#include "app/config/config.hpp"
#include "app/integrate/resource_estimate.hpp"
#include "app/measure/step_model.hpp"
#include "app/output/run_files.hpp"
#include "app/run/forecast.hpp"
#include "comm/halo/halo_traffic.hpp"
#include "comm/mpi/communicator.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace halotherm::app {

/// The machine that is asked about.
struct AllocationRequest {
  int ranks = 0;  ///< 0: none is asked about
  int ranks_per_node = 0;
  std::optional<std::int64_t> gpu_memory;      ///< of each rank's GPU [bytes]
  std::optional<std::int64_t> node_memory;     ///< of each node's CPUs [bytes]
  std::optional<std::filesystem::path> model;  ///< of a step, written by predict_scaling.py
  std::optional<std::filesystem::path> json;   ///< to write everything to
};

/// A memory and what the run takes of it [bytes].
struct MemoryFit {
  std::int64_t needed = 0;
  std::int64_t available = 0;
  bool fits() const { return needed <= available; }
};

struct Allocation {
  AllocationRequest request;
  int nodes = 1;
  ResourceEstimate resources;
  comm::RankTraffic busiest;  ///< of an exchange, each number of the rank where it is largest
  int element_bytes = 8;
  std::optional<Forecast> forecast;  ///< none if it was not evaluated
  std::string not_evaluated;         ///< why
  std::optional<RunFiles> files;     ///< none without a forecast
  std::optional<StepModel> model;
  double step_seconds = 0;       ///< by the model; 0 if it does not apply
  std::string time_reason;       ///< why there is none
  bool has_regions = false;      ///< whose volumes and powers were not counted
  std::optional<MemoryFit> gpu;  ///< of the rank that needs the most
  std::optional<MemoryFit> node;

  double seconds() const {
    return forecast ? static_cast<double>(forecast->steps) * step_seconds : 0;
  }
};

/// Within no DeviceScope, on one rank. Throws CollectiveError if the grid cannot be partitioned so,
/// if the model cannot be read, or with a run's own refusals of values and of time.dt. It looks at
/// cells for some seconds at most, and counts no regions.
Allocation plan_allocation(const comm::Communicator& world, const Config& config,
                           const AllocationRequest& request);

/// Throws comm::Error (usage) if a memory that was given does not suffice.
void check_fit(const Allocation& allocation);

}  // namespace halotherm::app
