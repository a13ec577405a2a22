// SPDX-License-Identifier: MIT
#include "tests/performance/baseline.hpp"

namespace halotherm::baseline {

namespace {

/// The cell's new temperature from its own, its six neighbours' (west, east, south, north, below,
/// above) and the coefficients.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real stepped(Real h, Real w, Real e, Real s, Real n, Real b, Real a,
                                         const Coefficients<Real>& with) {
  return h + with.c * (with.gx * ((w - h) + (e - h)) + with.gy * ((s - h) + (n - h)) +
                       with.gz * ((b - h) + (a - h)));
}

template <class Real>
struct Step {
  comm::GridView<const Real> T;
  comm::GridView<Real> next;
  Coefficients<Real> coefficients;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const {
    next(i, j, k) = stepped(T(i, j, k), T(i - 1, j, k), T(i + 1, j, k), T(i, j - 1, k),
                            T(i, j + 1, k), T(i, j, k - 1), T(i, j, k + 1), coefficients);
  }
};

using Policy = Kokkos::MDRangePolicy<comm::Space,
                                     Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                     Kokkos::IndexType<int>>;

Policy::point_type point(const comm::Int3& cell) {
  return {cell[0], cell[1], cell[2]};
}

/// One plane of the triple loop.
template <class Real>
void step_plane(const comm::Box& box, int k, const comm::GridView<const Real>& T,
                const comm::GridView<Real>& next, const Coefficients<Real>& coefficients) {
  const std::int64_t row = T.row;
  const std::int64_t plane = T.plane;
  for (int j = box.lower[1]; j < box.upper[1]; ++j) {
    const Real* from = &T(0, j, k);
    Real* to = &next(0, j, k);
    for (int i = box.lower[0]; i < box.upper[0]; ++i) {
      to[i] = stepped(from[i], from[i - 1], from[i + 1], from[i - row], from[i + row],
                      from[i - plane], from[i + plane], coefficients);
    }
  }
}

}  // namespace

template <class Real>
void plain_mdrange(const comm::Space& space, const comm::Box& box,
                   const comm::GridView<const Real>& T, const comm::GridView<Real>& next,
                   const Coefficients<Real>& coefficients) {
  const Policy policy(space, point(box.lower), point(box.upper));
  Kokkos::parallel_for("plain mdrange", policy, Step<Real>{T, next, coefficients});
}

template <class Real>
void tiled_mdrange(const comm::Space& space, const comm::Box& box,
                   const comm::GridView<const Real>& T, const comm::GridView<Real>& next,
                   const Coefficients<Real>& coefficients) {
  const Policy policy(space, point(box.lower), point(box.upper), {32, 4, 1});
  Kokkos::parallel_for("tiled mdrange", policy, Step<Real>{T, next, coefficients});
}

template <class Real>
void triple_loop(const comm::Box& box, const comm::GridView<const Real>& T,
                 const comm::GridView<Real>& next, const Coefficients<Real>& coefficients) {
  for (int k = box.lower[2]; k < box.upper[2]; ++k) step_plane(box, k, T, next, coefficients);
}

template <class Real>
void parallel_triple_loop(const comm::Box& box, const comm::GridView<const Real>& T,
                          const comm::GridView<Real>& next,
                          const Coefficients<Real>& coefficients) {
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int k = box.lower[2]; k < box.upper[2]; ++k) step_plane(box, k, T, next, coefficients);
}

#define HALOTHERM_INSTANTIATE(Real)                                                           \
  template void plain_mdrange(const comm::Space&, const comm::Box&,                           \
                              const comm::GridView<const Real>&, const comm::GridView<Real>&, \
                              const Coefficients<Real>&);                                     \
  template void tiled_mdrange(const comm::Space&, const comm::Box&,                           \
                              const comm::GridView<const Real>&, const comm::GridView<Real>&, \
                              const Coefficients<Real>&);                                     \
  template void triple_loop(const comm::Box&, const comm::GridView<const Real>&,              \
                            const comm::GridView<Real>&, const Coefficients<Real>&);          \
  template void parallel_triple_loop(const comm::Box&, const comm::GridView<const Real>&,     \
                                     const comm::GridView<Real>&, const Coefficients<Real>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::baseline
