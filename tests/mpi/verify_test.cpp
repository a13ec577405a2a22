// SPDX-License-Identifier: MIT
// Each kind of claim holds, and fails when an error is seeded.
#include "app/verify/verify.hpp"

#include "app/verify/ghost_cells.hpp"
#include "app/verify/invariants.hpp"
#include "app/verify/orders.hpp"
#include "app/verify/trial.hpp"
#include "comm/mpi/error.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace halotherm::app {
namespace {

using test::world;

const VerifiedMethod& method(const std::string& name) {
  return *std::ranges::find_if(verified_methods(),
                               [&](const auto& one) { return one.name == name; });
}

TEST(Verify, a_wrong_exact_temperature_fails_the_order) {
  for (const int dimensions : {1, 2}) {
    const SpaceStudy study{&method("euler"), {dimensions, SideKind::temperature}};
    const auto right = study.problem.temperature();
    EXPECT_FALSE(measure_space(world(), study, right).failed());
    const auto claim = measure_space(world(), study, right + " + 0.05*x");
    EXPECT_TRUE(claim.failed()) << claim.measured;
    EXPECT_TRUE(measure_space(world(), study, "log(x - 2)").failed());
  }
}

TEST(Verify, a_method_of_first_order_fails_the_second) {
  const Manufactured problem{1, SideKind::temperature};
  auto claimed = method("euler");
  EXPECT_FALSE(measure_time(world(), claimed, problem).failed());
  claimed.time_order = 1.95;
  EXPECT_TRUE(measure_time(world(), claimed, problem).failed());
}

TEST(Verify, one_changed_bit_fails) {
  constexpr double two_bits = 1e-13;  // of a temperature around 300 K
  const Variant same{.name = "the same", .parallel = ""};
  const Variant changed{.name = "a changed value", .parallel = "", .change_last_value = two_bits};
  const auto claims = measure_same_bits(world(), "euler", {same, changed});
  EXPECT_FALSE(claims[0].failed());
  EXPECT_TRUE(claims[1].failed());
}

TEST(Verify, ghost_cells_that_nothing_fills_fail) {
  if (world().size() == 1) GTEST_SKIP() << "one rank has no neighbour";
  for (const auto kind : {comm::TransportKind::staged, comm::TransportKind::rma}) {
    EXPECT_FALSE(measure_ghost_cells(world(), kind, true).failed());
    EXPECT_TRUE(measure_ghost_cells(world(), kind, true, false).failed());
  }
}

TEST(Verify, a_wrong_exact_solution_fails) {
  for (auto exact : exact_cases()) {
    EXPECT_FALSE(measure_exact(world(), exact).failed()) << exact.name;
    exact.exact += " + 1e-3";
    EXPECT_TRUE(measure_exact(world(), exact).failed()) << exact.name;
  }
}

TEST(Verify, balances_close) {
  for (const auto& one : verified_methods())
    EXPECT_FALSE(measure_balance(world(), one.name).failed()) << one.name;
}

TEST(Verify, a_failed_claim_ends_with_5_on_every_rank) {
  VerifyRecord record;
  if (world().is_root())
    record.claims = {{.group = "order in time",
                      .name = "euler",
                      .measured = 1.6,
                      .required = Required::at_least,
                      .bound = 1.95}};
  try {
    require_passed(world(), record);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const comm::CollectiveError& error) {
    EXPECT_EQ(error.code(), comm::ExitCode::check_failed);
  }
  EXPECT_NO_THROW(require_passed(world(), {}));
}

}  // namespace
}  // namespace halotherm::app
