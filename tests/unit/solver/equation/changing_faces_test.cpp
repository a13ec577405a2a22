// SPDX-License-Identifier: MIT
// Conditions that a kernel forms from formulas, lists and numbers are those formed one by one.
#include "solver/equation/changing_faces.hpp"

#include "solver/formula/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace halotherm::solver {
namespace {

const comm::Box owned{{3, 0, 5}, {9, 7, 12}};
const Side side{1, 1};  // the upper side across y
const comm::Box layer = Boundary<double>::ghost_layer(owned, side);
const comm::Box patch{{4, 7, 6}, {8, 8, 11}};
constexpr double h = 0.1;

double at(int axis, int index) {
  return axis == 1 ? 0.7 : 0.1 * index;
}

AxisCoordinates coordinates() {
  AxisCoordinates result;
  for (int axis = 0; axis < 3; ++axis) {
    for (int n = patch.lower[axis]; n < patch.upper[axis]; ++n)
      result[static_cast<std::size_t>(axis)].push_back(at(axis, n));
  }
  return result;
}

std::size_t place_in(const comm::Box& box, int i, int k) {
  return static_cast<std::size_t>((k - box.lower[2]) * box.extent(0) + (i - box.lower[0]));
}

/// Calls `work(i, k)` for the faces of the layer.
void for_faces(const std::function<void(int, int)>& work) {
  for (int k = layer.lower[2]; k < layer.upper[2]; ++k) {
    for (int i = layer.lower[0]; i < layer.upper[0]; ++i) work(i, k);
  }
}

FaceQuantity formula(const std::string& text) {
  FaceQuantity quantity;
  quantity.code = on_device("formula", Formula(text, "xyzt").code());
  return quantity;
}

FaceQuantity product(const std::string& text) {
  const VariableBounds variables{Bounds{0, 1}, Bounds{0, 1}, Bounds{0, 2}, Bounds{0, 9}, Bounds{}};
  FaceQuantity quantity;
  const auto factors = *separated(Formula(text, "xyzt").code(), variables);
  for (std::size_t axis = 0; axis < 3; ++axis)
    quantity.factors[axis] = on_device("factor", factors[axis]);
  return quantity;
}

template <class Real>
class ChangingFacesOf : public testing::Test {
 protected:
  ChangingFacesOf() : boundary_(owned, {side}) {
    boundary_.set(0, std::vector<AffineGhost>(static_cast<std::size_t>(layer.size()), {7, 8}));
  }
  PartOfSide part() const {
    return {.layer = layer,
            .faces = patch,
            .coordinates = coordinates(),
            .owners = on_device("owners", std::vector<std::uint16_t>{}),
            .h = h,
            .conductivity = on_device("K", std::vector<double>{3.0})};
  }
  void evaluate(const ChangingFaces<Real>& faces, double time, std::int32_t number = 0) {
    faces.evaluate(comm::Space(), time, boundary_.changing_faces(0), findings_.view(), number);
    comm::Space().fence("test");
  }
  std::vector<Affine<Real>> conditions() const { return from_device(faces().conditions); }
  std::vector<FaceBalance> balances() const { return from_device(faces().balances); }
  void expect(const std::function<Affine<Real>(int i, int k)>& inside) const {
    const auto all = conditions();
    for_faces([&](int i, int k) {
      const auto expected = patch.contains(i, 7, k) ? inside(i, k) : Affine<Real>{7, 8};
      const auto& found = all[place_in(layer, i, k)];
      EXPECT_EQ(found.alpha, expected.alpha) << i << " " << k;
      EXPECT_NEAR(
          static_cast<double>(found.beta), static_cast<double>(expected.beta),
          8 * std::numeric_limits<Real>::epsilon() * std::abs(static_cast<double>(expected.beta)));
    });
  }

  Boundary<Real> boundary_;
  FaceFindings findings_;

