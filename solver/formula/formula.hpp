// SPDX-License-Identifier: MIT
// Formulas of the configuration: parsed once, evaluated on CPUs and GPUs.
#pragma once

#include "solver/formula/operation.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace halotherm::solver {

/// A formula in some of the variables x, y, z [m], t [s] and T [K], in muParser's syntax
/// (docs/configuration.md): arithmetic only. Threads may share one.
class Formula {
 public:
  /// `allowed` lists the variables that may occur, such as "xyz" or "xyztT". Throws comm::Error
  /// (usage), which names the mistake and its place in the text, or the unknown variable.
  Formula(const std::string& text, std::string_view allowed);

  /// Whether the variable `name` occurs.
  bool uses(char name) const { return used_.find(name) != std::string::npos; }
  bool uses_position() const { return uses('x') || uses('y') || uses('z'); }

  /// The value at a position [m], a time [s] and a temperature [K]; may be NaN or infinite.
  double operator()(const std::array<double, 3>& position, double time,
                    double temperature = 0) const;

  /// For `evaluate`.
  const std::vector<FormulaOperation>& code() const { return code_; }

 private:
  std::vector<FormulaOperation> code_;
  std::string used_;
};

}  // namespace halotherm::solver
