// SPDX-License-Identifier: MIT
// The temperature of a face at which heat flows balance.
#pragma once

#include "solver/field/arithmetic.hpp"

namespace halotherm::solver {

/// The Stefan-Boltzmann constant [W/(m² K⁴)], exact since 2019 (CODATA 2018).
inline constexpr double stefan_boltzmann = 5.670374419e-8;

/// A face of temperature T to which heat flows from the cell inside, half (T_inside − T), and from
/// outside, gain − film T − radiated T⁴; the two add up to 0.
struct FaceBalance {
  double half = 0;      ///< 2K/h [W/(m² K)], or 2/h for `ghost`; 0 where nothing has to balance
  double film = 0;      ///< coefficient of convection [W/(m² K)]
  double gain = 0;      ///< what does not depend on T [W/m²]
  double radiated = 0;  ///< emissivity times the Stefan-Boltzmann constant [W/(m² K⁴)], >= 0

  /// The temperature at which the flows balance, to rounding.
  ///
  /// It is the root of g(T) = a T + b T⁴ − c with a = half + film > 0, b = radiated and c = half
  /// T_inside + gain. For c >= 0, g is increasing and convex on T >= 0 and has one root T* there.
  /// The start T₀ = min(c/a, (c/b)^(1/4)) is not below it, since each of the two makes one term of
  /// g equal to c. Newton's method then descends monotonically to T*. T₀/T* is at most 1.381,
  /// where c/a = (c/b)^(1/4); as g'' <= 12 b T² and g' >= 4 b T³, a step turns the relative excess
  /// e into at most 1.5 e²/(1 + e): 0.381, 0.16, 0.034, 2e-3, 5e-6, 3e-11, 2e-21. Six steps reach
  /// rounding, whatever the numbers are; descending ends where rounding ends it. Written as (c + 3
  /// b T⁴)/(a + 4 b T³), a step has no cancellation.
  ///
  /// c < 0 is below absolute zero: the root for radiation of the sign of T, −T*(|c|), continues the
  /// condition monotonically, so that a step that is wrong for another reason stays defined.
  KOKKOS_INLINE_FUNCTION double temperature(double inside) const {
    constexpr int most_steps = 10;
    const double a = half + film;
    const double b = radiated;
    const double balance = half * inside + gain;
    if (!(b > 0)) return balance / a;
    const double c = Kokkos::abs(balance);
    double T = Kokkos::min(c / a, Kokkos::sqrt(Kokkos::sqrt(c / b)));
    for (int n = 0; n < most_steps; ++n) {
      const double cube = T * T * T;
      const double next = (c + 3 * b * cube * T) / (a + 4 * b * cube);
      if (!(next < T)) break;
      T = next;
    }
    return balance < 0 ? -T : T;
  }

  /// The ghost temperature beyond the face, where K(T) is `conductivity` and `half` is 2/h.
  ///
  /// Kernels let (K(T_inside) + K(T_ghost))/2 conduct (Kirchhoff 1894), so the same mean balances
  /// here: a fixed point of T_ghost -> K -> T_face -> T_ghost = 2 T_face − T_inside. A round
  /// multiplies the error by at most half of K's relative change between the two temperatures, so
  /// each gains an order in h. Rounds after the eighth go half of the way, which converges where K
  /// changes by more than a factor of 3 within a cell.
  template <class Conductivity>
  KOKKOS_INLINE_FUNCTION double ghost(double inside, const Conductivity& conductivity) const {
    constexpr int full_rounds = 8, most_rounds = 100;
    constexpr double rounding = 2e-16;
    const double here = conductivity(inside);
    FaceBalance face = *this;
    double ghost = inside;
    for (int n = 0; n < most_rounds; ++n) {
      face.half = 0.5 * half * (here + conductivity(ghost));
      const double change = inside + 2 * (face.temperature(inside) - inside) - ghost;
      ghost += n < full_rounds ? change : 0.5 * change;
      if (!(Kokkos::abs(change) > rounding * Kokkos::abs(ghost))) break;
    }
    return ghost;
  }
};

}  // namespace halotherm::solver
