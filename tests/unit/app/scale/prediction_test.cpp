// SPDX-License-Identifier: MIT
// From a study's JSON to predictions of it.
#include "app/scale/prediction.hpp"

#include "tests/support/error_text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace halotherm::app {
namespace {

using test::expect_part;
using test::usage_error;

using Json = nlohmann::json;

Json value(double median) {
  return {{"median", median},
          {"low", 0.99 * median},
          {"high", 1.01 * median},
          {"samples", {median, 1.01 * median}}};
}

/// 64³ cells on 1 and 2 ranks of 1 GCells/s, an exchange of 10 µs and 32768 bytes at 10 GB/s of
/// which nothing is seen.
Json row(int ranks) {
  const double cells = 64.0 * 64 * 64 / ranks;
  const bool alone = ranks == 1;
  Json row{{"ranks", ranks},
           {"cells_per_rank", cells},
           {"step_s", value(1e-9 * cells)},
           {"computation_s", value(1e-9 * cells)},
           {"launches_s", 1e-7},
           {"oversubscription", 1.0},
           {"processor_share", value(1)},
           {"copy_bytes_per_s", value(10e9 * ranks)},
           {"work_max_s", value(1e-9 * cells)},
           {"work_mean_s", value(1e-9 * cells)}};
  row["exchange"] = {{"messages_per_step", alone ? 0 : 2},
                     {"received_over_owned_cells", alone ? 0.0 : 64 * 64 / cells},
                     {"bytes_of_busiest_rank", alone ? 0 : 32768},
                     {"messages_s", alone ? 0.0 : 13.2768e-6},
                     {"latency_s", alone ? 0.0 : 10e-6},
                     {"alone_s", value(alone ? 1e-9 : 14e-6)}};
  return row;
}

Json study(const std::string& kind = "strong") {
  Json json{{"kind", kind},
            {"device", "a device"},
            {"own_memory", true},
            {"places", {{{"host", "a"}}, {{"host", "a"}}, {{"host", "b"}}, {{"host", "b"}}}},
            {"results", {row(1), row(2)}}};
  json["config"] =
      "grid: {cells: [64, 64, 64], upper: [1, 1, 1]}\n"
      "material: {conductivity: 2, density: 3, heat_capacity: 4}\n"
      "initial: {temperature: 300}\ntime: {steps: 10}\n";
  return json;
}

Prediction predict_nodes(const Json& json, std::vector<int> nodes,
                         std::optional<Link> link = std::nullopt) {
  PredictOptions options;
  options.nodes = std::move(nodes);
  options.link = link;
  return predict(parse_study(json.dump(), "study.json"), options);
}

TEST(Prediction, TakesTheStudyAsItIs) {
  const auto p = predict_nodes(study(), {1, 2});
  EXPECT_EQ(p.ranks_per_node, 2);
  EXPECT_NEAR(p.model.link.latency, 10e-6, 1e-12);
  EXPECT_NEAR(p.model.link.bandwidth, 10e9, 1e6);
  ASSERT_EQ(p.errors.size(), 2u);
  for (const auto& error : p.errors)
    EXPECT_NEAR(error.predicted, error.measured, 1e-3 * error.measured) << error.ranks;
  ASSERT_EQ(p.rows.size(), 2u);
  EXPECT_EQ(p.rows[1].ranks, 4);
  EXPECT_EQ(p.rows[1].blocks, (comm::Int3{1, 2, 2}));
  EXPECT_DOUBLE_EQ(p.rows[1].load.cells, 64.0 * 32 * 32);
  EXPECT_DOUBLE_EQ(p.rows[1].load.near_bytes, 8 * 64 * 32)
      << "the neighbour across y is in the same node";
  EXPECT_DOUBLE_EQ(p.rows[1].load.far_bytes, 8 * 64 * 32);
  EXPECT_NEAR(p.rows[1].efficiency, 1, 2e-3);
}

TEST(Prediction, StrongScalingEndsWhereTheLinkIsSlow) {
  const auto p = predict_nodes(study(), {64}, Link{1e-3, 1e9});
  EXPECT_GT(p.rows[0].step.step(), 0.9e-3);
  EXPECT_EQ(p.rows[0].step.largest_loss(), Cause::latency);
  EXPECT_GT(p.rows[0].best_depth, 1);
  const auto text = prediction_text(p);
  EXPECT_NE(text.find("strong scaling ends at"), std::string::npos) << text;
  EXPECT_NE(text.find("1 rank "), std::string::npos) << text;
  const auto json = Json::parse(prediction_json(p));
  EXPECT_EQ(json["predictions"][0]["nodes"], 64);
  EXPECT_GT(json["predictions"][0]["exposed_s"], 0.9e-3);
  EXPECT_EQ(json["errors"].size(), 2u);
  EXPECT_GT(json["scan"].size(), 10u);
}

TEST(Prediction, WeakStudiesGrow) {
  auto json = study("weak");
  json["results"][1]["cells_per_rank"] = 64 * 64 * 64;
  for (const char* key : {"step_s", "computation_s", "work_max_s", "work_mean_s"})
    json["results"][1][key] = value(1e-9 * 64 * 64 * 64);
  const auto p = predict_nodes(json, {1, 4000});
  EXPECT_EQ(p.rows[1].ranks, 8000);
  EXPECT_DOUBLE_EQ(p.rows[1].load.cells, 64.0 * 64 * 64);
  EXPECT_DOUBLE_EQ(p.rows[1].load.received, 6.0 * 64 * 64);
  EXPECT_GE(p.rows[1].load.near_bytes + p.rows[1].load.far_bytes, 8 * 6.0 * 64 * 64)
      << "the most of each, of any rank";
  EXPECT_NEAR(p.rows[1].efficiency, 1, 0.02);
}

TEST(Prediction, MistakesAreNamed) {
  expect_part(usage_error([] { parse_study("{}", "f.json"); }),
              "f.json: is no result of a scaling study");
  expect_part(usage_error([] { parse_study("no JSON", "f.json"); }), "is no result");
  auto bad = study();
  bad["results"][1]["step_s"]["median"] = 0;
  expect_part(usage_error([&] { parse_study(bad.dump(), "f.json"); }), "step_s is 0");
  bad = study("odd");
  expect_part(usage_error([&] { parse_study(bad.dump(), "f.json"); }), "'odd'");
  auto alone = study();
  alone["results"].erase(1);
  expect_part(usage_error([&] { predict_nodes(alone, {4}); }), "give --link");
  EXPECT_NE(predict_nodes(alone, {4}, Link{1e-6, 1e9}).rows[0].step.exchange(), 0);
  expect_part(usage_error([] { predict_nodes(study(), {100000}); }), "at most 131072 ranks");
  expect_part(usage_error([] { predict_nodes(study(), {65521}); }), "cannot cut");
}

}  // namespace
}  // namespace halotherm::app
