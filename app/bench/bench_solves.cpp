// SPDX-License-Identifier: MIT
#include "app/bench/bench_solves.hpp"

#include "app/bench/bench_report.hpp"
#include "app/config/config.hpp"
#include "app/domain/geometry.hpp"
#include "app/linear/refinement.hpp"
#include "app/measure/statistics.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "comm/system/host_cpus.hpp"
#include "comm/system/stopwatch.hpp"
#include "solver/field/copy_bandwidth.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace halotherm::app {

namespace {

constexpr double most_seconds = 20;  ///< of the repeats of a case together
constexpr int fewest_cells = 5;      ///< along an axis: three dies and the layers between them

struct SolveCase {
  std::string name;
  std::string config;  ///< YAML without precision and integrator
};

std::vector<int> extents_of(const comm::Int3& cells) {
  std::vector<int> extents;
  for (int axis = 0; axis < 3 && cells[axis] > 1; ++axis) extents.push_back(cells[axis]);
  return extents;
}

/// Cubes as cells with sides of every kind; `materials` and `regions`: as the configuration has
/// them.
std::string mixed_config(const std::vector<int>& extents, const std::string& materials,
                         const std::string& regions) {
  const double longest = std::ranges::max(extents);
  std::vector<double> upper;
  for (const int extent : extents) upper.push_back(extent / longest);
  return fmt::format(
      "grid: {{cells: [{}], upper: [{}]}}\n"
      "materials: {{{}}}\n"
      "regions: [{{material: solid, source: 100}}{}]\n"
      "sides:\n"
      "  x-: {{temperature: 300}}\n"
      "  x+: {{temperature: 400}}\n"
      "  y-: {{convection: {{coefficient: 3, ambient: 280}}}}\n{}",
      fmt::join(extents, ", "), fmt::join(upper, ", "), materials, regions,
      extents.size() > 2 ? "  z+: {flux: 5}\n" : "");
}

std::string material(const char* name, const std::string& conductivity) {
  return fmt::format("{}: {{conductivity: {}, density: 1, heat_capacity: 1}}", name, conductivity);
}

std::string uniform_config(const std::vector<int>& extents) {
  return mixed_config(extents, material("solid", "1"), "");
}

/// A box in the middle conducts 10⁴ times as well.
std::string box_config(const std::vector<int>& extents) {
  const double longest = std::ranges::max(extents);
  std::vector<double> from, to;
  for (const int extent : extents) {
    from.push_back(0.25 * extent / longest);
    to.push_back(0.75 * extent / longest);
  }
  return mixed_config(extents, material("solid", "1") + ", " + material("box", "1e4"),
                      fmt::format(", {{material: box, box: {{lower: [{}], upper: [{}]}}}}",
                                  fmt::join(from, ", "), fmt::join(to, ", ")));
}

/// Grains of five cells along each axis that conduct 1 to 10⁴ in no order.
std::string grains_config(const std::vector<int>& extents) {
  constexpr std::array factors{12.9898, 78.233, 37.719};
  const double grains = std::ranges::max(extents) / 5.0;  // along an axis of length 1
  std::string place = "2";
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    place += fmt::format(" + {}*rint({}*{})", factors[axis], grains, "xyz"[axis]);
  return mixed_config(extents, material("solid", fmt::format("'10^rint(2 + 2*sin({}))'", place)),
                      "");
}

/// Three dies of 100 um with layers of 2 um between them, 10 mm wide, cooled from above.
std::string stack_config(const std::vector<int>& extents) {
  const char* axis = extents.size() > 2 ? "z" : "y";
  const int high = extents.back(), thin = std::max(1, high / 16), rest = high - 2 * thin;
  std::string across = fmt::format("x: {{cells: {}, upper: 0.01}}", extents[0]);
  if (extents.size() > 2) across += fmt::format(", y: {{cells: {}, upper: 0.01}}", extents[1]);
  const int die = rest / 3;
  return fmt::format(
      "grid: {{{0}, {1}: {{layers: [[1e-4, {2}], [2e-6, {3}], [1e-4, {2}], [2e-6, {3}], [1e-4, "
      "{4}]]}}}}\n"
      "materials:\n"
      "  silicon: {{conductivity: 130, density: 2330, heat_capacity: 700}}\n"
      "  bond: {{conductivity: 1, density: 2000, heat_capacity: 1000}}\n"
      "regions:\n"
      "  - {{material: silicon}}\n"
      "  - {{material: bond, layer: {{axis: {1}, from: 1e-4, to: 1.02e-4}}}}\n"
      "  - {{material: bond, layer: {{axis: {1}, from: 2.02e-4, to: 2.04e-4}}}}\n"
      "  - {{layer: {{axis: {1}, from: 0, to: 1e-4}}, source: 1e9}}\n"
      "sides: {{{1}+: {{convection: {{coefficient: 1e4, ambient: 300}}}}}}\n",
      across, axis, die, thin, rest - 2 * die);
}

std::vector<SolveCase> cases_of(const comm::Int3& cells) {
  const auto extents = extents_of(cells);
  if (extents.size() < 2 || std::ranges::min(extents) < fewest_cells) return {};
  const auto named = [&](const char* name) {
    return fmt::format("{}-D solve, {}", extents.size(), name);
  };
  return {{named("mixed sides"), uniform_config(extents)},
          {named("jumps of 1e4"), box_config(extents)},
          {named("grains"), grains_config(extents)},
          {named("thin layers"), stack_config(extents)}};
}

/// One case on this rank alone; members are collective over all ranks.
template <class Real>
class SolveTrial {
 public:
  SolveTrial(const comm::Communicator& world, const Config& config)
      : world_(world),
        alone_(comm::this_rank_alone()),
        domain_(alone_, config, make_partition(config, 1)),
        problem_(domain_, config),
        start_(problem_.initial_temperature(config)),
        temperature_(domain_.field("temperature")),
        refinement_(streams_, domain_, problem_, config, false) {
    refinement_.set_matrix(0, temperature_);
    streams_.fence();
    setup_seconds_ = world_.max(stopwatch_.seconds());
  }

