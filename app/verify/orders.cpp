// SPDX-License-Identifier: MIT
#include "app/verify/orders.hpp"

#include "app/verify/trial.hpp"
#include "comm/mpi/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace halotherm::app {

namespace {

constexpr double required_in_space = 1.9;
constexpr double refined_by = 2;
constexpr double end_in_space = 0.05;  // [s]: errors of sides reach some cells
constexpr double end_in_time = 0.2;    // [s]
constexpr int cells_in_time = 10;
constexpr double infinite = std::numeric_limits<double>::infinity();

constexpr SideKind all_sides[] = {SideKind::temperature, SideKind::flux,
                                  SideKind::convection,  SideKind::flux_and_convection,
                                  SideKind::radiation,   SideKind::periodic};
constexpr CoefficientKind all_coefficients[] = {
    CoefficientKind::constant,     CoefficientKind::formulas,
    CoefficientKind::per_axis,     CoefficientKind::of_temperature,
    CoefficientKind::uneven_cells, CoefficientKind::of_temperature_in_uneven_cells};

/// Of the coarser grid along each axis; ten cells resolve a whole wave of K(T) badly.
int coarse_cells(const Manufactured& problem) {
  constexpr int cells[] = {40, 20, 10}, of_waves_in_3d = 12;
  if (problem.dimensions == 3 && problem.sides == SideKind::periodic) return of_waves_in_3d;
  return cells[problem.dimensions - 1];
}

std::string time_text(const VerifiedMethod& method, const Manufactured& problem, int cells) {
  if (method.time_order == 0) return "time: {integrator: steady}\n";
  std::string dt;
  if (method.dt_power > 0) {
    const int coarse = coarse_cells(problem);
    const double steps =
        std::round(method.steps_a_cell * coarse) * std::pow(cells / coarse, method.dt_power);
    dt = fmt::format(", dt: {:.17g}", end_in_space / steps);
  }
  return fmt::format("time: {{end: {}, integrator: {}, bound: stable{}}}\n", end_in_space,
                     method.name, dt);
}

bool makes_sense(const VerifiedMethod& method, const Manufactured& problem) {
  return method.time_order > 0 || problem.is_anchored();
}

/// Sources that are the longest formulas, in most cells, are evaluated once: time is left to other
/// studies.
bool has_long_formulas(int dimensions, CoefficientKind coefficients) {
  return dimensions == 3 && (coefficients == CoefficientKind::of_temperature ||
                             coefficients == CoefficientKind::of_temperature_in_uneven_cells);
}

/// Every side with a constant coefficient, and every other coefficient with one side, in 1-D two.
bool is_in_quick(int dimensions, int side, int coefficient) {
  const int distance = (side + coefficient + dimensions) % 6;
  return coefficient == 0 || distance == 0 || (dimensions == 1 && distance == 3);
}

/// By each method that can solve it.
std::vector<SpaceStudy> studies_of(Manufactured problem) {
  std::vector<SpaceStudy> studies;
  for (const auto& method : verified_methods()) {
    problem.steady =
        method.time_order == 0 || has_long_formulas(problem.dimensions, problem.coefficients);
    if (makes_sense(method, problem)) studies.push_back({&method, problem});
  }
  return studies;
}

/// The study whose method has the fewest of the same dimension so far.
SpaceStudy least_used(const std::vector<SpaceStudy>& candidates,
                      const std::vector<SpaceStudy>& so_far) {
  return *std::ranges::min_element(candidates, {}, [&](const SpaceStudy& candidate) {
    return std::ranges::count_if(so_far, [&](const SpaceStudy& study) {
      return study.method == candidate.method &&
             study.problem.dimensions == candidate.problem.dimensions;
    });
  });
}

Config parsed(const comm::Communicator& ranks, const std::string& text) {
  return comm::agreed(ranks, [&] { return parse_config(text, "verify", {}); });
}

std::string name_of_case(const VerifiedMethod& method, const Manufactured& problem) {
  return fmt::format("{}-D, {}, {}, {}", problem.dimensions, method.name, name_of(problem.sides),
                     name_of(problem.coefficients));
}

}  // namespace

const std::vector<VerifiedMethod>& verified_methods() {
  static const std::vector<VerifiedMethod> methods{
      {"euler", 0.95, 0, 0, 120},
      {"rk2", 1.95, 0, 0, 120},
      {"rkl2", 1.95, 1, 1.2, 16},
      {"backward-euler", 0.95, 2, 2.4, 64},
      {"crank-nicolson", 1.95, 1, 1.2, 32},
      {"tr-bdf2", 1.95, 1, 1.2, 32},
      {"steady", 0, 0, 0, 0},
  };
  return methods;
}

