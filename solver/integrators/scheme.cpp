// SPDX-License-Identifier: MIT
#include "solver/integrators/scheme.hpp"

#include <array>
#include <set>

namespace halotherm::solver {

namespace {

/// A step that was chosen as so many times another must not take more stages by rounding.
constexpr double rounding = 1e-12;

/// b_j of RKL2 (Meyer, Balsara & Aslam 2014, eq. 16 to 21).
double b(int j) {
  if (j < 2) return 1.0 / 3;
  return (j * j + j - 2) / (2.0 * j * (j + 1));
}

/// Y_1, Y_2, ... of RKL2 lie in fields 1, 2, 3, 2, 3, ...
int field_of(int n) {
  return n < 2 ? n : 2 + n % 2;
}

/// c_j of RKL2: the share of a step that j of s stages advance.
double share(int j, int s) {
  const double w = 4.0 / (s * s + s - 2);
  return j == 1 ? b(1) * w : (j * j + j - 2) / static_cast<double>(s * s + s - 2);
}

/// Y_j of RKL2 multiplies a wave of decay rate −z/(c_j dt) by 1 + z + z²/2 + cubic(j) z³ + ...
double cubic(int j) {
  return (j * j + j - 6) / (9.0 * (j * j + j - 2));
}

/// The j-th stage of s, from 1 (mu~, nu and gamma~ in their notation). Their
/// L(Y_0) is (Y_1 − Y_0)/(mu~_1 dt) here, so no field keeps it.
Stage rkl2_stage(int j, int s) {
  const double w = 4.0 / (s * s + s - 2);
  if (j == 1) return {.rate = b(1) * w};
  const double mu = (2 * j - 1) / static_cast<double>(j) * b(j) / b(j - 1);
  const double nu = -(j - 1) / static_cast<double>(j) * b(j) / b(j - 2);
  const double gamma = -(1 - b(j - 1)) * mu / b(1);
  Stage stage{.first_of_step = false, .rate = mu * w};
  // a stage takes its time from that of its input: the share that the input has of a rate of 1
  stage.at = share(j - 1, s);
  stage.from = field_of(j - 1);
  stage.older_field = field_of(j - 2);
  stage.to = field_of(j);
  stage.input = mu;
  stage.older = nu;
  stage.first = gamma;
  return stage;
}

}  // namespace

int extra_flops(const Stage& stage) {
  return stage.first_of_step ? 0 : 9;
}

double Scheme::stretch(int stages) {
  return (stages * stages + stages - 2) / 4.0;
}

int Scheme::stages(double dt) const {
  if (method_ == Method::euler) return 1;
  if (method_ == Method::rk2) return 2;
  int count = fewest_stages;
  while (count < most_stages && dt > stretch(count) * euler_step_ * (1 + rounding)) count += 2;
  return count;
}

Stage Scheme::stage(int n, int count) const {
  Stage stage;
  if (method_ == Method::rkl2) {
    stage = rkl2_stage(n + 1, count);
  } else if (n > 0) {
    stage = {.first_of_step = false, .from = 1, .to = 2, .at = 1, .rate = 0.5, .input = 0.5};
  }
  const bool overwrites = n > 0 && n + 1 == count && !keeps_;
  if (overwrites) stage.to = 0;
  return stage;
}

ErrorEstimate Scheme::error_estimate(int count) const {
  if (method_ != Method::rkl2) return {.result = 2, .last = 1, .of_result = 1, .of_last = -1};
  // of Y_s, Y_{s−1} and Y_1 − Y_0 = b_1 w dt L(Y_0) what cancels the first and second order
  const double c = share(count - 1, count);
  const double error = 1.0 / 6 - cubic(count);
  const double a = error / (cubic(count) - c * cubic(count - 1));
  return {.result = field_of(count),
          .last = field_of(count - 1),
          .of_result = a,
          .of_last = -a / (c * c),
          .of_first = a * (1 - c) / c / share(1, count)};
}

double Scheme::weight(int n, int count) const {
  std::array<double, most_fields> increment{};  // of each field, where only this stage has a rate
  const auto of = [&](int field) -> double& { return increment[static_cast<std::size_t>(field)]; };
  int result = 0;
  for (int m = 0; m < count; ++m) {
    const auto s = stage(m, count);
    double sum = m == n ? s.rate : 0;
    if (!s.first_of_step)
      sum += s.input * of(s.from) + s.older * of(s.older_field) + s.first * of(first_field);
    result = s.to;
    of(result) = sum;
  }
  return of(result);
}

int Scheme::values_per_cell(int count) const {
  int values = 0;
  for (int n = 0; n < count; ++n) {
    const auto of_stage = stage(n, count);
    std::set<int> read{of_stage.from};
    if (!of_stage.first_of_step) read.insert({0, of_stage.older_field, first_field});
    values += static_cast<int>(read.size()) + 1;
  }
  return values;
}

}  // namespace halotherm::solver
