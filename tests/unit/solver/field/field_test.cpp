// SPDX-License-Identifier: MIT
#include "solver/field/field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>

namespace halotherm::solver {
namespace {

template <class Real>
class FieldOf : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(FieldOf, Precisions);

TYPED_TEST(FieldOf, NewFieldsHoldNaN) {
  const Field<TypeParam> field("field", {{0, 0, 0}, {5, 4, 3}}, {1, 1, 1});
  std::vector<TypeParam> values(7 * 6 * 5);
  copy_to_host<TypeParam>(field, field.allocated(), values);
  for (const auto value : values) EXPECT_TRUE(std::isnan(value));
}

TYPED_TEST(FieldOf, PartsRoundTrip) {
  Field<TypeParam> field("field", {{10, -4, 3}, {43, 5, 9}}, {2, 1, 3});
  std::vector<TypeParam> values(static_cast<std::size_t>(field.allocated().size()));
  std::iota(values.begin(), values.end(), TypeParam(0));
  copy_from_host<TypeParam>(values, field.allocated(), field);
  std::vector<TypeParam> back(values.size());
  copy_to_host<TypeParam>(field, field.allocated(), back);
  EXPECT_EQ(back, values);
  // one cell, by its global index
  TypeParam cell = 0;
  copy_to_host<TypeParam>(field, {{10, -4, 3}, {11, -3, 4}}, std::span(&cell, 1));
  EXPECT_EQ(cell, TypeParam(2 + 37 * (1 + 11 * 3)));
}

TYPED_TEST(FieldOf, RowsStartOnCacheLines) {
  Field<TypeParam> field("field", {{7, 3, 2}, {40, 9, 5}}, {1, 1, 1});
  const auto view = field.view();
  for (int j = 3; j < 9; ++j) {
    for (int k = 2; k < 5; ++k) {
      const auto offset = view.origin + 7 + j * view.row + k * view.plane;
      EXPECT_EQ(offset * static_cast<std::int64_t>(sizeof(TypeParam)) % 128, 0);
    }
  }
  EXPECT_EQ(field.bytes() % 128, 0);
  EXPECT_EQ(field.bytes(), Field<TypeParam>::bytes_for(field.owned(), {1, 1, 1}));
}

TYPED_TEST(FieldOf, SwapExchangesContents) {
  Field<TypeParam> a("a", {{0, 0, 0}, {2, 1, 1}}, {1, 0, 0});
  Field<TypeParam> b("b", {{0, 0, 0}, {2, 1, 1}}, {1, 0, 0});
  const auto* data = a.data();
  swap(a, b);
  EXPECT_EQ(b.data(), data);
}

}  // namespace
}  // namespace halotherm::solver