std::vector<SpaceStudy> space_studies(bool quick) {
  std::vector<SpaceStudy> studies;
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    for (int side = 0; side < static_cast<int>(std::size(all_sides)); ++side) {
      for (int k = 0; k < static_cast<int>(std::size(all_coefficients)); ++k) {
        if (quick && !is_in_quick(dimensions, side, k)) continue;
        auto all = studies_of({dimensions, all_sides[side], all_coefficients[k]});
        if (quick) all = {least_used(all, studies)};
        std::ranges::copy(all, std::back_inserter(studies));
      }
    }
  }
  std::ranges::stable_sort(studies, [](const auto& a, const auto& b) {
    return std::pair(a.problem.dimensions, a.method) < std::pair(b.problem.dimensions, b.method);
  });
  return studies;
}

Claim measure_space(const comm::Communicator& ranks, const SpaceStudy& study,
                    const std::string& exact) {
  const auto& [method, problem] = study;
  std::array<TrialResult, 2> results;
  const int coarse = coarse_cells(problem), fine = 2 * coarse;
  for (int n = 0; n < 2; ++n) {
    const int cells = n == 0 ? coarse : fine;
    const auto text = problem.configuration(cells) + time_text(*method, problem, cells);
    results[static_cast<std::size_t>(n)] = run_trial(ranks, parsed(ranks, text), {.exact = exact});
  }
  const double largest =
      observed_order(results[0].largest_error, results[1].largest_error, refined_by);
  const double rms = observed_order(results[0].rms_error, results[1].rms_error, refined_by);
  return {.group = "order in space",
          .name = name_of_case(*method, problem),
          .measured = std::isnan(largest) ? largest : std::min(largest, rms),
          .required = Required::at_least,
          .bound = required_in_space,
          .detail = fmt::format("{} and {} cells an axis: errors {:.2e} and {:.2e} K", coarse, fine,
                                results[0].largest_error, results[1].largest_error),
          .row = fmt::format("{}-D  {}", problem.dimensions, method->name),
          .column = std::string(name_of(problem.sides)),
          .dimensions = problem.dimensions,
          .integrator = method->name,
          .sides = std::string(name_of(problem.sides)),
          .coefficients = std::string(name_of(problem.coefficients))};
}

std::vector<Manufactured> time_problems(const VerifiedMethod& method, bool quick) {
  std::vector<Manufactured> problems;
  if (method.time_order == 0) return problems;
  for (const auto& problem :
       {Manufactured{2, SideKind::convection, CoefficientKind::formulas},
        Manufactured{1, SideKind::temperature, CoefficientKind::constant},
        Manufactured{2, SideKind::radiation, CoefficientKind::constant},
        Manufactured{2, SideKind::flux_and_convection, CoefficientKind::of_temperature},
        Manufactured{3, SideKind::periodic, CoefficientKind::per_axis}}) {
    if (makes_sense(method, problem) && !(quick && !problems.empty())) problems.push_back(problem);
  }
  return problems;
}

Claim measure_time(const comm::Communicator& ranks, const VerifiedMethod& method,
                   const Manufactured& problem) {
  std::array<std::vector<double>, 3> fields;
  double steps = method.time_steps;
  if (method.dt_power == 0) steps *= problem.dimensions;  // as their bound on dt
  const double longest = steps;
  for (auto& field : fields) {
    const auto text =
        problem.configuration(cells_in_time) +
        fmt::format("time: {{end: {}, dt: {:.17g}, integrator: {}, safety: {:.17g}}}\n",
                    end_in_time, end_in_time / steps, method.name,
                    std::string_view(method.name) == "rkl2" ? longest / steps : 1.0);
    field = run_trial(ranks, parsed(ranks, text), {}).values;
    steps *= refined_by;
  }
  std::array<double, 2> differences{};
  for (std::size_t n = 0; n < 2; ++n) {
    double largest = 0;
    for (std::size_t cell = 0; cell < fields[n].size(); ++cell) {
      const double difference = std::abs(fields[n + 1][cell] - fields[n][cell]);
      largest = std::isfinite(difference) ? std::max(largest, difference) : infinite;
    }
    differences[n] = ranks.max(largest);
  }
  return {.group = "order in time",
          .name = name_of_case(method, problem),
          .measured = observed_order(differences[0], differences[1], refined_by),
          .required = Required::at_least,
          .bound = method.time_order,
          .detail = fmt::format("steps of {:.3g} s and halves: differences {:.2e} and {:.2e} K",
                                end_in_time / longest, differences[0], differences[1]),
          .dimensions = problem.dimensions,
          .integrator = method.name,
          .sides = std::string(name_of(problem.sides)),
          .coefficients = std::string(name_of(problem.coefficients))};
}

}  // namespace halotherm::app
