// SPDX-License-Identifier: MIT
#include "app/sample.hpp"

#include "app/problem.hpp"
#include "comm/error.hpp"
#include "io/dataset.hpp"
#include "io/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <optional>
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

/// `value` if it may be; else Error. `where()` says where it is, which takes far longer than the value itself.
template <class Where>
double checked(const std::string& key, double value, Range range, const Where& where, comm::ExitCode code) {
  if (in_range(value, range)) return value;
  std::ostringstream text;
  text << key << ": the value " << value << " " << where() << " is not allowed (it " << demand(range)
       << ") correct the formula or the file";
  throw comm::Error(code, text.str());
}

std::string everywhere() {
  return "everywhere";
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

/// What a formula's values must be, and whose they are.
struct Demand {
  const std::string& key;
  Range range;
};

double value_at(const io::Expression& formula, const Position& position, double time, const Demand& demanded) {
  const auto where = [&] { return at(position, time); };
  return checked(demanded.key, formula(position, time), demanded.range, where, comm::ExitCode::usage);
}

/// The formula's values in the cells of a box that is not empty, x fastest. The host's threads take part, all but the first with a
/// parser of their own; of values that may not be the first one is reported.
template <class PositionOf>
std::vector<double> values_of(const Formula& formula, const io::Expression& parsed, double time, const Demand& demanded,
                              const comm::Box& box, const PositionOf& position_of) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  constexpr std::int64_t worth_a_thread = 1024;  // cells
  std::vector<double> values(static_cast<std::size_t>(box.size()));
  const std::int64_t rows = box.size() / box.extent(0);
  const std::int64_t parts =
      std::clamp<std::int64_t>(box.size() / worth_a_thread, 1, std::min<std::int64_t>(Host().concurrency(), rows));
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(parts));
  Kokkos::parallel_for("sample", Kokkos::RangePolicy<Host>(0, parts), [&](std::int64_t part) {
    try {
      std::optional<io::Expression> own;
      if (part > 0) own.emplace(formula.text, "xyzt");
      const auto& expression = own ? *own : parsed;
      for (std::int64_t row = rows * part / parts; row < rows * (part + 1) / parts; ++row) {
        const int j = box.lower[1] + static_cast<int>(row % box.extent(1));
        const int k = box.lower[2] + static_cast<int>(row / box.extent(1));
        double* value = values.data() + row * box.extent(0);
        for (int i = box.lower[0]; i < box.upper[0]; ++i) *value++ = value_at(expression, position_of(i, j, k), time, demanded);
      }
    } catch (...) {
      failures[static_cast<std::size_t>(part)] = std::current_exception();
    }
  });
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return values;
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
  if (!uses_position(expression)) return value_at(expression, {0, 0, 0}, time, {key, range});
  const auto along = [&](int axis, int index) { return coordinate(grid, axis, inside(index, grid.cells[axis], periodic[axis])); };
  return values_of(formula, expression, time, {key, range}, box, [&](int i, int j, int k) {
    return Position{along(0, i), along(1, j), along(2, k)};
  });
}

solver::Coefficient Sampler::cells(const std::string& key, const Quantity& quantity, const comm::Box& box, Range range) const {
  if (const auto* file = std::get_if<FileDataset>(&quantity)) {
    const auto path = file->file.is_absolute() ? file->file : folder / file->file;
    const comm::Int3 wraps{periodic[0], periodic[1], periodic[2]};
    auto values = io::read_dataset(world, path, file->dataset, shape_of(grid), box, wraps);
    comm::agree(world, [&] {
      const auto where = [&] { return "in " + path.string() + ":" + file->dataset; };
      for (const double value : values) checked(key, value, range, where, comm::ExitCode::input_output);
    });
    return values;
  }
  return comm::agreed(world, [&]() -> solver::Coefficient {
    if (const auto* formula = std::get_if<Formula>(&quantity)) return cells(key, *formula, box, range, 0.0);
    return checked(key, std::get<double>(quantity), range, everywhere, comm::ExitCode::usage);
  });
}

std::vector<double> Sampler::faces(const std::string& key, const Quantity& quantity, const comm::Box& layer,
                                   const solver::Side& side, Range range, double time) const {
  if (const auto* number = std::get_if<double>(&quantity)) return {checked(key, *number, range, everywhere, comm::ExitCode::usage)};
  if (std::holds_alternative<FileDataset>(quantity)) {
    throw comm::Error(comm::ExitCode::usage,
                      key + ": a file cannot give boundary values (only numbers and formulas can) use a formula");
  }
  const auto& formula = std::get<Formula>(quantity);
  const io::Expression expression(formula.text, "xyzt");
  const auto axis = static_cast<std::size_t>(side.axis);
  const double plane = side.end == 0 ? grid.lower[axis] : grid.upper[axis];
  Position first{0, 0, 0};
  first[axis] = plane;
  if (!uses_position(expression)) return {value_at(expression, first, time, {key, range})};
  return values_of(formula, expression, time, {key, range}, layer, [&](int i, int j, int k) {
    Position position{coordinate(grid, 0, i), coordinate(grid, 1, j), coordinate(grid, 2, k)};
    position[axis] = plane;
    return position;
  });
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
