// SPDX-License-Identifier: MIT
// Reciprocals, on the device that computes: what every device must round alike, so that all of them
// give the same field.
#include "solver/field/arithmetic.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace halotherm::solver {
namespace {

/// The n-th of numbers from 1 to 2: of float all of them, of double those that a generator with a
/// long period picks.
KOKKOS_INLINE_FUNCTION float number(std::int64_t n, float) {
  return Kokkos::bit_cast<float>(static_cast<std::uint32_t>(0x3F800000 + n));
}
KOKKOS_INLINE_FUNCTION double number(std::int64_t n, double) {
  auto bits = static_cast<std::uint64_t>(n) * 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 29)) * 0xBF58476D1CE4E5B9U;
  return Kokkos::bit_cast<double>(0x3FF0000000000000U | (bits >> 12));
}

/// Counts reciprocals that are not the nearest number, as a division's result is.
template <class Real>
struct Differing {
  double scale;

  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t& count) const {
    const Real x = number(n, Real()) * static_cast<Real>(scale);
    if (reciprocal(x) != Real(1) / x) ++count;
    Pack<Real> pack = Pack<Real>::filled(x);
    pack = reciprocal(pack);
    if (pack.lanes[Pack<Real>::width - 1] != reciprocal(x)) ++count;
  }
};

template <class Real>
std::int64_t differing(std::int64_t numbers, double scale) {
  std::int64_t count = 0;
  Kokkos::parallel_reduce(
      "reciprocals", Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<std::int64_t>>(0, numbers),
      Differing<Real>{scale}, count);
  return count;
}

TEST(Reciprocal, OfEveryFloatIsTheNearest) {
  for (const double scale : {1.0, 0x1p-40, 0x1p60})
    EXPECT_EQ(differing<float>(std::int64_t{1} << 23, scale), 0) << scale;
}

TEST(Reciprocal, OfDoublesIsTheNearestOnCpusAndAlmostAlwaysOnGpus) {
  const std::int64_t numbers = comm::kernels_run_on_host ? 10'000'000 : 1'000'000'000;
  const std::int64_t tolerated = comm::kernels_run_on_host ? 0 : numbers / 2000;
  for (const double scale : {1.0, 0x1p-300, 0x1p500})
    EXPECT_LE(differing<double>(numbers, scale), tolerated) << scale;
}

template <class Real>
struct LargestError {
  KOKKOS_FUNCTION void operator()(std::int64_t n, double& largest) const {
    const Real x = number(n, Real());
    largest = Kokkos::max(largest, static_cast<double>(Kokkos::abs(reciprocal(x) - Real(1) / x)));
  }
};

/// Reciprocals of numbers from 1 to 2 lie from 1/2 to 1, where the last place is 2^-53.
TEST(Reciprocal, OfDoublesIsAtMostTheNeighbour) {
  double error = 0;
  Kokkos::parallel_reduce(
      "reciprocals",
      Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<std::int64_t>>(0, 10'000'000),
      LargestError<double>{}, Kokkos::Max<double>(error));
  EXPECT_LE(error, comm::kernels_run_on_host ? 0 : 0x1p-53);
}

}  // namespace
}  // namespace halotherm::solver
