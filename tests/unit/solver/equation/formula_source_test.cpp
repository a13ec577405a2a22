// SPDX-License-Identifier: MIT
#include "solver/equation/formula_source.hpp"

#include "solver/formula/formula.hpp"
#include "tests/support/source_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace halotherm::solver {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
const comm::Box owned{{3, 0, 5}, {20, 9, 12}};
const comm::Box box = comm::grown(owned, {1, 1, 1}, {1, 1, 1});

AxisCoordinates coordinates() {
  AxisCoordinates result;
  for (int axis = 0; axis < 3; ++axis) {
    for (int n = box.lower[axis]; n < box.upper[axis]; ++n)
      result[static_cast<std::size_t>(axis)].push_back(0.1 * n);
  }
  return result;
}

VariableBounds everywhere() {
  return {Bounds{0, 3}, Bounds{-1, 1}, Bounds{0, 2}, Bounds{0, infinite}, Bounds{}};
}

template <class Real>
class FormulaSource : public testing::Test {
 protected:
  ProductSource<Real> product_of(const std::string& text) const {
    return {owned, box, coordinates(), *separated(Formula(text, "xyzt").code(), everywhere())};
  }
  FormulaFailure read() const { return failure_.read(comm::Space()); }

  FirstFailure failure_;
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(FormulaSource, Reals);

template <class Work>
void for_cells(const Work& work) {
  std::size_t n = 0;
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) work(n++, i, j, k);
    }
  }
}

TYPED_TEST(FormulaSource, ProductsHaveTheFormulasValues) {
  const std::string text = "1e6*exp(-((x - t)^2 + y^2 + (z - 0.2*t)^2)/0.5)";
  const Formula formula(text, "xyzt");
  const auto product = this->product_of(text);
  for (const double time : {0.0, 1.7}) {
    product.evaluate(comm::Space(), time, this->failure_);
    const auto values = test::values_of(product.view(), box);
    const double rounding = std::numeric_limits<TypeParam>::epsilon();
    for_cells([&](std::size_t n, int i, int j, int k) {
      const double expected = formula({0.1 * i, 0.1 * j, 0.1 * k}, time);
      EXPECT_NEAR(static_cast<double>(values[n]), expected, 16 * rounding * expected);
    });
  }
  EXPECT_FALSE(this->read().found);
}

TYPED_TEST(FormulaSource, ProductsTellWhereTheyAreNotFinite) {
  const auto product = this->product_of("y/(x < 1.15 || t < 2)*z");
  product.evaluate(comm::Space(), 1, this->failure_);
  EXPECT_FALSE(this->read().found);
  product.evaluate(comm::Space(), 2, this->failure_);
  product.evaluate(comm::Space(), 3, this->failure_);  // a later one does not count
  const auto failure = this->read();
  ASSERT_TRUE(failure.found);
  EXPECT_EQ(failure.time, 2);
  EXPECT_TRUE(std::isinf(failure.value));
  EXPECT_EQ(failure.place[0], 12);  // the first with x > 1.15
  EXPECT_EQ(failure.place[1], 9);   // the largest factors
  EXPECT_EQ(failure.place[2], 12);
}

TYPED_TEST(FormulaSource, FactorsWhoseProductIsTooLargeAreAFailure) {
  const bool single = sizeof(TypeParam) == 4;
  const auto product = this->product_of(single ? "1e20*x*(1e20*y)*t" : "1e200*x*(1e200*y)*t");
  product.evaluate(comm::Space(), 0, this->failure_);
  EXPECT_FALSE(this->read().found);
  product.evaluate(comm::Space(), 1, this->failure_);
  EXPECT_TRUE(this->read().found);
}

