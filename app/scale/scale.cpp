// SPDX-License-Identifier: MIT
#include "app/scale/scale.hpp"

#include "app/config/writer.hpp"
#include "app/domain/geometry.hpp"
#include "app/integrate/resource_estimate.hpp"
#include "app/measure/by_first_ranks.hpp"
#include "app/measure/oversubscription.hpp"
#include "app/probe/probe_json.hpp"
#include "app/scale/rank_counts.hpp"
#include "app/scale/scale_case.hpp"
#include "app/scale/scale_report.hpp"
#include "comm/machine/device.hpp"
#include "comm/mpi/error.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "comm/system/host_cpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>

namespace halotherm::app {

namespace {

constexpr std::uint64_t seed = 20150715;

std::vector<int> rank_counts(const std::vector<int>& asked, int size) {
  if (asked.empty()) return usual_rank_counts(size);
  if (asked.back() <= size) return asked;
  throw comm::Error(comm::ExitCode::usage,
                    {fmt::format("halotherm scale: --ranks is {}", asked.back()),
                     fmt::format("the job has {} ranks", size), "start as many, or give fewer"});
}

/// Throws if memory is too small for all numbers of ranks together; none is freed before the end.
void check_memory(const comm::Communicator& world, const ScaleRecord& record,
                  const Config& config) {
  const auto& node = world.node();
  std::int64_t mine = 0;
  comm::agree(world, [&] {
    for (const auto& row : record.rows) {
      const auto study = config_for(record.kind, config, row.ranks);
      const auto plan = estimate_resources(study, make_partition(study, row.ranks),
                                           std::vector<int>(static_cast<std::size_t>(row.ranks)));
      const auto host = comm::kernels_run_on_host ? plan.host_bytes : 0;
      if (world.rank() < row.ranks) mine += plan.device.total() + host;
    }
  });
  const auto needed = comm::kernels_run_on_host ? node.sum(mine) : mine;
  comm::agree(world, [&] {
    const auto available = comm::available_memory(comm::kernels_run_on_host ? 1 : node.size());
    if (needed <= available) return;
    throw comm::Error(
        comm::ExitCode::usage,
        {fmt::format("grid.cells: the study needs {:.3g} GB here",
                     1e-9 * static_cast<double>(needed)),
         fmt::format("{:.3g} GB are free, and the grids of all numbers of ranks are allocated at "
                     "once",
                     1e-9 * static_cast<double>(available)),
         "use fewer cells, or fewer --ranks"});
  });
}

/// Collective. The cores on which the threads of each rank of this node may run.
std::vector<RankCores> cores_of_node(const comm::Communicator& world) {
  const auto cpus = comm::usable_cpus();
  const RankCores mine{comm::host_name(),
                       {cpus.begin(), cpus.end()},
                       comm::Space().concurrency(),
                       comm::describe_device().identity()};
  std::vector<RankCores> all;
  for (const auto& text : world.node().gather(to_text(mine)))
    all.push_back(rank_cores_from_text(text));
  return all;
}

template <class Real>
class Study {
 public:
  Study(const comm::Communicator& world, const Config& config, const io::Log& log,
        ScaleRecord& record)
      : world_(world),
        config_(config),
        progress_(log),
        record_(record),
        cases_(record.rows.size()),
        cores_(cores_of_node(world)) {}

  void run(std::optional<std::int64_t> steps) {
    prepare(steps);
    measure();
    measure_steady();
    for (std::size_t place = 0; place < cases_.size(); ++place) {
      by_first_ranks(world_, record_.rows[place].ranks, [&] { cases_[place]->check_finite(); });
    }
  }

