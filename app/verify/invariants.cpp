// SPDX-License-Identifier: MIT
#include "app/verify/invariants.hpp"

#include "app/verify/trial.hpp"
#include "comm/mpi/error.hpp"
#include "comm/mpi/sub_communicator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace halotherm::app {

namespace {

constexpr const char* explicit_time = "steps: 24, bound: stable";

/// Three materials, one of them void, sources, and sides of all kinds.
constexpr const char* mixed = R"yaml(
grid: {{x: {{cells: 21, upper: 1}}, y: {{cells: 18, upper: 0.9}}, z: {{cells: {0}, upper: {1}}}}}
materials:
  solid: {{conductivity: "2 + x*y", density: 2, heat_capacity: "1 + z"}}
  inlay: {{conductivity: [0.1, 5, 1], density: 1, heat_capacity: 3}}
regions:
  - {{material: solid, source: "{2}"}}
  - {{material: inlay, box: {{lower: [0.2, 0.1, 0.1], upper: [0.6, 0.5, 0.7]}}}}
  - {{material: void, sphere: {{center: [0.7, 0.6, 0.4], radius: 0.15}}}}
initial: {{temperature: "300 + 40*sin(5*x)*cos(4*y + z)"}}
sides:
  x-: {{temperature: 320}}
  x+:
    flux: "40*y"
    convection: {{coefficient: 7, ambient: 280}}
    radiation: {{emissivity: 0.8, ambient: "350 + 40*y"}}
  y: periodic
  z-: {{temperature: "310 + 10*x"}}
  z+: {{convection: {{coefficient: "5 + x", ambient: 290}}}}
  void: {{convection: {{coefficient: 4, ambient: 350}}}}
)yaml";

/// At least two cells for each rank along z, so that every number of ranks finds a partition.
std::string mixed_problem(int ranks, const std::string& integrator) {
  const int cells = std::max(16, 2 * ranks);
  const bool steady = integrator == "steady";
  const bool implicit =
      integrator == "backward-euler" || integrator == "crank-nicolson" || integrator == "tr-bdf2";
  const std::string time = steady     ? "integrator: steady"
                           : implicit ? "steps: 4, dt: 0.01, integrator: " + integrator
                                      : std::string(explicit_time) + ", integrator: " + integrator;
  return fmt::format(fmt::runtime(mixed), cells, 0.05 * cells,
                     steady ? "200*x" : "200*x*sin(40*t)") +
         "time: {" + time + "}\n";
}

Config parsed(const comm::Communicator& ranks, const std::string& text) {
  return comm::agreed(ranks, [&] { return parse_config(text, "verify", {}); });
}

/// Collective.
std::uint64_t checksum_of(const comm::Communicator& world, const Config& config,
                          const Variant& variant) {
  const TrialRequest request{.exact = "",
                             .poison_ghosts = variant.poison_ghosts,
                             .change_last_value = variant.change_last_value};
  if (!variant.alone) return run_trial(world, config, request).checksum;
  return comm::agreed(world, [&] {
    const auto alone = comm::this_rank_alone();
    return run_trial(alone, config, request).checksum;
  });
}

}  // namespace

std::vector<comm::Int3> all_dims(int ranks, bool quick) {
  std::vector<comm::Int3> found;
  for (int x = 1; x <= ranks; ++x) {
    for (int y = 1; x * y <= ranks; ++y) {
      if (ranks % (x * y) == 0 && x <= 10 && y <= 9) found.push_back({x, y, ranks / (x * y)});
    }
  }
  constexpr std::size_t most_if_quick = 4;
  if (quick && found.size() > most_if_quick) found.resize(most_if_quick);
  return found;
}

std::vector<Variant> partition_variants(int ranks, bool quick) {
  std::vector<Variant> variants{
      {.name = "ghost cells poisoned before each step", .parallel = "", .poison_ghosts = true},
      {.name = "without overlap", .parallel = "overlap: false"},
      {.name = "two ghost layers", .parallel = "halo: 2"}};
  if (ranks == 1) return variants;
  for (const auto& dims : all_dims(ranks, quick))
    variants.push_back({.name = fmt::format("{} x {} x {} blocks", dims[0], dims[1], dims[2]),
                        .parallel = fmt::format("ranks: [{}, {}, {}]", dims[0], dims[1], dims[2])});
  variants.push_back({.name = "each rank alone", .parallel = "", .alone = true});
  return variants;
}

