// SPDX-License-Identifier: MIT
// Numbers up to 255 of the cells of a row, and values in tables that they point to.
#pragma once

#include "solver/field/pack.hpp"

#include <cstdint>
#include <type_traits>

namespace halotherm::solver {

/// Of `Width` cells of a row, at most 8.
template <int Width>
struct CellBytes {
  using Unsigned = std::conditional_t<
      Width == 1, std::uint8_t,
      std::conditional_t<Width == 2, std::uint16_t,
                         std::conditional_t<Width == 4, std::uint32_t, std::uint64_t>>>;
  Unsigned bytes = 0;

  KOKKOS_FORCEINLINE_FUNCTION int of(int n) const {
    return static_cast<int>(bytes >> (8 * n) & Unsigned{0xFF});
  }
  KOKKOS_FORCEINLINE_FUNCTION CellBytes<1> last() const {
    return {static_cast<std::uint8_t>(bytes >> (8 * (Width - 1)))};
  }
  KOKKOS_FORCEINLINE_FUNCTION bool all(int number) const {
    return bytes == static_cast<Unsigned>(std::uint64_t{0x0101010101010101} *
                                          static_cast<std::uint64_t>(number));
  }
  /// Moved by one cell: `first` enters before the first one.
  KOKKOS_FORCEINLINE_FUNCTION CellBytes shifted_up(const CellBytes<1>& first) const {
    return {static_cast<Unsigned>(bytes << 8 | first.bytes)};
  }
};

/// Reads them from memory that no kernel in flight writes. The first lies on a multiple of `Width`.
template <int Width>
KOKKOS_FORCEINLINE_FUNCTION CellBytes<Width> load_bytes(const std::uint8_t* from) {
  using Unsigned = typename CellBytes<Width>::Unsigned;
#if defined(__CUDA_ARCH__)
  return {__ldg(reinterpret_cast<const Unsigned*>(from))};
#else
  CellBytes<Width> result;
  std::memcpy(&result.bytes, from, sizeof(Unsigned));
  return result;
#endif
}

#if !defined(KOKKOS_ENABLE_CUDA) && defined(__AVX512F__)
namespace detail {

// with masks, as GCC warns of lanes that the plain forms leave out
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto indices(const std::uint8_t* numbers) {
  if constexpr (sizeof(Real) == 8) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(numbers)));
  } else {
    return _mm512_maskz_cvtepu8_epi32(0xFFFF,
                                      _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers)));
  }
}
KOKKOS_FORCEINLINE_FUNCTION __m256i index_of_pair(int count, const __m256i& row,
                                                  const __m256i& column) {
  return _mm256_add_epi32(_mm256_mullo_epi32(row, _mm256_set1_epi32(count)), column);
}
KOKKOS_FORCEINLINE_FUNCTION __m512i index_of_pair(int count, const __m512i& row,
                                                  const __m512i& column) {
  return _mm512_add_epi32(_mm512_mullo_epi32(row, _mm512_set1_epi32(count)), column);
}
KOKKOS_FORCEINLINE_FUNCTION Pack<double> gather(const double* table, const __m256i& at) {
  return {_mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xFF, at, table, 8)};
}
KOKKOS_FORCEINLINE_FUNCTION Pack<float> gather(const float* table, const __m512i& at) {
  return {_mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xFFFF, at, table, 4)};
}

}  // namespace detail
#endif

/// The values of a table that the numbers of the cells from `at` on point to.
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION Value look_up(const Real* table, const std::uint8_t* at) {
#if !defined(KOKKOS_ENABLE_CUDA) && defined(__AVX512F__)
  if constexpr (width_of < Value >> 1) return detail::gather(table, detail::indices<Real>(at));
#endif
  Value result;
  HALOTHERM_UNROLL
  for (int n = 0; n < width_of<Value>; ++n) set_lane(result, n, load<Real>(table + at[n]));
  return result;
}
/// The same in a table of `count` rows and columns, from the numbers of two cells.
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION Value look_up(const Real* table, int count, const std::uint8_t* row,
                                          const std::uint8_t* column) {
#if !defined(KOKKOS_ENABLE_CUDA) && defined(__AVX512F__)
  if constexpr (width_of < Value >> 1) {
    return detail::gather(table, detail::index_of_pair(count, detail::indices<Real>(row),
                                                       detail::indices<Real>(column)));
  }
#endif
  Value result;
  HALOTHERM_UNROLL
  for (int n = 0; n < width_of<Value>; ++n)
    set_lane(result, n, load<Real>(table + row[n] * count + column[n]));
  return result;
}
/// As both, of loaded numbers.
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION Value look_up(const Real* table, const CellBytes<width_of<Value>>& at) {
  Value result;
  HALOTHERM_UNROLL
  for (int n = 0; n < width_of<Value>; ++n) set_lane(result, n, load<Real>(table + at.of(n)));
  return result;
}
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION Value look_up(const Real* table, int count,
                                          const CellBytes<width_of<Value>>& row,
                                          const CellBytes<width_of<Value>>& column) {
  Value result;
  HALOTHERM_UNROLL
  for (int n = 0; n < width_of<Value>; ++n)
    set_lane(result, n, load<Real>(table + row.of(n) * count + column.of(n)));
  return result;
}

}  // namespace halotherm::solver
