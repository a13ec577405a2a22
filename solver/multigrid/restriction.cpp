// SPDX-License-Identifier: MIT
#include "solver/multigrid/restriction.hpp"

#include "solver/multigrid/restrict_and_sum.hpp"

namespace halotherm::solver {

namespace {

/// Fine cells that are stored.
struct StoredCells {
  using Loaded = float;
  comm::GridView<const float> fine;

  KOKKOS_FORCEINLINE_FUNCTION float loaded(int i, int j, int k) const {
    return load<float>(&fine(i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION float value(float loaded, int, int, int) const { return loaded; }
  /// On CPUs: of a row from `begin` on.
  const float* row(int begin, int, int j, int k) const { return &fine(begin, j, k); }
};

/// Those that are made of rounded values, and stored.
template <class Real>
struct RoundedCells {
  using Loaded = Real;
  Rounded<Real> rounded;
  comm::GridView<float> fine;

  KOKKOS_FORCEINLINE_FUNCTION Real loaded(int i, int j, int k) const {
    return load<Real>(&rounded.values(i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION float value(Real loaded, int i, int j, int k) const {
    return fine(i, j, k) = rounded.rounding(loaded, i, j, k);
  }
  const float* row(int begin, int count, int j, int k) const {
    // local, so that the compiler sees that stores change no view
    const Rounding<Real> rounding = rounded.rounding;
    const Real* const from = &rounded.values(begin, j, k);
    float* const to = &fine(begin, j, k);
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
#pragma GCC ivdep  // of different fields
#endif
    for (int n = 0; n < count; ++n) to[n] = rounding(from[n], begin + n, j, k);
    return to;
  }
};

}  // namespace

ProductSum restrict_and_sum(const comm::Space& space, const Coarsening& coarsening,
                            const comm::Box& coarse_owned, const comm::GridView<const float>& fine,
                            const comm::GridView<float>& coarse, const SumScale& scale) {
  return exact_sum(space, "restriction", coarse_owned,
                   RestrictAndSum<StoredCells>(scale, coarsening, {fine}, coarse));
}

template <class Real>
ProductSum round_restrict_and_sum(const comm::Space& space, const Coarsening& coarsening,
                                  const comm::Box& coarse_owned, const Rounded<Real>& rounded,
                                  const comm::GridView<float>& fine,
                                  const comm::GridView<float>& coarse, const SumScale& scale) {
  return exact_sum(space, "rounded restriction", coarse_owned,
                   RestrictAndSum<RoundedCells<Real>>(scale, coarsening, {rounded, fine}, coarse));
}

#define HALOTHERM_INSTANTIATE(Real)                                                  \
  template ProductSum round_restrict_and_sum(                                        \
      const comm::Space&, const Coarsening&, const comm::Box&, const Rounded<Real>&, \
      const comm::GridView<float>&, const comm::GridView<float>&, const SumScale&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::solver
