// SPDX-License-Identifier: MIT
#include "app/sample.hpp"

#include "app/problem.hpp"
#include "comm/error.hpp"
#include "io/dataset.hpp"
#include "io/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace halotherm::app {

namespace {

using Position = std::array<double, 3>;

bool in_range(double value, Range range) {
  if (!std::isfinite(value)) return false;
  return range == Range::any || (range == Range::positive ? value > 0 : value >= 0);
}

const char* demand(Range range) {
  if (range == Range::positive) return "must be finite and positive";
  return range == Range::not_negative ? "must be finite and not negative" : "must be finite";
}

/// `value` if it may be; else Error.
double checked(const std::string& key, double value, Range range, const std::string& where, comm::ExitCode code) {
  if (in_range(value, range)) return value;
  std::ostringstream text;
  text << key << ": the value " << value << " " << where << " is not allowed (it " << demand(range)
       << ") correct the formula or the file";
  throw comm::Error(code, text.str());
}

std::string at(const Position& position, double time) {
  std::ostringstream text;
  text << "at (" << position[0] << ", " << position[1] << ", " << position[2] << ") m, t = " << time << " s";
  return text.str();
}

/// The cell inside the domain whose value a cell beyond it takes.
int inside(int index, int cells, bool periodic) {
  return periodic ? ((index % cells) + cells) % cells : std::clamp(index, 0, cells - 1);
}

/// Coordinate for formulas: axes that the grid does not have are at 0.
double coordinate(const solver::Grid& grid, int axis, int index) {
  return axis < grid.dimensions ? grid.centre(axis, index) : 0.0;
}

/// Calls `work(i, j, k)` for the cells of the box, x fastest.
template <class Work>
void for_cells(const comm::Box& box, const Work& work) {
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) work(i, j, k);
    }
  }
}

bool uses_position(const io::Expression& formula) {
  return formula.uses('x') || formula.uses('y') || formula.uses('z');
}

}  // namespace

bool depends_on_time(const Quantity& quantity) {
  const auto* formula = std::get_if<Formula>(&quantity);
  return formula && io::Expression(formula->text, "xyzt").uses('t');
}

solver::Coefficient Sampler::cells(const std::string& key, const Formula& formula, const comm::Box& box, Range range,
                                   double time) const {
  const io::Expression expression(formula.text, "xyzt");
  const auto value = [&](const Position& p) {
    return checked(key, expression(p, time), range, at(p, time), comm::ExitCode::usage);
  };
  if (!uses_position(expression)) return value({0, 0, 0});
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(box.size()));
  const auto along = [&](int axis, int index) { return coordinate(grid, axis, inside(index, grid.cells[axis], periodic[axis])); };
  for_cells(box, [&](int i, int j, int k) { values.push_back(value({along(0, i), along(1, j), along(2, k)})); });
  return values;
}

solver::Coefficient Sampler::cells(const std::string& key, const Quantity& quantity, const comm::Box& box, Range range) const {
  if (const auto* file = std::get_if<FileDataset>(&quantity)) {
    const auto path = file->file.is_absolute() ? file->file : folder / file->file;
    const comm::Int3 wraps{periodic[0], periodic[1], periodic[2]};
    auto values = io::read_dataset(world, path, file->dataset, shape_of(grid), box, wraps);
    comm::agree(world, [&] {
      for (const double value : values) {
        checked(key, value, range, "in " + path.string() + ":" + file->dataset, comm::ExitCode::input_output);
      }
    });
    return values;
  }
  return comm::agreed(world, [&]() -> solver::Coefficient {
    if (const auto* formula = std::get_if<Formula>(&quantity)) return cells(key, *formula, box, range, 0.0);
    return checked(key, std::get<double>(quantity), range, "everywhere", comm::ExitCode::usage);
  });
}

std::vector<double> Sampler::faces(const std::string& key, const Quantity& quantity, const comm::Box& layer,
                                   const solver::Side& side, Range range, double time) const {
  if (const auto* number = std::get_if<double>(&quantity))
    return {checked(key, *number, range, "everywhere", comm::ExitCode::usage)};
  if (std::holds_alternative<FileDataset>(quantity)) {
    throw comm::Error(comm::ExitCode::usage,
                      key + ": a file cannot give boundary values (only numbers and formulas can) use a formula");
  }
  const io::Expression expression(std::get<Formula>(quantity).text, "xyzt");
  const auto value = [&](const Position& p) {
    return checked(key, expression(p, time), range, at(p, time), comm::ExitCode::usage);
  };
  const auto axis = static_cast<std::size_t>(side.axis);
  const double plane = side.end == 0 ? grid.lower[axis] : grid.upper[axis];
  Position first{0, 0, 0};
  first[axis] = plane;
  if (!uses_position(expression)) return {value(first)};
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(layer.size()));
  for_cells(layer, [&](int i, int j, int k) {
    Position position{coordinate(grid, 0, i), coordinate(grid, 1, j), coordinate(grid, 2, k)};
    position[axis] = plane;
    values.push_back(value(position));
  });
  return values;
}

std::vector<double> values_in(const solver::Coefficient& coefficient, const comm::Box& box, const comm::Box& part) {
  if (const auto* number = std::get_if<double>(&coefficient)) return {*number};
  const auto& all = std::get<std::vector<double>>(coefficient);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(part.size()));
  for_cells(part, [&](int i, int j, int k) {
    const auto plane = static_cast<std::int64_t>(k - box.lower[2]) * box.extent(1) + (j - box.lower[1]);
    values.push_back(all[static_cast<std::size_t>(plane * box.extent(0) + (i - box.lower[0]))]);
  });
  return values;
}

}  // namespace halotherm::app
