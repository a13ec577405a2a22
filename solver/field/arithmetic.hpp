// SPDX-License-Identifier: MIT
// Functions on numbers and packs that have no operator.
#pragma once

#include "solver/field/pack.hpp"

#include <cmath>

/// Marks functions whose body is long beside a call: GPUs inline them, since a call puts its
/// operands into memory; CPUs call them, so that kernels stay short and compile fast.
#if defined(KOKKOS_ENABLE_CUDA)
#define HALOTHERM_CALLED_ON_CPUS KOKKOS_FORCEINLINE_FUNCTION
#else
#define HALOTHERM_CALLED_ON_CPUS __attribute__((noinline)) inline
#endif

namespace halotherm::solver {

/// a*b + c, rounded once where the hardware can, so on every path of one program alike (compilers
/// contract nothing by themselves, docs/adr/0003-one-answer.md).
KOKKOS_FORCEINLINE_FUNCTION double multiply_add(double a, double b, double c) {
#if defined(__CUDA_ARCH__) || defined(__FMA__)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}
KOKKOS_FORCEINLINE_FUNCTION float multiply_add(float a, float b, float c) {
#if defined(__CUDA_ARCH__) || defined(__FMA__)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real> multiply_add(const Pack<Real>& a, const Pack<Real>& b,
                                                    const Pack<Real>& c) {
#if !defined(KOKKOS_ENABLE_CUDA) && defined(__AVX512F__) && defined(__FMA__)
  if constexpr (sizeof(Real) == 8) {
    return {_mm512_fmadd_pd(a.lanes, b.lanes, c.lanes)};
  } else {
    return {_mm512_fmadd_ps(a.lanes, b.lanes, c.lanes)};
  }
#else
  Pack<Real> result;
  HALOTHERM_UNROLL
  for (int n = 0; n < Pack<Real>::width; ++n)
    result.lanes[n] = multiply_add(a.lanes[n], b.lanes[n], c.lanes[n]);
  return result;
#endif
}

KOKKOS_FORCEINLINE_FUNCTION double minimum(double a, double b) {
  return b < a ? b : a;
}
KOKKOS_FORCEINLINE_FUNCTION double maximum(double a, double b) {
  return a < b ? b : a;
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real> minimum(const Pack<Real>& a, const Pack<Real>& b) {
#if defined(KOKKOS_ENABLE_CUDA)
  Pack<Real> result;
  HALOTHERM_UNROLL
  for (int n = 0; n < Pack<Real>::width; ++n) result.lanes[n] = minimum(a.lanes[n], b.lanes[n]);
  return result;
#else
  return {b.lanes < a.lanes ? b.lanes : a.lanes};
#endif
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real> maximum(const Pack<Real>& a, const Pack<Real>& b) {
#if defined(KOKKOS_ENABLE_CUDA)
  Pack<Real> result;
  HALOTHERM_UNROLL
  for (int n = 0; n < Pack<Real>::width; ++n) result.lanes[n] = maximum(a.lanes[n], b.lanes[n]);
  return result;
#else
  return {a.lanes < b.lanes ? b.lanes : a.lanes};
#endif
}

/// 1/x for positive normal x. CPUs give the nearest number; NVIDIA GPUs refine the hardware's
/// estimate, without the branches of a division, as every face needs a reciprocal. In single
/// precision one step gives the nearest number for every x; in double precision a step of third
/// order (Householder 1970) gives it for all but 3 of 10,000 x, and its neighbour for these. A
/// further step that rounds correctly (Markstein 1990) costs 4 % of a step in which K varies
/// (docs/adr/0003-one-answer.md).
KOKKOS_FORCEINLINE_FUNCTION double reciprocal(double x) {
#if defined(__CUDA_ARCH__)
  double estimate;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(estimate) : "d"(x));
  const double error = fma(-x, estimate, 1.0);
  return fma(estimate, fma(error, error, error), estimate);
#else
  return 1.0 / x;
#endif
}
KOKKOS_FORCEINLINE_FUNCTION float reciprocal(float x) {
#if defined(__CUDA_ARCH__)
  float estimate;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(estimate) : "f"(x));
  return fmaf(estimate, fmaf(-x, estimate, 1.0f), estimate);
#else
  return 1.0f / x;
#endif
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real> reciprocal(const Pack<Real>& x) {
#if defined(__CUDA_ARCH__)
  Pack<Real> result;
  HALOTHERM_UNROLL
  for (int n = 0; n < Pack<Real>::width; ++n) result.lanes[n] = reciprocal(x.lanes[n]);
  return result;
#else
  return broadcast<Pack<Real> >(Real(1)) / x;
#endif
}

/// {before, the first of `here`, ...}: the lower neighbours along x of a pack.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real> shifted_up(const Pack<Real>& here, Real before) {
  Pack<Real> result;
  result.lanes[0] = before;
  HALOTHERM_UNROLL
  for (int n = 1; n < Pack<Real>::width; ++n) result.lanes[n] = here.lanes[n - 1];
  return result;
}

/// {the second of `here`, ..., after}: the upper neighbours along x of a pack.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real> shifted_down(const Pack<Real>& here, Real after) {
  Pack<Real> result;
  HALOTHERM_UNROLL
  for (int n = 0; n + 1 < Pack<Real>::width; ++n) result.lanes[n] = here.lanes[n + 1];
  result.lanes[Pack<Real>::width - 1] = after;
  return result;
}

}  // namespace halotherm::solver
