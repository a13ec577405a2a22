// SPDX-License-Identifier: MIT
// Tables in the temperature: values, integrals and the inverse of the integral.
#include "solver/material/property_table.hpp"

#include "tests/support/kernel_results.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace halotherm::solver {
namespace {

using test::kernel_results;
using Numbers = Kokkos::View<double*, comm::PinnedMemory>;

Numbers numbers(const std::vector<double>& values) {
  Numbers view("numbers", values.size());
  std::ranges::copy(values, view.data());
  return view;
}

// what kernels do: nvcc takes no lambda in a test's body
struct ValueAt {
  PropertyView<double> table;
  Numbers T;
  KOKKOS_INLINE_FUNCTION double operator()(int n) const { return table(T(n)); }
};
struct ValueInSteps {
  PropertyView<double> table;
  double first, step;
  KOKKOS_INLINE_FUNCTION double operator()(int n) const { return table(first + step * n); }
};
struct OfNaN {
  PropertyView<double> table;
  double nan;
  KOKKOS_INLINE_FUNCTION double operator()(int n) const {
    return n == 0 ? table(nan) : n == 1 ? table.advanced(nan, 1.0) : table.advanced(400, nan);
  }
};
struct Advance {
  PropertyView<double> table;
  Numbers from, to;
  KOKKOS_INLINE_FUNCTION double operator()(int n) const {
    return table.advanced(from(n), table.integral(to(n)) - table.integral(from(n)));
  }
};
/// 1 where the line of a bin differs from the table, 0.001 where it does not hold T.
struct LineOfBin {
  PropertyBins<double> bins;
  PropertyView<double> table;
  int number;
  double step;
  KOKKOS_INLINE_FUNCTION double operator()(int n) const {
    const double T = 250 + step * n;
    const auto line = bins.near(number, T);
    if (!line.holds(T)) return 0.001;
    return line(T) == table(T) ? 0 : 1;
  }
};
struct MissingOfSum {
  PropertyView<double> total, one, other;
  KOKKOS_INLINE_FUNCTION double operator()(int n) const {
    const double T = 280 + 0.1 * n;
    return total(T) - (one(T) + other(T));
  }
};

const PropertyTable silicon{{300, 148}, {400, 98.9}, {500, 76.2}};
/// A jump at 350, and steps of very different lengths.
const PropertyTable jump{{300, 2}, {350, 4}, {350, 10}, {350.001, 10}, {350.001, 1}, {5000, 3}};

double plain(const PropertyTable& table, double T) {
  if (T < table.front().temperature) return table.front().value;
  double value = table.back().value;
  for (std::size_t n = 0; n + 1 < table.size(); ++n) {
    const auto &a = table[n], &b = table[n + 1];
    if (a.temperature <= T && T < b.temperature)
      value = a.value + (b.value - a.value) / (b.temperature - a.temperature) * (T - a.temperature);
  }
  return value;
}

TEST(PropertyTables, AreLinearBetweenPointsAndConstantBeyond) {
  const PropertyTables<double> tables({silicon, jump, {{0, 7}}});
  const std::vector<double> T{-1e9,    0,   299.999, 300, 333, 349.9999999, 350,  350.0005,
                              350.001, 400, 450,     500, 501, 4999,        5000, 1e12};
  for (const auto& [n, table] : {std::pair{0, silicon}, std::pair{1, jump}}) {
    const auto got =
        kernel_results<double>(T.size(), ValueAt{tables[static_cast<std::size_t>(n)], numbers(T)});
    for (std::size_t m = 0; m < T.size(); ++m)
      EXPECT_NEAR(got[m], plain(table, T[m]), 1e-10) << T[m] << " in table " << n;
  }
  for (const double value : kernel_results<double>(T.size(), ValueAt{tables[2], numbers(T)}))
    EXPECT_EQ(value, 7);
}

TEST(PropertyTables, NaNStaysWithinTheTable) {
  const PropertyTables<double> tables({jump});
  const OfNaN of_nan{tables[0], std::numeric_limits<double>::quiet_NaN()};
  for (const double value : kernel_results<double>(3, of_nan)) EXPECT_TRUE(std::isnan(value));
}

TEST(PropertyTables, ManyPointsAreFound) {
  PropertyTable table;
  for (int n = 0; n <= 10000; ++n) table.push_back({0.01 * n * n, std::sin(0.01 * n) + 2});
  const PropertyTables<double> tables({table});
  const auto got = kernel_results<double>(100000, ValueInSteps{tables[0], 0.3, 10.0});
  for (std::size_t n = 0; n < got.size(); ++n) {
    const double T = 0.3 + 10.0 * static_cast<double>(n);
    const auto m = std::min(9999.0, std::floor(std::sqrt(T / 0.01)));
    const auto& a = table[static_cast<std::size_t>(m)];
    const auto& b = table[static_cast<std::size_t>(m) + 1];
    const double part = std::min(1.0, (T - a.temperature) / (b.temperature - a.temperature));
    ASSERT_NEAR(got[n], a.value + part * (b.value - a.value), 1e-11) << T;
  }
}

TEST(PropertyTables, LinesOfBinsHoldMostTemperaturesAndOnlyTheirOwn) {
  const PropertyTables<double> tables({silicon, jump, {{0, 7}}});
  for (const auto& [number, step] : {std::pair{0, 0.01}, {1, 1.0}, {2, 1.0}}) {
    const auto differ = kernel_results<double>(
        20000, LineOfBin{tables.bins(), tables[static_cast<std::size_t>(number)], number, step});
    // one that differs counts 1, one in no line of a bin 0.001: at most 900 of 20,000
    EXPECT_LT(std::accumulate(differ.begin(), differ.end(), 0.0), 0.9) << number;
  }
}

TEST(PropertyTables, AdvancingInvertsTheIntegral) {
  const PropertyTables<double> tables({silicon, jump});
  for (const std::size_t which : {0, 1}) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> T(250, 600);
    std::vector<double> from, to;
    for (int n = 0; n < 2000; ++n) {
      from.push_back(n % 7 == 0 ? 350 : T(random));
      to.push_back(n % 5 == 0 ? from.back() : T(random));
    }
    const auto got =
        kernel_results<double>(2000, Advance{tables[which], numbers(from), numbers(to)});
    for (std::size_t n = 0; n < got.size(); ++n) {
      if (from[n] == to[n]) {
        EXPECT_EQ(got[n], to[n]);
      } else {
        ASSERT_NEAR(got[n], to[n], 1e-9) << from[n];
      }
    }
  }
}

