// SPDX-License-Identifier: MIT
// Lines that threads keep, against the tables that they come from.
#include "solver/material/kept_line.hpp"

#include "solver/field/dense.hpp"
#include "tests/support/kernel_results.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::solver {
namespace {

/// The line that a thread keeps near a temperature.
template <class Real>
struct KeptNear {
  Real T;
  KOKKOS_INLINE_FUNCTION KeptLine<Real> operator()(const MaterialsView<Real>& materials) const {
    return {materials.line_at(0, 0, T), 0};
  }
};
/// Two lines of the table, from the one with this number on.
template <class Real>
struct PairFrom {
  int first;
  KOKKOS_INLINE_FUNCTION LinePair<Real> operator()(const MaterialsView<Real>& materials) const {
    const auto* const lines = materials.materials[0].conductivity[0].lines + first;
    return {lines[0], lines[1]};
  }
};

/// Of lines: 2 where they hold T and give another K than the table, 1 where they hold T, 0
/// elsewhere.
template <class Real, class LinesOf>
struct Judge {
  MaterialsView<Real> materials;
  LinesOf lines_of;
  Kokkos::View<const Real*, comm::Memory> T;
  KOKKOS_INLINE_FUNCTION int operator()(int n) const {
    const auto lines = lines_of(materials);
    const Real at = T(n);
    const bool right = lines(at) == materials.materials[0].conductivity[0](at);
    return !lines.holds(at) ? 0 : right ? 1 : 2;
  }
};

template <template <class> class LinesOf, class Real>
std::vector<int> judged_by(const LinesOf<Real>& lines_of, const PropertyTable& table,
                           const std::vector<Real>& T) {
  const Materials<Real> materials({{{table}, {{0, 1}}}}, {}, {}, {{0, 0, 0}, {4, 1, 1}}, {1, 0, 0});
  return test::kernel_results<int>(
      T.size(), Judge<Real, LinesOf<Real>>{materials.view(), lines_of, on_device("T", T)});
}
template <class Real>
std::vector<int> judged(const PropertyTable& table, Real near, const std::vector<Real>& T) {
  return judged_by(KeptNear<Real>{near}, table, T);
}

template <class Real>
class KeptLineOf : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(KeptLineOf, Reals);

TYPED_TEST(KeptLineOf, HoldsWhatTheTablesLineHoldsButForItsEnds) {
  using Real = TypeParam;
  const std::vector<Real> T{300,
                            300.01,
                            310,
                            349.9,
                            350,
                            360,
                            299.9,
                            -310,
                            0,
                            1e9,
                            std::numeric_limits<Real>::quiet_NaN(),
                            std::numeric_limits<Real>::infinity()};
  EXPECT_EQ(judged<Real>({{300, 2}, {350, 4}, {400, 3}}, 320, T),
            (std::vector{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TYPED_TEST(KeptLineOf, HoldsWhereItBeginsUnlessTheLowerHalfOfItsBitsIsNeeded) {
  using Real = TypeParam;
  const auto begin = static_cast<Real>(293.15);
  EXPECT_EQ(judged<Real>({{293.15, 2}, {350, 4}}, 320, {begin, std::nextafter(begin, Real(0))}),
            (std::vector{sizeof(Real) == 4 ? 1 : 0, 0}));
}

TYPED_TEST(KeptLineOf, HoldsAllPositiveTemperaturesOfAConstant) {
  using Real = TypeParam;
  const std::vector<Real> T{1e-3, 1, 300, 1e5, -300, std::numeric_limits<Real>::quiet_NaN()};
  EXPECT_EQ(judged<Real>({{300, 2}}, 320, T), (std::vector{1, 1, 1, 1, 0, 0}));
}

TYPED_TEST(KeptLineOf, HoldsNothingWhereALineIsShorterThanItCanTell) {
  using Real = TypeParam;
  const double end = std::nextafter(300.0, 400.0);
  const std::vector<Real> T{299, 300, static_cast<Real>(end), 301};
  for (const int each : judged<Real>({{300, 2}, {300, 9}, {end, 8}, {end, 4}}, 300, T))
    EXPECT_NE(each, 2);
}

TEST(KeptLine, HoldsNothingWithoutATable) {
  const KeptLine<double> line;
  for (const double T : {-1.0, 0.0, 1e-300, 300.0, 1e300}) EXPECT_FALSE(line.holds(T));
}

TEST(KeptLine, HoldsSeveralIfItHoldsEach) {
  const KeptLine<double> line({300, 350, 2, 0.04}, 0);
  EXPECT_TRUE(line.holds(300.0, 340.0, Pack<double>::filled(320)));
  EXPECT_FALSE(line.holds(300.0, 351.0, 340.0));
  EXPECT_FALSE(line.holds(299.0, 340.0));
  EXPECT_FALSE(line.holds(320.0, Pack<double>::filled(299)));
}

TYPED_TEST(KeptLineOf, PairIsTheTableOnBothOfItsLines) {
  using Real = TypeParam;
  const PropertyTable table{{300, 2}, {350, 4}, {400, 3}, {400, 5}, {450, 1}};
  const std::vector<Real> T{
      299, 300, 349.9, 350, 399.9, 400, 430, 451, std::numeric_limits<Real>::quiet_NaN()};
  const auto judged_from = [&](int first) { return judged_by(PairFrom<Real>{first}, table, T); };
  EXPECT_EQ(judged_from(0), (std::vector{1, 1, 1, 0, 0, 0, 0, 0, 0}));  // constant below 300
  EXPECT_EQ(judged_from(1), (std::vector{0, 1, 1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(judged_from(2), (std::vector{0, 0, 0, 1, 1, 1, 1, 0, 0}));
}

}  // namespace
}  // namespace halotherm::solver
