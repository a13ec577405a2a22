// SPDX-License-Identifier: MIT
// Explicit methods of integration in time, as lists of stages: numbers only, no fields.
#pragma once

#include <limits>

namespace halotherm::solver {

/// Forward Euler; the second-order strong-stability-preserving Runge-Kutta method (Shu & Osher
/// 1988, J. Comput. Phys. 77: Heun's method); the second-order Runge-Kutta-Legendre
/// super-time-stepping method (Meyer, Balsara & Aslam 2014, J. Comput. Phys. 257); backward Euler;
/// the method of Crank & Nicolson (1947, Proc. Camb. Phil. Soc. 43); TR-BDF2 (Bank et al. 1985,
/// IEEE Trans. Electron Devices 32). A steady state is solved for; one step of forward Euler from
/// there measures its flows. `automatic` stands for one that is chosen before a run begins.
enum class Method { euler, rk2, rkl2, backward_euler, crank_nicolson, tr_bdf2, steady, automatic };

/// Whether steps solve a system of equations, so no bound of the explicit kernels holds for them.
constexpr bool is_implicit(Method method) {
  return method == Method::backward_euler || method == Method::crank_nicolson ||
         method == Method::tr_bdf2;
}

/// One stage of a step from t to t + dt. With Y_0, the temperature at t, and Y, that of the field
/// `from`, it computes
///
///     to = Y_0 + input (Y − Y_0) + older (Y_older − Y_0) + first (Y_1 − Y_0) + rate dt dY/dt,
///
/// where sides and sources have the values of the time t + at dt. Increments from Y_0, not the
/// temperatures themselves, are combined, so a steady temperature stays to the last bit, and any
/// quantity that accumulates over a step, such as the heat that flows through a side, follows from
/// the same weights with Y_0 = 0. Fields are numbered: 0 is the temperature, 1 the first scratch
/// field. A field that is written may be one that is read as older, or Y_0 itself, but not `from`.
struct Stage {
  /// Of a first stage Y is Y_0, so the other fields and weights mean nothing.
  bool first_of_step = true;
  int from = 0;
  int older_field = 0;
  int to = 1;
  double at = 0;
  double rate = 1;
  double input = 0;
  double older = 0;
  double first = 0;
};

/// What the stages of a step tell about its error without a further evaluation: with increments
/// from the temperature before the step,
///
///     error = of_result (Y_result − Y_0) + of_last (Y_last − Y_0) + of_first (Y_1 − Y_0),
///
/// where `last` is the field from which the last stage began.
struct ErrorEstimate {
  int result = 0;  ///< field with the temperature after the step
  int last = 0;    ///< field
  double of_result = 0;
  double of_last = 0;
  double of_first = 0;
};

/// Floating-point operations of a stage in a cell beyond those of forward Euler.
int extra_flops(const Stage& stage);

/// A method with the longest step that its stages may be stretched to.
class Scheme {
 public:
  static constexpr int most_fields = 4;    ///< the temperature and scratch fields
  static constexpr int first_field = 1;    ///< of the result of RKL2's first stage
  static constexpr int fewest_stages = 3;  ///< of RKL2
  static constexpr int most_stages = 99;   ///< of RKL2
  static constexpr int usual_stages = 15;  ///< of RKL2 (docs/numerics.md)

  /// `euler_step`: the step of forward Euler [s] that RKL2 stretches by its stages. `keeps`: a step
  /// leaves the temperature before it as it was, so it can be taken again.
  /// A method that solves has no explicit stages but forward Euler's.
  explicit Scheme(Method method, double euler_step = std::numeric_limits<double>::infinity(),
                  bool keeps = false)
      : method_(method == Method::rk2 || method == Method::rkl2 ? method : Method::euler),
        euler_step_(euler_step),
        keeps_(keeps && method_ != Method::euler) {}

  Method method() const { return method_; }
  /// Fields that a step needs, the temperature included.
  int fields() const { return method_ == Method::rkl2 ? 4 : keeps_ ? 3 : 2; }
  /// The number of stages of a step of length dt [s]: of RKL2 the smallest odd number, at least 3,
  /// that stretches `euler_step` to dt.
  int stages(double dt) const;
  /// The n-th of `count` stages, from 0.
  Stage stage(int n, int count) const;
  /// The weight that the n-th stage's rate of change has in the whole step, so that the step adds
  /// dt times the weighted sum of the rates. The weights of all stages add up to 1.
  double weight(int n, int count) const;
  /// The error of a step of so many stages; for RK2 and RKL2, if the scheme keeps the temperature.
  /// RK2: what forward Euler would do differently, of second order. RKL2: of third order, its own
  /// error where the equation is linear with constant coefficients.
  ErrorEstimate error_estimate(int count) const;
  /// Values that the stages read and write in a cell, without coefficients: those of a field that
  /// is read and written count twice.
  int values_per_cell(int count) const;

  /// The longest stable step of so many stages of RKL2 over forward Euler's: (s² + s − 2)/4.
  static double stretch(int stages);

 private:
  Method method_;
  double euler_step_;
  bool keeps_;
};

}  // namespace halotherm::solver
