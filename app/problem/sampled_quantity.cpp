// SPDX-License-Identifier: MIT
#include "app/problem/sampled_quantity.hpp"

#include "app/config/material_tables.hpp"

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <limits>
#include <utility>

namespace halotherm::app {

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using Position = std::array<double, 3>;

bool in_range(double value, Range range) {
  const auto [least, most] = limits_of(range);
  return value >= least && value <= most;
}

const char* demand(Range range) {
  if (range == Range::share) return "must be from 0 to 1";
  if (range == Range::positive) return "must be finite and positive";
  if (range == Range::absolute) return "must be at least 0 K, which is -273.15 degC";
  return range == Range::not_negative ? "must be finite and not negative" : "must be finite";
}

std::int64_t rows_of(const comm::Box& box) {
  return box.size() / box.extent(0);
}

/// Linear between the points of a table, constant beyond them.
double interpolated(const std::vector<std::array<double, 2>>& table, double argument) {
  const auto later =
      std::ranges::upper_bound(table, argument, {}, [](const auto& p) { return p[0]; });
  if (later == table.begin()) return later->back();
  const auto& earlier = *std::prev(later);
  if (later == table.end()) return earlier[1];
  return earlier[1] +
         (later->back() - earlier[1]) * ((argument - earlier[0]) / (later->front() - earlier[0]));
}

/// The point whose value is held at a time, or, with `before`, just before it.
std::size_t held_at(const std::vector<std::array<double, 2>>& points, double time, bool before) {
  const auto of_point = [](const auto& point) { return point[0]; };
  const auto later = before ? std::ranges::lower_bound(points, time, {}, of_point)
                            : std::ranges::upper_bound(points, time, {}, of_point);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(later - points.begin(), 1) - 1);
}

/// The mean over the moment's step of values that are held from each point to the next.
double mean_of_held(const std::vector<std::array<double, 2>>& points, const Moment& moment) {
  const auto first = held_at(points, moment.begin, false);
  const auto last = std::max(first, held_at(points, moment.end, true));
  if (first == last) return points[first][1];
  double integral = 0;
  for (auto n = first; n <= last; ++n) {
    const double from = n == first ? moment.begin : points[n][0],
                 to = n == last ? moment.end : points[n + 1][0];
    integral += points[n][1] * (to - from);
  }
  return integral / (moment.end - moment.begin);
}

/// The number of threads worth using for a box.
std::int64_t parts_of(const comm::Box& box) {
  constexpr std::int64_t worth_a_thread = 1024;  // points
  return std::clamp<std::int64_t>(box.size() / worth_a_thread, 1,
                                  std::min<std::int64_t>(Host().concurrency(), rows_of(box)));
}

}  // namespace

std::pair<double, double> limits_of(Range range) {
  using Limits = std::numeric_limits<double>;
  if (range == Range::share) return {0, 1};
  if (range == Range::any) return {Limits::lowest(), Limits::max()};
  return {range == Range::positive ? Limits::denorm_min() : 0, Limits::max()};
}

double checked(const std::string& key, double value, Range range, comm::ExitCode code,
               const std::function<std::string()>& where) {
  if (in_range(value, range)) return value;
  throw not_allowed(key, value, range, code, where());
}

comm::Error not_allowed(const std::string& key, double value, Range range, comm::ExitCode code,
                        const std::string& place) {
  const char* unit = range == Range::absolute ? " K" : "";
  return comm::Error(
      code, {fmt::format("{}: the value {:g}{} {} is not allowed", key, value, unit, place),
             demand(range), "correct the formula or the file"});
}

std::string place_text(const std::array<double, 3>& position, double time) {
  return fmt::format("at ({:g}) m, t = {:g} s", fmt::join(position, ", "), time);
}

bool changes(const Quantity& quantity) {
  return changes_with_time(quantity) || source_follows_temperature(quantity);
}

bool changes_with_time(const Quantity& quantity) {
  if (std::holds_alternative<Table>(quantity)) return true;
  const auto* formula = std::get_if<Formula>(&quantity);
  return formula != nullptr && solver::Formula(formula->text, solver::formula_variables).uses('t');
}

