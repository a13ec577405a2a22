// SPDX-License-Identifier: MIT
#include "io/files/checksum.hpp"

#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <set>

namespace halotherm::io {
namespace {

constexpr comm::Int3 cells{7, 5, 6};

template <class Real>
std::uint64_t whole() {
  const comm::Box all{{0, 0, 0}, cells};
  return field_checksum<Real>(cells, all, test::coded_block<Real>(all));
}

TEST(Checksum, is_the_sum_of_its_parts) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int cut = 0; cut <= cells[axis]; ++cut) {
      comm::Box below{{0, 0, 0}, cells}, above = below;
      below.upper[axis] = above.lower[axis] = cut;
      const auto sum = field_checksum<double>(cells, below, test::coded_block<double>(below)) +
                       field_checksum<double>(cells, above, test::coded_block<double>(above));
      EXPECT_EQ(sum, whole<double>());
    }
  }
}

TEST(Checksum, of_a_block_leaves_its_ghosts_out) {
  const comm::Box all{{0, 0, 0}, cells}, block = grown(all, {1, 2, 1}, {2, 1, 1});
  EXPECT_EQ(field_checksum<double>(cells, all, block, test::coded_block<double>(block)),
            whole<double>());
}

TEST(Checksum, sees_every_bit_every_exchange_and_the_sign_of_zero) {
  const comm::Box all{{0, 0, 0}, cells};
  auto values = test::coded_block<double>(all);
  for (std::size_t cell = 0; cell < values.size(); cell += 13) {
    auto changed = values;
    changed[cell] = std::nextafter(changed[cell], 1e300);
    EXPECT_NE(field_checksum<double>(cells, all, changed), whole<double>());
  }
  std::swap(values[3], values[4]);
  EXPECT_NE(field_checksum<double>(cells, all, values), whole<double>());
  const std::vector<double> positive(1, 0.0), negative(1, -0.0);
  const comm::Box one{{0, 0, 0}, {1, 1, 1}};
  EXPECT_NE(field_checksum<double>(cells, one, positive),
            field_checksum<double>(cells, one, negative));
}

TEST(Checksum, a_field_of_zeros_of_another_size_differs) {
  std::set<std::uint64_t> seen;
  for (int n = 1; n < 50; ++n) {
    const std::vector<float> zeros(static_cast<std::size_t>(n), 0.0F);
    seen.insert(field_checksum<float>({n, 1, 1}, {{0, 0, 0}, {n, 1, 1}}, zeros));
  }
  EXPECT_EQ(seen.size(), 49U);
}

/// Files of earlier versions must stay readable: the numbers themselves are part of the format.
TEST(Checksum, stays_what_the_format_says) {
  const std::vector<double> values{300.0, 400.0};
  EXPECT_EQ(to_hex(field_checksum<double>({2, 1, 1}, {{0, 0, 0}, {2, 1, 1}}, values)),
            "bda5953503dcfb1e");
  EXPECT_EQ(to_hex(text_checksum("halotherm")), "56e3fb73e627523f");
}

TEST(Checksum, hexadecimal_digits_go_both_ways) {
  std::uint64_t back = 0;
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x0123456789abcdef}, ~std::uint64_t{0}}) {
    EXPECT_TRUE(from_hex(to_hex(number), back));
    EXPECT_EQ(back, number);
  }
  EXPECT_EQ(to_hex(255), "00000000000000ff");
  for (const char* text : {"", "ff", "00000000000000fg", "-000000000000001", "0x00000000000001",
                           "00000000000000ff0"}) {
    EXPECT_FALSE(from_hex(text, back)) << text;
  }
}

}  // namespace
}  // namespace halotherm::io