/// A formula in the cells of owner 2 of a field of sevens.
TYPED_TEST(FormulaSource, FormulasAreEvaluatedInTheirCellsAlone) {
  const Formula formula("x*y + z*t", "xyzt");
  std::vector<std::uint16_t> owners;
  std::vector<double> added;
  for_cells([&](std::size_t n, int i, int, int) {
    owners.push_back(i % 3 == 0 ? 2 : 1);
    added.push_back(static_cast<double>(n % 5));
  });
  const auto on_owners = on_device("owners", owners);
  const auto on_added = on_device("added", added);
  const std::vector<TypeParam> sevens(owners.size(), TypeParam(7));
  Field<TypeParam> field("source", owned, {1, 1, 1});
  copy_from_host<TypeParam>(sevens, box, field);
  const CellwiseSource<TypeParam> source(owned, box, coordinates());
  const comm::Space space;
  source.evaluate(space, on_device("code", formula.code()), 0, 1.5,
                  {box, on_owners.data(), 2, on_added.data()}, 0, field.view(), this->failure_);
  space.fence("test");
  std::vector<TypeParam> values(owners.size());
  copy_to_host<TypeParam>(field, box, values);
  for_cells([&](std::size_t n, int i, int j, int k) {
    const double value = formula({0.1 * i, 0.1 * j, 0.1 * k}, 1.5) + added[n];
    EXPECT_EQ(values[n], owners[n] == 2 ? static_cast<TypeParam>(value) : TypeParam(7));
  });
  EXPECT_FALSE(this->read().found);
}

TYPED_TEST(FormulaSource, FormulasTellTheFirstCellThatIsNotFinite) {
  const CellwiseSource<TypeParam> source(owned, box, coordinates());
  Field<TypeParam> field("source", owned, {1, 1, 1});
  const auto code = on_device("code", Formula("x + 1/(z < 0.65 || t < 2)", "xyzt").code());
  for (const double time : {1.0, 2.0, 3.0})
    source.evaluate(comm::Space(), code, 0, time, {.cells = box}, 4, field.view(), this->failure_);
  const auto failure = this->read();
  ASSERT_TRUE(failure.found);
  EXPECT_EQ(failure.time, 2);
  EXPECT_EQ(failure.part, 4);
  EXPECT_EQ(failure.place[0], box.lower[0]);
  EXPECT_EQ(failure.place[1], box.lower[1]);
  EXPECT_EQ(failure.place[2], 7);
}

/// In the block's own cells; beyond their range temperatures count as its ends.
TYPED_TEST(FormulaSource, FormulasFollowTheTemperaturesOfTheirCells) {
  const Formula formula("x + 2*T*t", "xyztT");
  std::vector<TypeParam> temperatures;
  for_cells([&](std::size_t n, int, int, int) {
    temperatures.push_back(static_cast<TypeParam>(290 + n % 30));
  });
  Field<TypeParam> field("source", owned, {1, 1, 1}), T("T", owned, {1, 1, 1});
  copy_from_host<TypeParam>(temperatures, box, T);
  const CellwiseSource<TypeParam> source(owned, box, coordinates());
  const comm::Space space;
  source.evaluate(space, on_device("code", formula.code()), 0, 1.5,
                  {.cells = owned, .temperatures = {295, 310}}, 0, field.view(), this->failure_,
                  std::as_const(T).view());
  space.fence("test");
  std::vector<TypeParam> values(temperatures.size());
  copy_to_host<TypeParam>(field, box, values);
  for_cells([&](std::size_t n, int i, int j, int k) {
    if (!owned.contains(i, j, k)) return;
    const double limited = std::clamp(static_cast<double>(temperatures[n]), 295.0, 310.0);
    EXPECT_EQ(values[n], static_cast<TypeParam>(formula({0.1 * i, 0, 0}, 1.5, limited)));
  });
  EXPECT_FALSE(this->read().found);
}

TYPED_TEST(FormulaSource, ANumberFillsItsCells) {
  const CellwiseSource<TypeParam> source(owned, box, coordinates());
  Field<TypeParam> field("source", owned, {1, 1, 1});
  source.evaluate(comm::Space(), {}, 2.5, 1, {.cells = box}, 0, field.view(), this->failure_);
  comm::Space().fence("test");
  std::vector<TypeParam> values(static_cast<std::size_t>(box.size()));
  copy_to_host<TypeParam>(field, box, values);
  EXPECT_EQ(values, std::vector<TypeParam>(values.size(), TypeParam(2.5)));
}

}  // namespace
}  // namespace halotherm::solver
