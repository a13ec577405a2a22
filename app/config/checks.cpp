// SPDX-License-Identifier: MIT
#include "app/config/checks.hpp"

#include "app/config/axes.hpp"
#include "app/config/key_rules.hpp"
#include "app/config/material_tables.hpp"
#include "app/config/patches.hpp"
#include "app/config/region_checks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace halotherm::app {

namespace {

/// 2^50, which all of these carry: exact sums over the grid (solver/diagnostics/exact_carry.hpp, up
/// to 2^53 numbers, six a cell where flows are summed), doubles that count cells (2^53), indices of
/// 64 bits in blocks, file domains and files (2^63, of 8-byte values and a few fields 2^58).
constexpr double most_cells = 1125899906842624.0;

std::string at(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

/// An entry, which must exist, of the list at `path`.
const io::YamlNode& entry(io::YamlReader& yaml, const std::string& path, std::size_t index) {
  return yaml.find(path)->children[index];
}

void check_grid(const GridConfig& grid, io::YamlReader& yaml) {
  double cells = 1;
  for (const int n : grid.cells) cells *= n;
  const auto* lists = yaml.find("grid.cells");
  if (cells > most_cells) {
    yaml.fail(lists != nullptr ? *lists : *yaml.find("grid"),
              {"is " + io::to_text(cells) + " cells in total",
               "must be at most 2^50 = " + io::to_text(most_cells), "take fewer along some axis"});
  }
  if (lists == nullptr) return;  // axes are checked as they are resolved
  if (grid.lower.size() != grid.cells.size() || grid.upper.size() != grid.cells.size()) return;
  for (std::size_t axis = 0; axis < grid.cells.size(); ++axis) {
    const double lower = grid.lower[axis], upper = grid.upper[axis];
    const double spacing = (upper - lower) / grid.cells[axis];
    if (!(lower < upper)) {
      yaml.fail(entry(yaml, "grid.upper", axis),
                {"is " + io::to_text(upper),
                 "must be above " + at("grid.lower", axis) + " = " + io::to_text(lower),
                 "exchange the two corners or move one"});
    } else if (unresolved(lower, spacing) || unresolved(upper, spacing)) {
      yaml.fail(entry(yaml, "grid.upper", axis),
                {"gives cells of " + io::to_text(spacing) + " m",
                 "floating-point numbers do not resolve them", "choose other corners or units"});
    }
  }
}

void check_snapshots(const Config& config, io::YamlReader& yaml) {
  if (config.grid.even() || config.output.fields_format != FieldsFormat::vtkhdf) return;
  yaml.fail("output.fields.format", {"is vtkhdf and the grid has cells of different widths",
                                     "VTK images hold equal cells only", "write netcdf or auto"});
}

void check_alternatives(const Config& config, io::YamlReader& yaml) {
  const bool steady = config.time.integrator == solver::Method::steady;
  for (const auto& alternatives : alternatives()) {
    const bool of_time = alternatives.paths.front() == "time.end";
    std::vector<std::string> given;
    std::string names;
    for (const auto& path : alternatives.paths) {
      names += (names.empty() ? "" : ", ") + path;
      if (yaml.find(path) != nullptr) given.push_back(path);
    }
    if (given.size() > 1) {
      const auto* last = yaml.find(given.back());
      yaml.fail_key(*last, {"stands beside " + given.front(),
                            (alternatives.required ? "exactly" : "at most") +
                                (" one of " + names + " may be given"),
                            "remove one"});
    } else if (given.empty() && alternatives.required && !(steady && of_time)) {
      yaml.fail_missing(yaml.root(), alternatives.paths.front(),
                        "exactly one of " + names + " is needed",
                        "add it, for example " + alternatives.example);
    }
  }
}

void check_steps(const TimeConfig& time, io::YamlReader& yaml) {
  if (!time.end || !time.dt || *time.end / *time.dt <= most_steps) return;
  yaml.fail("time.dt", {"is " + io::to_text(*time.dt),
                        "time.end = " + io::to_text(*time.end) + " would need more than " +
                            io::to_text(most_steps) + " steps",
                        "take a larger one"});
}

void check_implicit(const Config& config, io::YamlReader& yaml) {
  const auto method = config.time.integrator;
  if (!solver::is_implicit(method)) return;
  const std::string name = method == solver::Method::backward_euler   ? "backward-euler"
                           : method == solver::Method::crank_nicolson ? "crank-nicolson"
                                                                      : "tr-bdf2";
  const auto& time = config.time;
  if (!time.dt && !time.tolerance) {
    yaml.fail(
        "time.integrator",
        {"is " + name + ", and neither time.dt nor time.tolerance is a number",
         "no bound says how long its steps may be",
         "give time.tolerance with backward-euler or tr-bdf2, such as 0.01 K, or time.dt, such "
         "as a hundredth of the time in which temperatures change"});
  }
  if (!time.tolerance) return;
  if (method == solver::Method::crank_nicolson) {
    yaml.fail("time.tolerance",
              {"is given with " + name, "a step of it has no estimate of its error",
               "set time.integrator: tr-bdf2, of second order as well, or give time.dt alone"});
  } else if (time.steps) {
    yaml.fail("time.tolerance",
              {"stands beside time.steps with " + name,
               "no bound ends the growth of its steps, so nothing says when so many end",
               "give time.end instead of time.steps"});
  }
}

void check_steady(const Config& config, io::YamlReader& yaml) {
  if (config.time.integrator != solver::Method::steady) return;
  const auto& time = config.time;
  const auto refuse = [&](const std::string& key, bool given) {
    if (!given) return;
    yaml.fail_key(*yaml.find(key), {"stands beside time.integrator: steady",
                                    "a steady state takes no steps", "remove one"});
  };
  refuse("time.end", time.end.has_value());
  refuse("time.steps", time.steps.has_value());
  refuse("time.dt", time.dt.has_value());
}

void check_stages(const TimeConfig& time, io::YamlReader& yaml) {
  if (!time.stages) return;
  if (time.integrator != solver::Method::rkl2) {
    yaml.fail("time.stages", {"is given without rkl2", "other integrators have no choice of stages",
                              "remove it, or set time.integrator: rkl2"});
  } else if (time.dt) {
    yaml.fail("time.stages",
              {"stands beside time.dt", "the stages of a given step follow from it", "remove one"});
  } else if (*time.stages % 2 == 0) {
    yaml.fail("time.stages",
              {"is " + std::to_string(*time.stages),
               "must be odd: an even number damps the shortest waves worse", "add or take one"});
  }
}

void check_fused_steps(const TimeConfig& time, io::YamlReader& yaml) {
  if (!time.fused_steps || *time.fused_steps == 1 || time.integrator == solver::Method::euler)
    return;
  yaml.fail("time.fused_steps", {"is " + std::to_string(*time.fused_steps),
                                 "only steps of euler are taken several at once", "remove it"});
}

void check_tolerance(const TimeConfig& time, io::YamlReader& yaml) {
  if (time.integrator == solver::Method::automatic && !(time.tolerance && time.end)) {
    yaml.fail("time.integrator",
              {"is auto, and needs time.end and time.tolerance",
               "methods are compared at the error that is allowed", "give both, such as 0.1 K"});
  }
  if (!time.tolerance) return;
  if (time.integrator == solver::Method::euler) {
    yaml.fail("time.tolerance",
              {"is given with euler", "a step of euler has no estimate of its error",
               "set time.integrator: rkl2, or rk2"});
  }
  if (time.dt) {
    yaml.fail("time.tolerance", {"stands beside time.dt",
                                 "the length of steps follows from their error", "remove one"});
  }
}

void check_ranks(const Config& config, io::YamlReader& yaml) {
  if (!config.parallel.ranks) return;
  for (int axis = 0; axis < config.dimensions(); ++axis) {
    const int blocks = (*config.parallel.ranks)[axis], cells = config.grid.cells[axis];
    if (blocks <= cells) continue;
    yaml.fail(entry(yaml, "parallel.ranks", axis),
              {"is " + std::to_string(blocks),
               "must be at most " + at("grid.cells", axis) + " = " + std::to_string(cells) +
                   ": a block has at least one cell",
               "take fewer blocks"});
  }
}

void check_split_points(const Config& config, io::YamlReader& yaml) {
  if (!config.parallel.split_points) return;
  if (config.parallel.ranks) {
    yaml.fail("parallel.split_points",
              {"stands beside parallel.ranks", "both give the number of blocks", "remove one"});
  }
  if (config.parallel.balance == Balance::measured) {
    yaml.fail("parallel.balance", {"is measured and parallel.split_points is given",
                                   "both place the split points", "remove one"});
  }
  for (int axis = 0; axis < config.dimensions(); ++axis) {
    const auto& split_points = (*config.parallel.split_points)[static_cast<std::size_t>(axis)];
    for (std::size_t n = 0; n < split_points.size(); ++n) {
      const int above = n > 0 ? split_points[n - 1] : 0,
                cells = config.grid.cells[static_cast<std::size_t>(axis)];
      if (above < split_points[n] && split_points[n] < cells) continue;
      yaml.fail(entry(yaml, "parallel.split_points", static_cast<std::size_t>(axis)).children[n],
                {"is " + std::to_string(split_points[n]),
                 "must be above " + std::to_string(above) + " and below " +
                     at("grid.cells", static_cast<std::size_t>(axis)) + " = " +
                     std::to_string(cells) + ": a block has at least one cell",
                 "give ascending cells"});
    }
  }
}

void check_sensors(const Config& config, io::YamlReader& yaml) {
  const auto& sensors = config.output.sensors;
  std::set<std::string> names;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const auto& node = entry(yaml, "output.sensors", i);
    const auto& [name, position] = sensors[i];
    if (!name.empty() && !names.insert(name).second) {
      yaml.fail(*node.find("name"), {"is \"" + name + "\", the name of an earlier sensor",
                                     "names must be unique", "rename it"});
    }
    for (std::size_t axis = 0; axis < std::min(position.size(), config.grid.upper.size()); ++axis) {
      const double lower = config.grid.lower[axis], upper = config.grid.upper[axis];
      if (lower <= position[axis] && position[axis] <= upper) continue;
      yaml.fail(
          node.find("at")->children[axis],
          {"is " + io::to_text(position[axis]),
           "must be inside the domain, from " + io::to_text(lower) + " to " + io::to_text(upper),
           "move the sensor"});
    }
  }
}

}  // namespace

void check_combinations(const Config& config, io::YamlReader& yaml) {
  check_alternatives(config, yaml);
  check_steady(config, yaml);
  check_implicit(config, yaml);
  check_steps(config.time, yaml);
  check_stages(config.time, yaml);
  check_tolerance(config.time, yaml);
  check_fused_steps(config.time, yaml);
  if (config.grid.cells.empty()) return;
  check_regions(config, yaml);
  check_tables(config, yaml);
  check_grid(config.grid, yaml);
  check_snapshots(config, yaml);
  check_periodic(config, yaml);
  check_patches(config, yaml);
  check_ranks(config, yaml);
  check_split_points(config, yaml);
  if (config.grid.lower.size() == config.grid.cells.size()) check_sensors(config, yaml);
}

}  // namespace halotherm::app