SampledQuantity::SampledQuantity(std::string key, const Quantity& quantity, SamplePoints points,
                                 Range range)
    : key_(std::move(key)), range_(range), points_(std::move(points)) {
  if (std::holds_alternative<FileDataset>(quantity)) {
    throw comm::Error(comm::ExitCode::usage, {key_ + ": a file cannot give boundary values",
                                              "only numbers and formulas can", "use a formula"});
  }
  if (const auto* number = std::get_if<double>(&quantity)) {
    values_ = {checked(key_, *number, range_, comm::ExitCode::usage,
                       [] { return std::string("everywhere"); })};
    known_ = true;
    return;
  }
  if (const auto* table = std::get_if<Table>(&quantity)) {
    table_ = *table;
    changes_ = true;
    values_.resize(1);
    return;
  }
  const auto& text = std::get<Formula>(quantity).text;
  formula_.emplace(text, points_.temperatures ? solver::formula_variables : "xyzt");
  changes_ = formula_->uses('t');
  varies_ = formula_->uses_position() || formula_->uses('T');
  values_.resize(varies_ ? static_cast<std::size_t>(points_.box.size()) : 1);
  failures_.resize(varies_ ? static_cast<std::size_t>(parts_of(points_.box)) : 1);
}

std::array<double, 3> SampledQuantity::position(const comm::Int3& point) const {
  std::array<double, 3> position{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int n = point[static_cast<int>(axis)] - points_.box.lower[static_cast<int>(axis)];
    position[axis] = points_.coordinates[axis][static_cast<std::size_t>(n)];
  }
  return position;
}

std::span<const double> SampledQuantity::at(const Moment& moment) {
  if (!known_) evaluate(moment);
  known_ = !changes_;
  return values_;
}

void SampledQuantity::evaluate(const Moment& moment) {
  if (const auto& points = table_.points; !points.empty()) {
    values_.front() =
        table_.held ? mean_of_held(points, moment) : interpolated(points, moment.time);
    return;
  }
  const double time = moment.time;
  const auto& c = points_.coordinates;
  if (!varies_) {
    values_.front() = value_at({c[0].front(), c[1].front(), c[2].front()}, time, 0);
    return;
  }
  if (failures_.size() == 1) return evaluate_rows(0, time);
  Kokkos::parallel_for("sample",
                       Kokkos::RangePolicy<Host>(0, static_cast<std::int64_t>(failures_.size())),
                       [&](std::int64_t n) {
                         const auto part = static_cast<std::size_t>(n);
                         try {
                           failures_[part] = nullptr;
                           evaluate_rows(part, time);
                         } catch (...) {
                           failures_[part] = std::current_exception();
                         }
                       });
  for (const auto& failure : failures_) {
    if (failure) std::rethrow_exception(failure);
  }
}

/// The points of one thread.
void SampledQuantity::evaluate_rows(std::size_t part, double time) {
  const auto& box = points_.box;
  const auto rows = rows_of(box), parts = static_cast<std::int64_t>(failures_.size()),
             mine = static_cast<std::int64_t>(part);
  const auto& [x, y, z] = points_.coordinates;
  for (std::int64_t row = rows * mine / parts; row < rows * (mine + 1) / parts; ++row) {
    Position position{0, y[static_cast<std::size_t>(row % box.extent(1))],
                      z[static_cast<std::size_t>(row / box.extent(1))]};
    double* value = values_.data() + row * box.extent(0);
    const Owner* owner = points_.owners ? points_.owners->data() + row * box.extent(0) : nullptr;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (owner != nullptr && owner[i] != points_.owner) continue;
      position[0] = x[i];
      value[i] = value_at(position, time, static_cast<std::size_t>(row * box.extent(0)) + i);
    }
  }
}

double SampledQuantity::value_at(const Position& position, double time, std::size_t point) const {
  const auto* all = points_.temperatures.get();
  const double temperature = all == nullptr ? 0 : (*all)[all->size() == 1 ? 0 : point];
  const double value = (*formula_)(position, time, temperature);
  if (in_range(value, range_)) return value;
  return checked(key_, value, range_, comm::ExitCode::usage,
                 [&] { return place_text(position, time); });
}

}  // namespace halotherm::app