 private:
  void prepare(std::optional<std::int64_t> steps) {
    progress_.begin(0);
    for (std::size_t place = 0; place < cases_.size(); ++place) {
      auto& row = record_.rows[place];
      show(0, row);
      const double shared = sharing(row.ranks);
      row.oversubscription = world_.max(shared);
      const auto nodes = std::span(world_.nodes()).first(static_cast<std::size_t>(row.ranks));
      row.on_one_host = comm::kernels_run_on_host &&
                        std::ranges::all_of(nodes, [](int node) { return node == 0; });
      by_first_ranks(world_, row.ranks, [&] {
        cases_[place] = std::make_unique<ScaleCase<Real>>(
            comm::first_ranks(world_, row.ranks), config_for(record_.kind, config_, row.ranks),
            streams_);
        cases_[place]->prepare(steps, shared, row);
      });
    }
  }

  /// How many of the first `ranks` ranks share this rank's cores or device; 1 on the other ranks.
  double sharing(int ranks) const {
    if (world_.rank() >= ranks) return 1;
    const auto& nodes = world_.nodes();
    const int node = nodes[static_cast<std::size_t>(world_.rank())];
    const auto here = std::ranges::count(nodes.begin(), nodes.begin() + ranks, node);
    const auto shared = oversubscription({cores_.begin(), cores_.begin() + here});
    return shared[static_cast<std::size_t>(world_.node().rank())];
  }

  void measure() {
    const auto order = shuffled_order(record_.rows.size(), record_.repeats, record_.seed);
    for (std::size_t n = 0; n < order.size(); ++n) {
      const auto place = static_cast<std::size_t>(order[n]);
      auto& row = record_.rows[place];
      record_.order.push_back(row.ranks);
      show(static_cast<double>(n) / static_cast<double>(order.size()), row);
      by_first_ranks(world_, row.ranks, [&] { row.samples.push_back(cases_[place]->measure()); });
    }
    progress_.interrupt();
  }

  /// Devices cool down between a study's repeats; where their clocks were limited, this measures
  /// the speed that long runs reach.
  void measure_steady() {
    const auto limited = [](const ScaleRow& row) {
      return row.clock_limit() != comm::ClockLimit::none;
    };
    if (!world_.any(world_.is_root() && std::ranges::any_of(record_.rows, limited))) return;
    for (std::size_t place = 0; place < cases_.size(); ++place) {
      auto& row = record_.rows[place];
      by_first_ranks(world_, row.ranks, [&] { row.steady = cases_[place]->measure_steady(); });
    }
  }

  void show(double done, const ScaleRow& row) {
    progress_.update(
        done, [&] { return std::to_string(row.ranks) + (row.ranks == 1 ? " rank" : " ranks"); });
  }

  const comm::Communicator& world_;
  const Config& config_;
  io::Progress progress_;
  ScaleRecord& record_;
  comm::Streams streams_;
  std::vector<std::unique_ptr<ScaleCase<Real>>> cases_;  ///< where this rank takes part
  std::vector<RankCores> cores_;                         ///< of the ranks of this node
};

}  // namespace

int fewest_ranks(const ScaleOptions& options) {
  return options.kind == ScaleKind::weak || options.ranks.empty() ? 1 : options.ranks.front();
}

ScaleRecord scale(const comm::Communicator& world, const Config& config,
                  const ScaleOptions& options, const io::Log& log) {
  ScaleRecord record;
  record.kind = options.kind;
  record.title = config.title;
  record.device = comm::device_model();
  record.config = to_yaml(config);
  record.places.emplace(comm::places(world));
  record.repeats = options.repeats;
  record.own_memory = !comm::kernels_run_on_host;
  record.seed = seed;
  record.checked_steps = ScaleCase<double>::checked_steps;
  record.element_bytes = config.grid.element_bytes();
  const auto counts = comm::agreed(world, [&] { return rank_counts(options.ranks, world.size()); });
  for (const int count : counts) {
    record.rows.emplace_back();
    record.rows.back().ranks = count;
  }
  check_memory(world, record, config);
  if (record.element_bytes == 8) {
    Study<double>(world, config, log, record).run(options.steps);
  } else {
    Study<float>(world, config, log, record).run(options.steps);
  }
  if (world.is_root()) log.line(scale_text(record));
  return record;
}

}  // namespace halotherm::app
