// SPDX-License-Identifier: MIT
#include "app/domain/domain.hpp"

#include "app/domain/geometry.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

namespace halotherm::app {
namespace {

using test::world;

Config config_of(const std::string& cells, const std::string& halo) {
  return parse_config("grid: {cells: " + cells +
                          ", upper: [1, 1, 1]}\n"
                          "materials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
                          "initial: {temperature: 0}\ntime: {steps: 1}\n"
                          "sides: {y: periodic}\nparallel: {halo: " +
                          halo + "}\n",
                      "test", {});
}

Domain<double> domain_of(const Config& config) {
  return {world(), config, make_partition(config, world().size())};
}

/// A number that no other cell of the grid has.
double number_of(const Domain<double>& domain, int i, int j, int k) {
  return i + 1e3 * j + 1e6 * k + 1e9 * domain.grid.cells[0];
}

/// Whether an exchange brings every ghost cell that has an owner its owner's number.
void expect_exchange(Domain<double>& domain) {
  auto field = domain.field("numbers");
  std::vector<double> values;
  for (int k = domain.owned.lower[2]; k < domain.owned.upper[2]; ++k)
    for (int j = domain.owned.lower[1]; j < domain.owned.upper[1]; ++j)
      for (int i = domain.owned.lower[0]; i < domain.owned.upper[0]; ++i)
        values.push_back(number_of(domain, i, j, k));
  solver::copy_from_host<double>(values, domain.owned, field);
  const comm::Streams streams;
  auto pending = domain.halo.start(streams, field.view());
  [[maybe_unused]] const auto ghosted = std::move(pending).finish();
  streams.fence();
  for (const auto& message : domain.halo.plan().messages) {
    const auto& box = message.receive;
    std::vector<double> received(static_cast<std::size_t>(box.size()));
    solver::copy_to_host<double>(field, box, received);
    const int ny = domain.grid.cells[1];
    EXPECT_EQ(received.front(),
              number_of(domain, box.lower[0], (box.lower[1] + ny) % ny, box.lower[2]));
    EXPECT_EQ(received.back(),
              number_of(domain, box.upper[0] - 1, (box.upper[1] - 1 + ny) % ny, box.upper[2] - 1));
  }
}

// whoever has a domain may exchange its ghost cells, and change nothing else
using Any = Domain<double>;
static_assert(std::is_const_v<decltype(Any::grid)> && std::is_const_v<decltype(Any::partition)> &&
              std::is_const_v<decltype(Any::owned)> && std::is_const_v<decltype(Any::ghosts)> &&
              std::is_const_v<decltype(Any::settings)> && std::is_const_v<decltype(Any::shell)> &&
              std::is_const_v<decltype(Any::interior)> &&
              std::is_const_v<decltype(Any::transport)>);

TEST(DomainOf, InteriorAndShellAreTheBlock) {
  const auto domain = domain_of(config_of("[24, 20, 16]", "1"));
  EXPECT_EQ(domain.interior.cells() + domain.shell.cells(), domain.owned.size());
  EXPECT_EQ(domain.ghosts, (comm::Int3{1, 1, 1}));
  EXPECT_EQ(world().sum(domain.owned.size()), domain.grid.cell_count());
  EXPECT_EQ(domain.shell.empty(), domain.halo.plan().messages.empty());
}

TEST(DomainOf, ACoarserOneHasItsOwnExchange) {
  for (const auto* halo : {"1", "2"}) {
    auto domain = domain_of(config_of("[24, 20, 16]", halo));
    auto coarse = domain.coarsened({2, 2, 2});
    ASSERT_TRUE(coarse);
    EXPECT_EQ(coarse->grid.cells, (comm::Int3{12, 10, 8}));
    EXPECT_EQ(coarse->grid.spacing(0), 2 * domain.grid.spacing(0));
    EXPECT_EQ(world().sum(coarse->owned.size()), coarse->grid.cell_count());
    EXPECT_EQ(coarse->partition.dims(), domain.partition.dims());
    EXPECT_EQ(coarse->halo.plan().messages.size(), domain.halo.plan().messages.size());
    expect_exchange(domain);
    expect_exchange(*coarse);
  }
}

TEST(DomainOf, SomeAxesOnlyAreCoarsened) {
  auto coarse = domain_of(config_of("[24, 15, 16]", "1")).coarsened({1, 1, 4});
  ASSERT_TRUE(coarse);
  EXPECT_EQ(coarse->grid.cells, (comm::Int3{24, 15, 4}));
  expect_exchange(*coarse);
}

TEST(DomainOf, IsNotCoarsenedWhereThatCannotBe) {
  EXPECT_FALSE(domain_of(config_of("[24, 15, 16]", "1")).coarsened({2, 2, 2})) << "an odd axis";
  const auto thin = domain_of(config_of("[24, 20, 16]", "4")).coarsened({8, 1, 1});
  EXPECT_EQ(thin.has_value(), world().size() == 1) << "blocks thinner than the halo";
}

}  // namespace
}  // namespace halotherm::app