/// A factor of a power of two rounds nothing.
TEST(PropertyTables, AScaledTableHasTheBitsOfTheProducts) {
  auto products = jump;
  for (auto& point : products) point.value *= 4;
  PropertyTables<double> tables({silicon, jump, jump, products});
  tables.keep_originals();
  tables.scale(comm::Space(), 2, 3);
  tables.scale(comm::Space(), 2, 4);  // of the original
  comm::Space().fence("test");
  const auto values = [&](std::size_t n) {
    return kernel_results<double>(4000, ValueInSteps{tables[n], 280, 0.1});
  };
  const auto advanced = [&](std::size_t n) {
    const std::vector<double> from{300, 340, 349, 360}, to{320, 380, 350.0005, 300};
    return kernel_results<double>(4, Advance{tables[n], numbers(from), numbers(to)});
  };
  EXPECT_EQ(values(2), values(3));
  EXPECT_NE(values(2), values(1));
  EXPECT_EQ(advanced(2), advanced(3));
  const LineOfBin near{tables.bins(), tables[2], 2, 1};
  const auto differ = kernel_results<double>(20000, near);
  EXPECT_LT(std::accumulate(differ.begin(), differ.end(), 0.0), 0.9) << "bins are scaled, too";
  tables.scale(comm::Space(), 2, 1);
  comm::Space().fence("test");
  EXPECT_EQ(values(2), values(1));
}

TEST(PropertyTables, ASumHasTheJumpsOfBoth) {
  const auto both = sum(silicon, jump);
  const PropertyTables<double> tables({both, silicon, jump});
  for (const double value :
       kernel_results<double>(4000, MissingOfSum{tables[0], tables[1], tables[2]}))
    EXPECT_NEAR(value, 0, 1e-10);
}

}  // namespace
}  // namespace halotherm::solver
