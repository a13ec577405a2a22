// SPDX-License-Identifier: MIT
// What a steady state and an implicit step solve for: the function that must vanish, and its
// matrix.
#pragma once

#include "app/linear/multigrid.hpp"
#include "app/linear/products.hpp"
#include "app/problem/problem.hpp"
#include "solver/linear/tangents.hpp"

#include <functional>

namespace halotherm::app {

/// F(T) = div(K grad T) + q + rate · (H(target) − H(T)) [W/m³], where H is the heat content, by the
/// operator of explicit steps in the run's precision. Its values count with the shares of their
/// cells' volumes, and not in void cells. Sources and faces follow T. All kernels are on the edge
/// stream but those of the conditions, after which the host waits. Instantiated for float and
/// double.
template <class Real>
class ImplicitEquation {
 public:
  /// References must outlive it, but for `config`. `has_mass`: whether rates may be above 0.
  ImplicitEquation(const comm::Streams& streams, Domain<Real>& domain, Problem<Real>& problem,
                   const Config& config, bool has_mass);

  /// Whether one matrix holds for all temperatures.
  bool is_linear() const { return linear_; }
  void set_rate(double rate) { rate_ = rate; }  ///< [1/s]; 0 in a steady state
  double rate() const { return rate_; }

  /// The next norm is the first of a solve, which is near that of the solve before.
  void begin_solve() { begins_ = true; }
  /// Collective. The 2-norm of F, whose values it leaves in b of the finest level, in units of
  /// `unit()`, and restricted for the next cycle. `target` is not read if the rate is 0.
  double norm(solver::Field<Real>& T, const solver::Field<Real>& target, Multigrid& multigrid);
  /// Collective where the matrix depends on T, and overwrites `scratch` there. Makes the matrix of
  /// a level −F' about: with K at T, and the derivatives of H, of the flows at sides,
  /// and of sources that fall as T rises, at T.
  void set_matrix(solver::Field<Real>& T, Level& level, solver::Field<Real>* scratch);
  /// Collective. The norm of F that rounding the temperature alone makes, about, by the matrix of a
  /// level, of which it overwrites `next`.
  double rounding(const solver::Field<Real>& T, Level& level) const;
  /// T = from + factor · x; in a step, cells that melt take no more heat than x says.
  void correct(const solver::Field<Real>& from, double factor, const comm::GridView<const float>& x,
               solver::Field<Real>& T) const;

  /// b of a level = rate · rho c(T) · x, as norms leave it there.
  void weigh(const solver::Field<Real>& T, const comm::GridView<const float>& x,
             Level& level) const;
  /// Collective. The largest size of a vector in a cell; infinite if one is not finite.
  double largest(const comm::GridView<const float>& x) const;

  /// Of b after the last norm [W/m³]: a power of two near the norm before.
  double unit() const { return norms_.unit; }
  /// A field that norms write: free between them.
  solver::Field<Real>& scratch() { return values_; }

 private:
  void follow(const comm::GridView<const Real>& T);
  /// Sets b to the values of F times a factor; this rank's part of the sum of its squares.
  using SetB = std::function<solver::ProductSum(double factor, const solver::SumScale& scale)>;
  double norm_of(const SetB& set_b);

  const comm::Streams& streams_;
  Domain<Real>& domain_;
  Problem<Real>& problem_;
  bool linear_;
  bool source_follows_;  ///< T
  bool anchored_;        ///< whether a matrix that is not separable has anchors
  solver::SideTangents<Real> tangents_;
  solver::Field<Real> values_;
  double rate_ = 0;
  /// What a norm is near to: the unit of b, and the scale of its squares.
  struct NormRange {
    double unit = 1;
    int exponent = 0;  ///< of the last norm in that unit
    Products squares;
    void follow();
  };
  NormRange norms_;        ///< of the last norm
  NormRange first_norms_;  ///< of the first norm of the last solve
  bool begins_ = true;     ///< whether the next norm is the first of a solve
};

}  // namespace halotherm::app
