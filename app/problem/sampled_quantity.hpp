// SPDX-License-Identifier: MIT
// A number, a formula or a table in time, evaluated at the points of a box at any time.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/error.hpp"
#include "comm/partition/box.hpp"
#include "solver/formula/formula.hpp"

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::app {

/// Values that a key's quantity must have; `absolute` is a temperature [K].
enum class Range { any, positive, not_negative, share, absolute };

/// `value` if it is in range; else throws `not_allowed`. `where()` gives the place for the message,
/// which takes far longer than the value itself.
double checked(const std::string& key, double value, Range range, comm::ExitCode code,
               const std::function<std::string()>& where);

/// The error (code) that a value of `key` is not in range; `place` follows the value.
comm::Error not_allowed(const std::string& key, double value, Range range, comm::ExitCode code,
                        const std::string& place);

/// The least and the largest value in a range, of finite ones.
std::pair<double, double> limits_of(Range range);

/// A time, and the step or the instant that it belongs to [s].
struct Moment {
  Moment(double instant) : time(instant), begin(instant), end(instant) {}
  Moment(double at, double step_begin, double step_end)
      : time(at), begin(step_begin), end(step_end) {}

  double time, begin, end;
};

/// "at (x, y, z) m, t = ... s"
std::string place_text(const std::array<double, 3>& position, double time);

/// Whether the quantity is anything but one number.
inline bool varies(const Quantity& quantity) {
  return !std::holds_alternative<double>(quantity);
}

/// Whether the quantity changes with time, or with the temperature.
bool changes(const Quantity& quantity);
bool changes_with_time(const Quantity& quantity);

/// Which of several owners has a cell, for all cells of a box, x fastest.
using Owner = std::uint16_t;
using Owners = std::vector<Owner>;

/// Where a formula is evaluated: the centres of cells or of a side's faces. The coordinate along an
/// axis depends on the index along that axis alone.
struct SamplePoints {
  comm::Box box;
  std::array<std::vector<double>, 3> coordinates;  ///< from the box's lower corner on [m]
  /// If given, one for each point: only those of `owner` are evaluated, and others have no meaning.
  std::shared_ptr<const Owners> owners{};
  Owner owner = 0;
  /// If given, T in formulas at each point, or at all [K].
  std::shared_ptr<const std::vector<double>> temperatures{};
};

/// What does not depend on time is evaluated once, what does not depend on the position at one
/// point. Evaluation allocates nothing.
class SampledQuantity {
 public:
  /// Files have values at cells only, and are refused. Throws Error (usage).
  SampledQuantity(std::string key, const Quantity& quantity, SamplePoints points, Range range);

  const std::string& key() const { return key_; }
  Range range() const { return range_; }
  /// The code of a formula; none of numbers and tables.
  const solver::Formula* formula() const { return formula_ ? &*formula_ : nullptr; }
  const SamplePoints& points() const { return points_; }
  /// Whether the values change with time.
  bool changes() const { return changes_; }
  /// Whether one value holds at all points.
  bool uniform() const { return !varies_; }
  /// The position of a point of the box.
  std::array<double, 3> position(const comm::Int3& point) const;

  /// The values, x fastest, or one if it holds at all points: those at the moment's time, of values
  /// that are held from point to point the mean over its step. Valid until the next call. Throws
  /// Error (usage), which names the first place where a value is not finite or out of range, and
  /// the time.
  std::span<const double> at(const Moment& moment);
  /// The values of the last call of `at`.
  std::span<const double> last() const { return values_; }
  std::vector<double> values() && { return std::move(values_); }

 private:
  void evaluate(const Moment& moment);
  void evaluate_rows(std::size_t part, double time);
  double value_at(const std::array<double, 3>& position, double time, std::size_t point) const;

  std::string key_;
  Range range_;
  SamplePoints points_;
  std::optional<solver::Formula> formula_;    ///< none for a number or a table
  Table table_;                               ///< in time; empty for a number or a formula
  std::vector<std::exception_ptr> failures_;  ///< one a thread
  std::vector<double> values_;
  bool varies_ = false;
  bool changes_ = false;
  bool known_ = false;  ///< whether `values_` are those of every time
};

}  // namespace halotherm::app
