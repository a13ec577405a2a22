// SPDX-License-Identifier: MIT
// Packs: a few neighbouring cells of a row that one load, store or arithmetic instruction handles.
#pragma once

#include "comm/device/execution.hpp"

#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/// Unrolls loops over lanes, axes and rows of a thread, so that their variables stay in registers.
#if defined(__CUDA_ARCH__)
#define HALOTHERM_UNROLL _Pragma("unroll")
#elif defined(__GNUC__) && !defined(KOKKOS_ENABLE_CUDA)
#define HALOTHERM_UNROLL _Pragma("GCC unroll 16")
#else
#define HALOTHERM_UNROLL
#endif

namespace halotherm::solver {

/// Bytes that a thread loads and stores best at once: 16 on GPUs, a vector register on CPUs.
#if defined(KOKKOS_ENABLE_CUDA)
inline constexpr int pack_bytes = 16;
#elif defined(__AVX512F__)
inline constexpr int pack_bytes = 64;
#elif defined(__AVX__)
inline constexpr int pack_bytes = 32;
#else
inline constexpr int pack_bytes = 16;
#endif

/// `width` cells (i, j, k), (i + 1, j, k), ... Arithmetic works lane by lane and rounds like that
/// on single numbers, so a cell's result does not depend on whether it was computed in a pack.
template <class Real>
struct Pack {
  static constexpr int width = pack_bytes / static_cast<int>(sizeof(Real));

#if defined(KOKKOS_ENABLE_CUDA)
  struct alignas(pack_bytes) Lanes {
    Real value[width];
    KOKKOS_FORCEINLINE_FUNCTION Real& operator[](int n) { return value[n]; }
    KOKKOS_FORCEINLINE_FUNCTION Real operator[](int n) const { return value[n]; }
    friend KOKKOS_FORCEINLINE_FUNCTION Lanes operator+(Lanes a, const Lanes& b) {
      return a.each(b, [](Real x, Real y) { return x + y; });
    }
    friend KOKKOS_FORCEINLINE_FUNCTION Lanes operator-(Lanes a, const Lanes& b) {
      return a.each(b, [](Real x, Real y) { return x - y; });
    }
    friend KOKKOS_FORCEINLINE_FUNCTION Lanes operator*(Lanes a, const Lanes& b) {
      return a.each(b, [](Real x, Real y) { return x * y; });
    }
    friend KOKKOS_FORCEINLINE_FUNCTION Lanes operator/(Lanes a, const Lanes& b) {
      return a.each(b, [](Real x, Real y) { return x / y; });
    }

   private:
    template <class Operation>
    KOKKOS_FORCEINLINE_FUNCTION Lanes each(const Lanes& b, const Operation& operation) const {
      Lanes result;
      HALOTHERM_UNROLL
      for (int n = 0; n < width; ++n) result.value[n] = operation(value[n], b.value[n]);
      return result;
    }
  };
#else
  typedef Real Lanes
      __attribute__((vector_size(pack_bytes)));  // NOLINT: `using` does not take the attribute
#endif

  Lanes lanes;

  static KOKKOS_FORCEINLINE_FUNCTION Pack filled(Real value) {
#if defined(KOKKOS_ENABLE_CUDA)
    Pack pack;
    HALOTHERM_UNROLL
    for (int n = 0; n < width; ++n) pack.lanes[n] = value;
    return pack;
#else
    // one instruction; lane by lane GCC takes one for each
    return {value - Lanes{}};
#endif
  }