  BenchRow measure(int repeats);

 private:
  double copy_rate();
  double solve();

  const comm::Communicator& world_;
  comm::Communicator alone_;
  comm::Streams streams_;
  Domain<Real> domain_;
  Problem<Real> problem_;
  std::vector<Real> start_;
  solver::Field<Real> temperature_;
  comm::Stopwatch stopwatch_;  ///< since the set-up began
  Refinement<Real> refinement_;
  double setup_seconds_ = 0;
  SolveRecord record_;  ///< of the last solve
};

template <class Real>
double SolveTrial<Real>::copy_rate() {
  world_.barrier();
  return sum(world_.gather(solver::copy_bandwidth(temperature_, refinement_.scratch(), 1)));
}

/// Seconds on the slowest rank.
template <class Real>
double SolveTrial<Real>::solve() {
  solver::copy_from_host<Real>(start_, domain_.owned, temperature_);
  world_.barrier();
  const comm::Stopwatch stopwatch;
  record_ = refinement_.solve(temperature_, temperature_, "the steady state");
  return world_.max(stopwatch.seconds());
}

template <class Real>
BenchRow SolveTrial<Real>::measure(int repeats) {
  const double first = solve();  // warms up
  const int count = std::clamp(static_cast<int>(most_seconds / first), 1, repeats);
  std::vector<double> seconds, copies{copy_rate()};
  const auto before = comm::processor_time();
  for (int n = 0; n < count; ++n) {
    seconds.push_back(solve());
    copies.push_back(copy_rate());
  }
  const double got = comm::share_since(before, comm::processor_time());
  BenchRow row;
  row.kind = "solve";
  row.cells = domain_.grid.cells;
  row.seconds = estimate(seconds).median;
  row.seconds_min = std::ranges::min(seconds);
  row.seconds_max = std::ranges::max(seconds);
  row.repeats = count;
  row.processor = world_.min(got);
  row.cells_per_second = world_.size() * static_cast<double>(domain_.owned.size()) / row.seconds;
  row.ceiling = estimate(copies).median;
  const double bytes = 2.0 * static_cast<double>(temperature_.bytes()) * world_.size();
  const auto iterations = static_cast<double>(record_.iterations);
  row.solve = BenchSolve{.iterations = record_.iterations,
                         .levels = record_.levels,
                         .residual = record_.residuals.back(),
                         .reduction = std::pow(record_.residuals.back(), 1 / iterations),
                         .copies = row.seconds / (bytes / *row.ceiling),
                         .setup_seconds = setup_seconds_};
  row.warning = disturbance(*row.ceiling, std::ranges::max(copies), row.processor);
  return row;
}

template <class Real>
std::string precision_name() {
  return sizeof(Real) == 8 ? "float64" : "float32";
}

}  // namespace

template <class Real>
void measure_solves(const comm::Communicator& world, const comm::Int3& cells, int repeats,
                    const std::function<void(BenchRow)>& add) {
  for (const auto& [name, text] : cases_of(cells)) {
    const auto config = parse_config(text, "a case of bench",
                                     {"time.integrator=steady", "initial.temperature=300",
                                      "grid.precision=" + precision_name<Real>()});
    auto row = SolveTrial<Real>(world, config).measure(repeats);
    row.name = name;
    row.precision = precision_name<Real>();
    add(std::move(row));
  }
}

template void measure_solves<float>(const comm::Communicator&, const comm::Int3&, int,
                                    const std::function<void(BenchRow)>&);
template void measure_solves<double>(const comm::Communicator&, const comm::Int3&, int,
                                     const std::function<void(BenchRow)>&);

}  // namespace halotherm::app
