// SPDX-License-Identifier: MIT
#include "app/problem/region_shape.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

bool contains(const RegionShape& shape, double x, double y, double z) {
  return shape.reaches(0, x) && shape.reaches(1, y) && shape.reaches(2, z) &&
         shape.contains(x, y, z);
}

/// A region of one shape.
template <class Shape>
RegionConfig region_of(std::optional<Shape> RegionConfig::*member, const Shape& shape) {
  RegionConfig region;
  region.*member = shape;
  return region;
}

TEST(RegionShapeOf, AnUnlimitedRegionIsEverywhere) {
  const RegionShape shape(RegionConfig{});
  EXPECT_FALSE(shape.limited());
  EXPECT_TRUE(contains(shape, -1e9, 0, 1e9));
}

TEST(RegionShapeOf, LowerEndsBelongToABoxAndUpperEndsDoNot) {
  const RegionShape shape(region_of(&RegionConfig::box, BoxConfig{{0, 1, 2}, {1, 2, 3}}));
  EXPECT_TRUE(contains(shape, 0, 1, 2));
  EXPECT_TRUE(contains(shape, 0.5, 1.999, 2.5));
  EXPECT_FALSE(contains(shape, 1, 1.5, 2.5));
  EXPECT_FALSE(contains(shape, 0.5, 0.999, 2.5));
}

TEST(RegionShapeOf, ACylinderHasEndsAlongItsAxisOnly) {
  const CylinderConfig cylinder{
      .axis = Axis::y, .center = {1, 77, 2}, .radius = 0.5, .from = 3.0, .to = {}};
  const RegionShape shape(region_of(&RegionConfig::cylinder, cylinder));
  EXPECT_TRUE(contains(shape, 1.5, 3, 2)) << "on its surface";
  EXPECT_TRUE(contains(shape, 1.3, 1e6, 2.3));
  EXPECT_FALSE(contains(shape, 1.4, 5, 2.4)) << "in a corner of the square around it";
  EXPECT_FALSE(contains(shape, 1, 2.9, 2));
}

TEST(RegionShapeOf, SpheresAndCylindersOfPlaneGridsAreDiscs) {
  const CylinderConfig disc{.axis = Axis::z, .center = {1, 2}, .radius = 0.5, .from = {}, .to = {}};
  const RegionShape sphere(region_of(&RegionConfig::sphere, SphereConfig{{1, 2}, 0.5})),
      cylinder(region_of(&RegionConfig::cylinder, disc));
  for (const auto* shape : {&sphere, &cylinder}) {
    EXPECT_TRUE(contains(*shape, 1.3, 2.4, 0)) << "the coordinate of the missing axis is 0";
    EXPECT_FALSE(contains(*shape, 1.4, 2.4, 0));
  }
}

TEST(RegionShapeOf, ALayerLiesAcrossItsAxis) {
  const RegionShape shape(region_of(&RegionConfig::layer, LayerConfig{Axis::x, 1, 2}));
  EXPECT_TRUE(contains(shape, 1, -5, 7));
  EXPECT_FALSE(contains(shape, 2, -5, 7));
}

}  // namespace
}  // namespace halotherm::app
