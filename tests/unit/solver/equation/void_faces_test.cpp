// SPDX-License-Identifier: MIT
// Flows through void faces are a source of the cells beside them.
#include "solver/equation/void_faces.hpp"

#include "solver/field/field.hpp"
#include "solver/formula/formula.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace halotherm::solver {
namespace {

const comm::Box owned{{2, 1, 0}, {5, 4, 3}};
constexpr double width = 0.1, half = 2 * 3.0 / width;

std::vector<VoidFace> faces() {
  return {{{2, 1, 0}, 0, width, half, {0.2, 0.15, 0.05}},
          {{2, 1, 0}, 2, width, half, {0.25, 0.15, 0.1}},
          {{4, 3, 2}, 1, width, half, {0.45, 0.4, 0.25}}};
}

FaceQuantity formula(const std::string& text) {
  FaceQuantity quantity;
  quantity.code = on_device("formula", Formula(text, "xyzt").code());
  return quantity;
}

template <class Real>
class VoidFacesOf : public testing::Test {
 protected:
  VoidFacesOf() : T_("T", owned, {1, 1, 1}), source_("source", owned, {1, 1, 1}) {
    const auto cells = static_cast<std::size_t>(owned.size());
    std::vector<Real> temperatures(cells);
    for (std::size_t n = 0; n < cells; ++n) temperatures[n] = static_cast<Real>(300 + n);
    copy_from_host<Real>(temperatures, owned, T_);
    copy_from_host<Real>(std::vector<Real>(cells, Real(7)), owned, source_);
  }
  void heat(const VoidFaces<Real>& faces, double time) {
    faces.heat(space_, time, std::as_const(T_).view(), {}, source_.view(), findings_.view());
    space_.fence("test");
  }
  std::vector<Real> sources() const {
    std::vector<Real> values(static_cast<std::size_t>(owned.size()));
    copy_to_host<Real>(source_, owned, values);
    return values;
  }
  static void expect_near(Real found, double expected) {
    EXPECT_NEAR(
        static_cast<double>(found), expected,
        64 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * 300 * half / width);
  }

  comm::Space space_;
  Field<Real> T_, source_;
  FaceFindings findings_;
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(VoidFacesOf, Reals);

TYPED_TEST(VoidFacesOf, FixedTemperaturesConductThroughHalfACell) {
  const VoidFaces<TypeParam> voids(faces(), true, {formula("400 + 100*x*t")});
  voids.keep(this->space_, this->source_.view());
  for (const double time : {0.0, 3.0}) {  // the later flow replaces the earlier one
    this->heat(voids, time);
    const auto q = this->sources();
    const double first = 400 + 100 * 0.2 * time, second = 400 + 100 * 0.25 * time;
    this->expect_near(q.front(), 7 + half * (first + second - 600) / width);
    this->expect_near(q.back(), 7 + half * (400 + 100 * 0.45 * time - 326) / width);
    EXPECT_EQ(q[1], TypeParam(7));
  }
  voids.restore(this->space_, this->source_.view());
  this->space_.fence("test");
  EXPECT_EQ(this->sources(), std::vector<TypeParam>(27, TypeParam(7)));
  EXPECT_EQ(this->findings_.bounds(this->space_).lowest(), 400);
}

TYPED_TEST(VoidFacesOf, FlowsBalanceAtTheFace) {
  FaceQuantity none, emissivity;
  emissivity.number = 0.8;
  const VoidFaces<TypeParam> voids(
      faces(), false,
      {formula("50*y"), formula("5 + t"), formula("280 + x"), emissivity, formula("900 - 10*t")});
  voids.keep(this->space_, this->source_.view());
  this->heat(voids, 2);
  const auto flow = [](double x, double y, double inside) {
    const auto balance = face_balance({50 * y, 7, 280 + x, 0.8, 880}, half);
    return half * (balance.temperature(inside) - inside) / width;
  };
  const auto q = this->sources();
  this->expect_near(q.front(), 7 + flow(0.2, 0.15, 300) + flow(0.25, 0.15, 300));
  this->expect_near(q.back(), 7 + flow(0.45, 0.4, 326));
  const auto heat = voids.view();
  EXPECT_TRUE(heat.present);
  EXPECT_EQ(heat.count, 2);
}

TYPED_TEST(VoidFacesOf, AFluxIsWhatFlows) {
  FaceQuantity none;
  const VoidFaces<TypeParam> voids(faces(), false, {formula("3*t"), none, none});
  voids.keep(this->space_, this->source_.view());
  this->heat(voids, 1);
  const auto q = this->sources();
  EXPECT_EQ(q.front(), static_cast<TypeParam>(7 + (3 / width + 3 / width)));
  EXPECT_EQ(q.back(), static_cast<TypeParam>(7 + 3 / width));
}

TYPED_TEST(VoidFacesOf, ValuesThatAreNotAllowedAreNoted) {
  FaceQuantity none, coefficient = formula("x < 0.4 || t < 1 ? 1 : -x");
  coefficient.least = 0;
  const VoidFaces<TypeParam> voids(faces(), false, {none, coefficient, none});
  this->heat(voids, 0);
  EXPECT_FALSE(this->findings_.failure(this->space_).found);
  this->heat(voids, 2);
  const auto failure = this->findings_.failure(this->space_);
  ASSERT_TRUE(failure.found);
  EXPECT_EQ(failure.place[0], 2);  // the face
  EXPECT_EQ(failure.part, 1);      // the quantity
  EXPECT_EQ(failure.value, -0.45);
}

}  // namespace
}  // namespace halotherm::solver