  friend KOKKOS_FORCEINLINE_FUNCTION Pack operator+(const Pack& a, const Pack& b) {
    return {a.lanes + b.lanes};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Pack operator-(const Pack& a, const Pack& b) {
    return {a.lanes - b.lanes};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Pack operator*(const Pack& a, const Pack& b) {
    return {a.lanes * b.lanes};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Pack operator/(const Pack& a, const Pack& b) {
    return {a.lanes / b.lanes};
  }
};

/// The number of cells in a value, and access to its n-th lane.
template <class Value>
inline constexpr int width_of = 1;
template <class Real>
inline constexpr int width_of<Pack<Real>> = Pack<Real>::width;

KOKKOS_FORCEINLINE_FUNCTION float lane(float value, int) {
  return value;
}
KOKKOS_FORCEINLINE_FUNCTION double lane(double value, int) {
  return value;
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real lane(const Pack<Real>& value, int n) {
  return value.lanes[n];
}

KOKKOS_FORCEINLINE_FUNCTION void set_lane(float& value, int, float number) {
  value = number;
}
KOKKOS_FORCEINLINE_FUNCTION void set_lane(double& value, int, double number) {
  value = number;
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void set_lane(Pack<Real>& value, int n, Real number) {
  value.lanes[n] = number;
}

/// `value` with its n-th lane taken from `other`.
KOKKOS_FORCEINLINE_FUNCTION float with_lane(float value, int n, float other) {
  return n == 0 ? other : value;
}
KOKKOS_FORCEINLINE_FUNCTION double with_lane(double value, int n, double other) {
  return n == 0 ? other : value;
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real> with_lane(const Pack<Real>& value, int n,
                                                 const Pack<Real>& other) {
#if defined(KOKKOS_ENABLE_CUDA)
  Pack<Real> result = value;
  HALOTHERM_UNROLL
  for (int m = 0; m < Pack<Real>::width; ++m) {
    if (m == n) result.lanes[m] = other.lanes[m];
  }
  return result;
#else
  using Integer = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;
  typedef Integer Integers
      __attribute__((vector_size(pack_bytes)));  // NOLINT: `using` does not take the attribute
  Integers number;
  HALOTHERM_UNROLL
  for (int m = 0; m < Pack<Real>::width; ++m) number[m] = m;
  return {number == Integer{n} ? other.lanes : value.lanes};
#endif
}

/// The number in every lane.
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION Value broadcast(Real number) {
  if constexpr (width_of<Value> == 1) {
    return number;
  } else {
    return Value::filled(number);
  }
}

/// Reads a value from memory that no kernel in flight writes. A pack's first cell lies on a
/// multiple of `pack_bytes`.
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION Value load(const Real* from) {
#if defined(__CUDA_ARCH__)
  if constexpr (width_of<Value> == 1) {
    return __ldg(from);
  } else {
    const int4 bits = __ldg(reinterpret_cast<const int4*>(from));
    Value value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
#else
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
#endif
}

/// As `load`, from memory that the same kernel may write later, each cell by the thread that has
/// read it.
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION Value load_before_store(const Real* from) {
#if defined(__CUDA_ARCH__)
  if constexpr (width_of < Value >> 1) {
    const int4 bits = *reinterpret_cast<const int4*>(from);
    Value value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
#endif
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Reads a value from memory of any alignment.
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION Value load_unaligned(const Real* from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION void store(Real* to, const Value& value) {
#if defined(__CUDA_ARCH__)
  if constexpr (width_of<Value> == 1) {
    *to = value;
  } else {
    int4 bits;
    memcpy(&bits, &value, sizeof bits);
    *reinterpret_cast<int4*>(to) = bits;
  }
#else
  std::memcpy(to, &value, sizeof value);
#endif
}

/// Stores past the caches, so that the memory's old content is not read first: pays where the
/// result is not needed soon. Ordered by `non_temporal_stores_end`. An ordinary store on devices
/// without such an instruction.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void store_non_temporal(Real* to, const Pack<Real>& value) {
#if defined(KOKKOS_ENABLE_CUDA) || !defined(__SSE2__)
  store(to, value);
#elif defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), reinterpret_cast<__m512i>(value.lanes));
#elif defined(__AVX__)
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<__m256i>(value.lanes));
#else
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<__m128i>(value.lanes));
#endif
}
inline void non_temporal_stores_end() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace halotherm::solver
