// SPDX-License-Identifier: MIT
#include "solver/formula/formula.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/muparser.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace halotherm::fuzz {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double huge = std::numeric_limits<double>::max();
constexpr double tiny = std::numeric_limits<double>::denorm_min();
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

const std::vector<solver::FormulaValues> places{{{0, 0, 0, 0, 0}},
                                                {{1, 2, 3, 4, 5}},
                                                {{-0.5, 1e-9, 7e5, 60, 300}},
                                                {{huge, -huge, tiny, infinite, 1e12}},
                                                {{nothing, -infinite, 1, -1, -1}}};

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

double value(const solver::Formula& formula, const solver::FormulaValues& at) {
  return formula({at.of[0], at.of[1], at.of[2]}, at.of[3], at.of[4]);
}

/// muParser rounds the constants that && and || join.
bool joins_conditions(std::string_view text) {
  return text.find("&&") != text.npos || text.find("||") != text.npos;
}

}  // namespace

void expression(std::string_view bytes) {
  accepted(comm::ExitCode::usage, [&] {
    const std::string text(bytes);
    const solver::Formula formula(text, "xyztT");
    const auto reference = test::muparser_values(text, places);
    for (std::size_t n = 0; n < places.size(); ++n) {
      const double once = value(formula, places[n]);
      promise(same(once, value(formula, places[n])), "a formula has one value at one place");
      if (reference && !joins_conditions(text))
        promise(same(once, (*reference)[n]), "a formula has the value that muParser gives it");
    }
    for (const char name : {'x', 'y', 'z', 't', 'T'}) formula.uses(name);
  });
}

}  // namespace halotherm::fuzz