 private:
  typename Boundary<Real>::Faces faces() const { return boundary_.changing_faces(0); }
  template <class Value>
  static std::vector<Value> from_device(const Value* data) {
    std::vector<Value> values(static_cast<std::size_t>(layer.size()));
    Kokkos::deep_copy(HostSpan<Value>(values.data(), values.size()),
                      DeviceSpan<const Value>(data, values.size()));
    return values;
  }
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(ChangingFacesOf, Reals);

TYPED_TEST(ChangingFacesOf, FixedTemperaturesAreTheFormulasAndProductsOfThem) {
  const std::string text = "300 + 10*x*z*t", as_product = "300*exp(-((x - 0.1*t)^2 + (z - 1)^2))";
  auto part = this->part();
  part.fixed = true;
  const ChangingFaces<TypeParam> by_code(part, {formula(text)});
  const ChangingFaces<TypeParam> by_factors(part, {product(as_product)});
  for (const double time : {0.0, 2.5}) {
    for (const auto& [faces, of] :
         {std::pair(&by_code, text), std::pair(&by_factors, as_product)}) {
      const Formula expected(of, "xyzt");
      this->evaluate(*faces, time);
      this->expect([&](int i, int k) {
        return rounded<TypeParam>(dirichlet(expected({at(0, i), 0.7, at(2, k)}, time)));
      });
    }
  }
  EXPECT_FALSE(this->findings_.failure(comm::Space()).found);
}

TYPED_TEST(ChangingFacesOf, FlowsAreOfNumbersListsAndFormulas) {
  auto part = this->part();
  const auto count = static_cast<std::size_t>(patch.size());
  std::vector<double> conductivity(count), coefficient(count);
  for (std::size_t n = 0; n < count; ++n) {
    conductivity[n] = 1 + 0.1 * static_cast<double>(n);
    coefficient[n] = n % 3 == 0 ? 0.0 : 5.0 * static_cast<double>(n);
  }
  part.conductivity = on_device("K", conductivity);
  FaceQuantity list, ambient;
  list.values = on_device("coefficient", coefficient);
  ChangingFaces<TypeParam> faces(part, {formula("1e3*sin(t + x)"), list, ambient});
  faces.set_number(2, 290);
  this->evaluate(faces, 1.5);
  this->expect([&](int i, int k) {
    const auto n = place_in(patch, i, k);
    return rounded<TypeParam>(
        ghost_of({1e3 * std::sin(1.5 + at(0, i)), coefficient[n], 290}, conductivity[n], h));
  });
  const auto bounds = this->findings_.bounds(comm::Space());
  EXPECT_LE(bounds.lowest(), 290.0 + 1e3 / 5);
  EXPECT_EQ(bounds.highest(), std::numeric_limits<double>::infinity());  // a flux alone, inwards
}

TYPED_TEST(ChangingFacesOf, FacesThatBalanceGetTheirFlows) {
  auto part = this->part();
  part.balances = true;
  this->boundary_.set_balances(
      0, std::vector<FaceBalance>(static_cast<std::size_t>(layer.size()), {1, 2, 3, 4}));
  FaceQuantity none, emissivity, surroundings;
  emissivity.number = 0.7;
  surroundings.number = 400;
  const ChangingFaces<TypeParam> faces(part,
                                       {formula("x*t"), none, none, emissivity, surroundings});
  this->evaluate(faces, 4);
  const auto all = this->balances();
  for_faces([&](int i, int k) {
    const auto expected = patch.contains(i, 7, k)
                              ? face_balance({at(0, i) * 4, 0, 0, 0.7, 400}, 2 * 3.0 / h)
                              : FaceBalance{1, 2, 3, 4};
    const auto& found = all[place_in(layer, i, k)];
    EXPECT_EQ(found.half, expected.half);
    EXPECT_EQ(found.gain, expected.gain);
    EXPECT_EQ(found.radiated, expected.radiated);
  });
  EXPECT_EQ(this->findings_.bounds(comm::Space()).lowest(), 400);
}

TYPED_TEST(ChangingFacesOf, OthersFacesAreLeftAlone) {
  auto part = this->part();
  part.fixed = true;
  std::vector<std::uint16_t> owners(static_cast<std::size_t>(layer.size()), 2);
  owners[place_in(layer, 5, 8)] = 1;
  part.owners = on_device("owners", owners);
  part.owner = 2;
  this->evaluate(ChangingFaces<TypeParam>(part, {formula("x < 0.55 && x > 0.45 ? 1/(t - t) : 5")}),
                 1);
  const auto all = this->conditions();
  EXPECT_EQ(all[place_in(layer, 5, 8)].alpha, TypeParam(7));
  EXPECT_EQ(all[place_in(layer, 6, 8)].alpha, TypeParam(-1));
  const auto failure = this->findings_.failure(comm::Space());
  ASSERT_TRUE(failure.found);
  EXPECT_EQ(failure.place[0], 5);
  EXPECT_EQ(failure.place[2], 6);  // the first that is its own
}

TYPED_TEST(ChangingFacesOf, TheFirstFailureIsKept) {
  auto part = this->part();
  FaceQuantity flux, ambient, coefficient = formula("t < 1 ? 1 : z - 0.85");
  coefficient.least = 0;
  const ChangingFaces<TypeParam> faces(part, {flux, coefficient, ambient});
  this->evaluate(faces, 0);
  EXPECT_FALSE(this->findings_.failure(comm::Space()).found);
  this->evaluate(faces, 2, 3);
  this->evaluate(faces, 3, 4);  // a later one does not count
  const auto failure = this->findings_.failure(comm::Space());
  ASSERT_TRUE(failure.found);
  EXPECT_EQ(failure.time, 2);
  EXPECT_EQ(failure.part, 3 * most_face_quantities + 1);
  EXPECT_NEAR(failure.value, 0.6 - 0.85, 1e-12);
  EXPECT_EQ(failure.place[0], 4);
  EXPECT_EQ(failure.place[1], 7);
  EXPECT_EQ(failure.place[2], 6);
}

}  // namespace
}  // namespace halotherm::solver
