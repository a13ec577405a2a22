// SPDX-License-Identifier: MIT
// What kernels need to know of a medium.
#pragma once

#include "solver/medium/medium.hpp"

namespace halotherm::solver {

/// Unless a medium says otherwise.
struct UsualTraits {
  /// Whether the widths of cells, and so their volumes, may differ.
  static constexpr bool uneven = false;
  /// Whether arithmetic bounds the update. Then planes taken together and stores past the caches do
  /// not pay on CPUs, and are not compiled.
  static constexpr bool bound_by_arithmetic = false;
  /// Whether streams with one K for all axes differ from those with one an axis.
  static constexpr bool follows_isotropy = true;
  /// Whether streaming threads ask for memory two planes ahead.
  static constexpr bool prefetches = false;
  /// Whether more rows than one are taken only within one material, away from sides.
  static constexpr bool rows_within_materials = false;
  /// Rows that a streaming thread takes at once at most, by the number of dimensions.
  static constexpr int most_rows(int /*dimensions*/) { return 1; }
};

/// `teams` of a streaming kernel share a multiprocessor, for a number of rows a thread: as many as
/// fit without a thread spilling registers, since spilled ones are stores that compete with those
/// of the result.
template <class Medium>
struct MediumTraits;

template <class Real>
struct MediumTraits<UniformMedium<Real>> : UsualTraits {
  static constexpr bool follows_isotropy = false;
  static constexpr int most_rows(int) { return 2; }
  static constexpr unsigned teams(int rows, bool) { return rows == 1 ? 10 : 8; }
};

template <class Real>
struct MediumTraits<StretchedMedium<Real>> : UsualTraits {
  static constexpr bool uneven = true;
  static constexpr bool follows_isotropy = false;
  static constexpr int most_rows(int) { return 2; }
  static constexpr unsigned teams(int rows, bool) { return rows == 1 ? 8 : 6; }
};

template <class Real>
struct MediumTraits<VaryingMedium<Real, EvenSpacing<Real>>> : UsualTraits {
  static constexpr int most_rows(int dimensions) { return dimensions == 2 ? 4 : 2; }
  static constexpr unsigned teams(int rows, bool isotropic) {
    return rows > 1 ? 4 : !isotropic ? 6 : sizeof(Real) == 8 ? 7 : 8;
  }
};

template <class Real>
struct MediumTraits<VaryingMedium<Real, UnevenSpacing<Real>>> : UsualTraits {
  static constexpr bool uneven = true;
  static constexpr bool prefetches = true;
  static constexpr unsigned teams(int, bool isotropic) { return isotropic ? 5 : 4; }
};

template <class Real>
struct MediumTraits<KindsMedium<Real>> : UsualTraits {
  static constexpr bool follows_isotropy = false;
  static constexpr bool prefetches = true;
  static constexpr unsigned teams(int, bool) { return 8; }
};

template <class Real>
struct MediumTraits<StoredMedium<Real, EvenSpacing<Real>>> : UsualTraits {
  static constexpr bool follows_isotropy = false;
  static constexpr unsigned teams(int, bool) { return 6; }
};

template <class Real>
struct MediumTraits<StoredMedium<Real, UnevenSpacing<Real>>> : UsualTraits {
  static constexpr bool uneven = true;
  static constexpr bool follows_isotropy = false;
  static constexpr unsigned teams(int, bool) { return 5; }
};

struct TabulatedTraits : UsualTraits {
  static constexpr bool bound_by_arithmetic = true;
  static constexpr bool prefetches = true;
  static constexpr bool rows_within_materials = true;
  static constexpr int most_rows(int dimensions) { return dimensions == 3 ? 2 : 1; }
  static constexpr unsigned teams(int rows, bool isotropic) {
    return rows == 1 && isotropic ? 5 : 4;
  }
};

template <class Real>
struct MediumTraits<TabulatedMedium<Real, EvenWidths<Real>>> : TabulatedTraits {};

template <class Real>
struct MediumTraits<TabulatedMedium<Real, UnevenWidths<Real>>> : TabulatedTraits {
  static constexpr bool uneven = true;
};

}  // namespace halotherm::solver
