// SPDX-License-Identifier: MIT
#include "solver/integrators/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::solver {

namespace {

constexpr double safety = 0.9;
constexpr double least_factor = 0.2;

/// Whether the estimate is of third order; of second order else.
bool is_of_third_order(Method method) {
  return method == Method::rkl2 || method == Method::tr_bdf2;
}

/// Exponents of the errors in sixteenths: with an estimate of order k they are about 0.7/k of the
/// present error, 0.4/k of the one before, and 1/k after a rejected step.
struct Exponents {
  int error, last_error, after_rejection;
};

Exponents exponents_of(Method method) {
  return is_of_third_order(method) ? Exponents{4, 2, 6} : Exponents{6, 3, 8};
}

/// Steps that solve keep their length, and so their matrix, unless they may grow by more (Hairer &
/// Wanner, section IV.8).
constexpr double worth_a_matrix = 1.2;

/// x to the power of n/16; std::pow may be rounded in another way on another machine.
double power(double x, int n) {
  double root = x;
  for (int half = 0; half < 4; ++half) root = std::sqrt(root);
  double result = 1;
  for (; n > 0; --n) result *= root;
  return result;
}

}  // namespace

/// Whether the full step, so many times as long as the shortened one of this error, surely fits.
bool StepControl::fits(double in_tolerances, double stretch) const {
  const double grown = stretch * stretch * (is_of_third_order(method_) ? stretch : 1);
  return in_tolerances * grown <= 0.5;
}

auto StepControl::judge(double length, double dt, double error) -> Verdict {
  const auto exponents = exponents_of(method_);
  const double in_tolerances = std::max(error / tolerance_, least_error);
  if (!(in_tolerances <= 1)) {
    rejected_ = true;
    const double factor = safety / power(in_tolerances, exponents.after_rejection);
    return {false, length * std::max(least_factor, factor)};
  }
  const double most = rejected_ ? 1 : most_growth;
  const double factor =
      safety / power(in_tolerances, exponents.error) * power(last_error_, exponents.last_error);
  double next = length * std::clamp(factor, least_factor, most);
  if (length < dt && !rejected_ && fits(error / tolerance_, dt / length)) next = std::max(next, dt);
  if (is_implicit(method_) && next > dt && next < worth_a_matrix * dt) next = dt;
  last_error_ = in_tolerances;
  rejected_ = false;
  return {true, std::min(next, longest_)};
}

}  // namespace halotherm::solver
