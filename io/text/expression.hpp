// SPDX-License-Identifier: MIT
// Formulas of the configuration, evaluated by muParser.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace halotherm::io {

/// A formula in some of the variables x, y, z [m] and t [s], with muParser's functions and the
/// constants pi and e. Only arithmetic: no assignment, no strings, no access to anything outside.
/// Threads must not share one.
class Expression {
 public:
  /// `allowed` lists the variables that may occur, such as "xyz" or "xyzt". Throws comm::Error
  /// (usage), which names the mistake and its place in the text, or the unknown variable.
  Expression(const std::string& text, std::string_view allowed);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  /// Whether the variable `name` ('x', 'y', 'z' or 't') occurs.
  bool uses(char name) const;

  /// The value at a position [m] and time [s]; may be NaN or infinite.
  double operator()(const std::array<double, 3>& position, double time) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halotherm::io
