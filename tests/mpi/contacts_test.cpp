// SPDX-License-Identifier: MIT
// The area of contacts between materials: the same for every partition.
#include "app/problem/contacts.hpp"

#include "app/domain/geometry.hpp"
#include "app/problem/region_census.hpp"
#include "app/problem/region_quantities.hpp"
#include "comm/mpi/error.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using test::world;

const std::string head = R"yaml(
initial: {temperature: 300}
time: {steps: 1}
materials:
  a: {conductivity: 1, density: 2, heat_capacity: 3}
  b: {conductivity: 4, density: 2, heat_capacity: 3}
  c: {conductivity: 5, density: 2, heat_capacity: 3}
)yaml";

/// A block of b on the floor of a, and c above both.
const std::string shapes = R"yaml(
regions:
  - {material: a}
  - {material: b, box: {lower: [0.3, 0.2, 0], upper: [0.7, 0.5, 0.4]}}
  - {material: c, layer: {axis: z, from: 0.4, to: 1}}
)yaml";

const std::string even = "grid: {cells: [12, 10, 8], upper: [1.2, 1, 0.8]}\n";
const std::string uneven =
    "grid: {x: {faces: [0, 0.3, 0.35, 0.7, 1.2]}, y: {faces: [0, 0.2, 0.5, 0.9, 1]}, "
    "z: {faces: [0, 0.1, 0.4, 0.7, 0.8]}}\n";

ContactCensus census_of(const std::string& text) {
  const auto config = parse_config(head + text, "test", {});
  const auto owned = make_partition(config, world().size()).owned(world().rank());
  return count_contacts(make_field_sampler(world(), config), config, owned, 1e9);
}

TEST(Contacts, HaveTheAreaOfTheFacesBetweenTheirMaterials) {
  const std::string contacts =
      "contacts: [{between: [b, a], resistance: 1e-3}, {between: [b, c], resistance: 0}, "
      "{between: [a, c], resistance: 2}]\n";
  for (const auto& grid : {even, uneven}) {
    const auto census = census_of(grid + shapes + contacts);
    ASSERT_EQ(census.contacts.size(), 3U);
    EXPECT_EQ(census.counted, 1);
    EXPECT_EQ(census.contacts[0].between, "b, a");
    EXPECT_NEAR(census.contacts[0].area, 0.4 * (2 * 0.4 + 2 * 0.3), 1e-14);
    EXPECT_NEAR(census.contacts[1].area, 0.4 * 0.3, 1e-14);
    EXPECT_NEAR(census.contacts[2].area, 1.2 - 0.4 * 0.3, 1e-14);
    EXPECT_NE(to_string(census).find("b, a"), std::string::npos);
  }
}

TEST(Contacts, GoAcrossPeriodicSidesAndNotAcrossOthers) {
  const std::string contacts = "contacts: [{between: [a, c], resistance: 1}]\n";
  const std::string layer =
      "regions: [{material: a}, {material: b, layer: {axis: x, from: 0, to: 0.1}}, "
      "{material: c, layer: {axis: z, from: 0.4, to: 0.8}}]\n";
  EXPECT_NEAR(census_of(even + layer + contacts).contacts[0].area, 1.1, 1e-14);
  EXPECT_NEAR(census_of(even + layer + contacts + "sides: {z: periodic}\n").contacts[0].area, 2.2,
              1e-14);
}

TEST(Contacts, AreRefusedWhereMaterialsDoNotTouch) {
  const auto config = parse_config(
      head + even +
          "regions: [{material: a}, {material: b, layer: {axis: x, from: 0, to: 0.3}}, "
          "{material: c, layer: {axis: x, from: 0.6, to: 0.9}}]\n"
          "contacts: [{between: [a, b], resistance: 1}, {between: [c, b], resistance: 1}]\n",
      "test", {});
  const auto owned = make_partition(config, world().size()).owned(world().rank());
  try {
    (void)with_source_densities(make_field_sampler(world(), config), config, owned);
    FAIL();
  } catch (const comm::CollectiveError& error) {
    test::expect_part(error.what(), "contacts[1]: c, b have no face in common");
  }
}

TEST(Contacts, OfCellsAreThoseAboveZero) {
  const auto config = parse_config(
      head + even + shapes +
          "contacts: [{between: [b, a], resistance: 1e-3}, {between: [b, c], resistance: 0}]\n",
      "test", {});
  const auto materials = std::make_shared<const Owners>(Owners{0, 1, 2, void_owner});
  const auto contacts = contacts_of(config, materials);
  ASSERT_EQ(contacts.pairs.size(), 1U);
  EXPECT_EQ(contacts.between(0, 1), 1e-3);
  EXPECT_EQ(contacts.between(1, 0), 1e-3);
  EXPECT_EQ(contacts.between(1, 2), 0);
  EXPECT_EQ(contacts.between(1, 3), 0);
  EXPECT_EQ(contacts.between(1, 1), 0);
}

}  // namespace
}  // namespace halotherm::app
