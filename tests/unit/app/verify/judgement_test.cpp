// SPDX-License-Identifier: MIT
#include "app/verify/judgement.hpp"

#include "app/verify/orders.hpp"
#include "app/verify/verify_report.hpp"
#include "tests/support/error_text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <set>

namespace halotherm::app {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

Claim order(double measured, double bound) {
  return {.group = "order in space",
          .name = "2-D, euler, flux, constant",
          .measured = measured,
          .required = Required::at_least,
          .bound = bound,
          .row = "2-D  euler",
          .column = "flux",
          .coefficients = "constant"};
}
Claim residue(double measured, double bound) {
  return {.group = "energy balance", .name = "euler", .measured = measured, .bound = bound};
}

TEST(Judgement, too_low_an_order_fails) {
  EXPECT_TRUE(order(1.6, 1.95).failed());
  EXPECT_TRUE(order(1.9499, 1.95).failed());
  EXPECT_FALSE(order(1.95, 1.95).failed());
}

TEST(Judgement, too_large_a_residue_fails) {
  EXPECT_TRUE(residue(2e-11, 1e-11).failed());
  EXPECT_TRUE(residue(1, 0).failed());
  EXPECT_FALSE(residue(0, 0).failed());
}

TEST(Judgement, what_is_no_number_fails) {
  EXPECT_TRUE(order(no_number, 1.9).failed());
  EXPECT_TRUE(order(infinite, 1.9).failed());
  EXPECT_TRUE(residue(no_number, 1e-11).failed());
}

TEST(Judgement, what_is_unavailable_is_neither_measured_nor_failed) {
  auto claim = residue(no_number, 0);
  claim.impossible = "no CUDA";
  EXPECT_FALSE(claim.failed());
  EXPECT_FALSE(claim.was_measured());
}

TEST(Judgement, orders_follow_from_errors) {
  EXPECT_DOUBLE_EQ(observed_order(4e-3, 1e-3, 2), 2);
  EXPECT_DOUBLE_EQ(observed_order(2e-3, 1e-3, 2), 1);
  for (const double unusable : {0.0, -1e-3, no_number, infinite}) {
    EXPECT_TRUE(std::isnan(observed_order(unusable, 1e-3, 2)));
    EXPECT_TRUE(std::isnan(observed_order(1e-3, unusable, 2)));
  }
}

TEST(Judgement, the_first_failure_is_the_error) {
  VerifyRecord record;
  record.claims = {residue(0, 1e-11), order(1.98, 1.9)};
  EXPECT_FALSE(what_failed(record));
  record.claims.push_back(order(1.6, 1.95));
  record.claims.push_back(residue(1, 1e-11));
  const auto text = what_failed(record);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->problem,
            "2 of 4 claims failed, first: order in space: 2-D, euler, flux, constant");
  EXPECT_EQ(text->reason, "1.6 was measured, at least 1.95 is required");
}

TEST(Judgement, the_table_shows_the_worst_of_a_place_and_lists_failures) {
  VerifyRecord record;
  record.claims = {order(1.98, 1.9), order(1.91, 1.9)};
  EXPECT_NE(verify_text(record).find("1.91\n"), std::string::npos);
  record.claims.push_back(order(1.6, 1.9));
  record.claims.push_back(order(1.7, 1.9));
  const auto text = verify_text(record);
  EXPECT_NE(text.find("1.60 FAIL"), std::string::npos) << text;
  EXPECT_NE(text.find("FAIL  2-D, euler, flux, constant"), std::string::npos) << text;
  EXPECT_NE(text.find("2 of 4 claims hold"), std::string::npos) << text;
}

TEST(Judgement, json_has_each_claim) {
  VerifyRecord record{.quick = true, .ranks = 2, .claims = {order(no_number, 1.9)}};
  const auto json = nlohmann::json::parse(verify_json(record, {{}, {}, {}}));
  EXPECT_EQ(json["passed"], false);
  EXPECT_EQ(json["claims"][0]["verdict"], "failed");
  EXPECT_TRUE(json["claims"][0]["measured"].is_null());
  EXPECT_EQ(json["claims"][0]["bound"], 1.9);
}

/// Which words of a study occur in each dimension.
std::set<std::string> words(bool quick) {
  std::set<std::string> found;
  for (const auto& [method, problem] : space_studies(quick)) {
    const auto dimensions = std::to_string(problem.dimensions) + " ";
    found.insert(dimensions + method->name);
    found.insert(dimensions + std::string(name_of(problem.sides)));
    found.insert(dimensions + std::string(name_of(problem.coefficients)));
  }
  return found;
}

TEST(Studies, quick_ones_have_every_method_side_and_coefficient_in_each_dimension) {
  EXPECT_EQ(words(true), words(false));
  EXPECT_EQ(words(false).size(), 3 * (verified_methods().size() + 6 + 6));
  EXPECT_LT(space_studies(true).size(), space_studies(false).size() / 5);
}

TEST(Studies, steady_problems_are_anchored) {
  for (const auto& [method, problem] : space_studies(false)) {
    EXPECT_TRUE(problem.is_anchored() || method->time_order > 0);
  }
}

}  // namespace
}  // namespace halotherm::app
