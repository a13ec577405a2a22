// SPDX-License-Identifier: MIT
#include "io/text/expression.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

#include <cmath>
#include <limits>

namespace halotherm::fuzz {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double huge = std::numeric_limits<double>::max();
constexpr double tiny = std::numeric_limits<double>::denorm_min();
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

struct Place {
  std::array<double, 3> position;
  double time;
};
constexpr std::array<Place, 5> places{{{{0, 0, 0}, 0},
                                       {{1, 2, 3}, 4},
                                       {{-0.5, 1e-9, 7e5}, 60},
                                       {{huge, -huge, tiny}, infinite},
                                       {{nothing, -infinite, 1}, -1}}};

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

void expression(std::string_view bytes) {
  accepted(comm::ExitCode::usage, [&] {
    const io::Expression formula(std::string(bytes), "xyzt");
    std::array<double, places.size()> values{};
    for (std::size_t i = 0; i < places.size(); ++i)
      values[i] = formula(places[i].position, places[i].time);
    for (std::size_t i = 0; i < places.size(); ++i) {
      promise(same(values[i], formula(places[i].position, places[i].time)),
              "a formula has one value at one place");
    }
    for (const char name : {'x', 'y', 'z', 't'}) formula.uses(name);
  });
}

}  // namespace halotherm::fuzz
