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
    return line_to_keep(materials.materials[0].conductivity[0], T, 0);
  }
};
/// A line of the table with the one below or above.
template <class Real>
struct PairOf {
  int kept;
  bool below;
  KOKKOS_INLINE_FUNCTION LinePair<Real> operator()(const MaterialsView<Real>& materials) const {
    const auto& table = materials.materials[0].conductivity[0];
    return {{table, kept, 0}, table, below};
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
    const Real K = materials.materials[0].conductivity[0](at);
    bool right = lines(at) == K;
    if constexpr (requires { lines.at(at); }) right = right && lines.at(at)(at) == K;
    return !lines.range.holds(at) ? 0 : right ? 1 : 2;
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
  for (const double T : {-1.0, 0.0, 1e-300, 300.0, 1e300}) EXPECT_FALSE(line.range.holds(T));
}

TEST(BitRange, HoldsSeveralIfItHoldsEach) {
  const BitRange<double> range(300, 350);
  EXPECT_TRUE(range.holds(300.0, 340.0, Pack<double>::filled(320)));
  EXPECT_FALSE(range.holds(300.0, 351.0, 340.0));
  EXPECT_FALSE(range.holds(299.0, 340.0));
  EXPECT_FALSE(range.holds(320.0, Pack<double>::filled(299)));
}

TEST(BitRange, TellsOnWhichWayItIsLeft) {
  const BitRange<double> range(300, 350);
  EXPECT_TRUE(range.is_below(range.farthest(320.0, 299.9)));
  EXPECT_TRUE(range.is_below(range.farthest(299.9, 360.0)));
  EXPECT_FALSE(range.is_below(range.farthest(320.0, 350.0)));
}

TEST(BitRange, JoinsNothingWithARangeThatHoldsNothing) {
  const double end = std::nextafter(300.1, 400.0);
  const BitRange<double> empty(300.1, end), above(end, 350), below(200, 300.1);
  for (const double T : {250.0, 300.1, 320.0}) {
    EXPECT_FALSE(BitRange<double>::joined(empty, above).holds(T));
    EXPECT_FALSE(BitRange<double>::joined(below, empty).holds(T));
  }
  EXPECT_TRUE(BitRange<double>::joined(below, {300.1, 350}).holds(250.0, 300.1, 320.0));
}

TYPED_TEST(KeptLineOf, PairIsTheTableOnBothOfItsLines) {
  using Real = TypeParam;
  const PropertyTable table{{300, 2}, {350, 4}, {400, 3}, {400, 5}, {450, 1}};
  const std::vector<Real> T{
      299, 300, 349.9, 350, 399.9, 400, 430, 451, std::numeric_limits<Real>::quiet_NaN()};
  const auto judged_from = [&](int kept, bool below) {
    return judged_by(PairOf<Real>{kept, below}, table, T);
  };
  const std::vector first{1, 1, 1, 0, 0, 0, 0, 0, 0};  // constant below 300
  const std::vector second{0, 1, 1, 1, 1, 0, 0, 0, 0};
  const std::vector jump{0, 0, 0, 1, 1, 1, 1, 0, 0};
  EXPECT_EQ(judged_from(0, false), first);
  EXPECT_EQ(judged_from(1, true), first);
  EXPECT_EQ(judged_from(1, false), second);
  EXPECT_EQ(judged_from(2, true), second);
  EXPECT_EQ(judged_from(2, false), jump);
  EXPECT_EQ(judged_from(3, true), jump);
}

TYPED_TEST(KeptLineOf, PairBeyondAnEndOfTheTableHoldsItsLine) {
  using Real = TypeParam;
  const std::vector<Real> T{299, 320, 340, 351};
  const PropertyTable table{{300, 2}, {330, 4}, {350, 3}};
  EXPECT_EQ(judged_by(PairOf<Real>{0, true}, table, T), (std::vector{1, 0, 0, 0}));
  EXPECT_EQ(judged_by(PairOf<Real>{3, false}, table, T), (std::vector{0, 0, 0, 1}));
}

}  // namespace
}  // namespace halotherm::solver