std::vector<Claim> measure_same_bits(const comm::Communicator& world, const std::string& integrator,
                                     const std::vector<Variant>& variants) {
  const auto text = mixed_problem(world.size(), integrator);
  const auto reference = run_trial(world, parsed(world, text), {}).checksum;
  std::vector<Claim> claims;
  for (const auto& variant : variants) {
    const auto config = parsed(world, text + "parallel: {" + variant.parallel + "}\n");
    const auto differing =
        world.sum(checksum_of(world, config, variant) == reference ? std::int64_t{0} : 1);
    claims.push_back(
        {.group = "same bits",
         .name = integrator + ", " + variant.name,
         .measured = static_cast<double>(differing),
         .required = Required::at_most,
         .bound = 0,
         .detail = fmt::format("{} ranks have other bits than the default partition's", differing),
         .row = variant.name,
         .column = integrator,
         .integrator = integrator});
  }
  return claims;
}

Claim measure_balance(const comm::Communicator& ranks, const std::string& integrator) {
  const auto config = parsed(ranks, mixed_problem(ranks.size(), integrator));
  const auto result = run_trial(ranks, config, {.exact = "", .balance = true});
  const bool solves = solver::is_implicit(config.time.integrator) ||
                      config.time.integrator == solver::Method::steady;
  return {.group = "energy balance",
          .name = integrator,
          .measured = result.steps > 0 ? result.missing : 1,
          .required = Required::at_most,
          .bound = solves ? 10 * config.linear.tolerance : 1e-11,
          .detail = fmt::format("the worst of {} steps, over its largest flow", result.steps)};
}

std::vector<ExactCase> exact_cases() {
  constexpr double pi = std::numbers::pi;
  std::vector<ExactCase> cases;
  constexpr int n = 16, steps = 50;
  constexpr double dt = 5e-4;
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    std::string wave, cells, upper, sides;
    for (int axis = 0; axis < dimensions; ++axis) {
      wave += fmt::format("*sin(2*pi*{})", "xyz"[axis]);
      cells += fmt::format("{}{}", axis > 0 ? ", " : "", n);
      upper += axis > 0 ? ", 1" : "1";
      sides += fmt::format("{}{}: periodic", axis > 0 ? ", " : "", "xyz"[axis]);
    }
    // of each step, as the discrete equation says
    const double decay = 1 - dimensions * dt * 4 * n * n * std::pow(std::sin(pi / n), 2);
    cases.push_back({fmt::format("{}-D, decay of a periodic sine by euler", dimensions),
                     fmt::format("grid: {{cells: [{}], upper: [{}]}}\nmaterials: {{solid: "
                                 "{{conductivity: 1, density: 1, heat_capacity: 1}}}}"
                                 "\ninitial: {{temperature: \"300 + 50{}\"}}\nsides: {{{}}}\n"
                                 "time: {{steps: {}, dt: {}}}\n",
                                 cells, upper, wave, sides, steps, dt),
                     fmt::format("300 + {:.17g}{}", 50 * std::pow(decay, steps), wave), 1e-10});
  }
  // three layers of 148, 0.3 and 401 W/(m K) in series: temperatures are linear in each
  const std::string layers = R"yaml(
materials:
  a: {conductivity: 148, density: 2, heat_capacity: 3}
  b: {conductivity: 0.3, density: 2, heat_capacity: 1}
  c: {conductivity: 401, density: 1, heat_capacity: 4}
regions:
  - {material: a}
  - {material: b, layer: {axis: y, from: 0.4, to: 0.45}}
  - {material: c, layer: {axis: y, from: 0.45, to: 1.1}}
sides: {y-: {temperature: 300}, y+: {flux: 100}}
grid: {x: {cells: 8, upper: 1}, y: {layers: [[0.4, 4], [0.05, 1], [0.55, 3]]}}
)yaml";
  const std::string line =
      "300 + 100*(min(y, 0.4)/148 + max(0, min(y, 0.45) - 0.4)/0.3 + max(0, y - 0.45)/401)";
  cases.push_back({"2-D, flux through layers stays, euler",
                   layers + "initial: {temperature: \"" + line + "\"}\ntime: {steps: 200}\n", line,
                   1e-9});
  cases.push_back({"2-D, flux through layers is found, steady",
                   layers + "initial: {temperature: 300}\ntime: {integrator: steady}\n", line,
                   1e-5});
  return cases;
}

Claim measure_exact(const comm::Communicator& ranks, const ExactCase& exact) {
  const auto result = run_trial(ranks, parsed(ranks, exact.config), {.exact = exact.exact});
  return {.group = "exact solution",
          .name = exact.name,
          .measured = result.largest_error,
          .required = Required::at_most,
          .bound = exact.bound,
          .detail = fmt::format("largest error [K] after {} steps", result.steps)};
}

}  // namespace halotherm::app
