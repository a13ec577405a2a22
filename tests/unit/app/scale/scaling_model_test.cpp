// SPDX-License-Identifier: MIT
// Made-up machines that obey the model: it has to find their numbers again.
#include "app/scale/scaling_model.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

/// A GPU of 250 GCells/s that copies at 4 TB/s.
ScalingModel machine() {
  ScalingModel m;
  m.launches = 4e-6;
  m.cell = 4e-12;
  m.shell = 20e-12;
  m.packing = 1e-12;
  m.link = {10e-6, 200e9};
  m.seen = 0.1;
  return m;
}

/// What a study would measure there, of 512³ cells cut into slabs.
ScaleFacts measured(const ScalingModel& m, int ranks, double cells = 512.0 * 512 * 512) {
  ScaleFacts f;
  f.ranks = ranks;
  f.cells = cells / ranks;
  f.copy_rate = 4e12 * ranks;
  f.launches = m.launches;
  const double received = ranks > 1 ? 2.0 * 512 * 512 : 0;
  f.surface = received / f.cells;
  const auto p = predict_step(m, {f.cells, received, 8 * received, 0});
  f.computation = f.work_max = f.work_mean = p.work();
  f.step = f.step_low = f.step_high = p.step();
  if (ranks == 1) return f;
  f.message_bytes = 8 * received;
  f.latency = m.link.latency;
  f.messages = f.latency + f.message_bytes / m.link.bandwidth;
  f.exchange = p.exchange();
  return f;
}

std::vector<ScaleFacts> study(const ScalingModel& m, const std::vector<int>& counts) {
  std::vector<ScaleFacts> rows;
  for (const int ranks : counts) rows.push_back(measured(m, ranks));
  return rows;
}

TEST(ScalingModel, FindsTheMachineThatWasMeasured) {
  const auto m = machine();
  const auto found = fit_model(study(m, {1, 2, 4}));
  EXPECT_DOUBLE_EQ(found.launches, m.launches);
  EXPECT_NEAR(found.cell, m.cell, 1e-6 * m.cell);
  EXPECT_NEAR(found.shell, m.shell, 1e-6 * m.shell);
  EXPECT_NEAR(found.packing, m.packing, 1e-6 * m.packing);
  EXPECT_NEAR(found.link.latency, m.link.latency, 1e-12);
  EXPECT_NEAR(found.link.bandwidth, m.link.bandwidth, 1e3);
  EXPECT_NEAR(found.seen, m.seen, 1e-9);
  EXPECT_EQ(found.hiding, 1) << "no row has an exchange longer than its work";
}

TEST(ScalingModel, PredictsMoreRanksFromFewer) {
  const auto m = machine();
  const auto found = fit_model(study(m, {1, 2}));
  for (const int ranks : {4, 8, 64}) {
    const auto facts = measured(m, ranks);
    EXPECT_NEAR(predict_step(found, load_of(facts)).step(), facts.step, 1e-6 * facts.step) << ranks;
  }
}

TEST(ScalingModel, MemoryThatRanksShareSlowsTheCells) {
  auto rows = study(machine(), {1, 2});
  rows[1].copy_rate /= 2;  // no faster than one rank alone
  rows[1].computation += rows[1].cells * machine().cell;
  rows[1].step += rows[1].cells * machine().cell;
  const auto found = fit_model(rows);
  EXPECT_NEAR(found.cell, 2 * machine().cell, 1e-6 * machine().cell);
  for (const auto& row : rows) EXPECT_NEAR(predicted_again(found, rows, row), row.step, 1e-9);
  for (auto& row : rows) row.own_memory = true;
  EXPECT_NEAR(fit_model(rows).cell, machine().cell, 1e-6 * machine().cell)
      << "copies of small blocks may be slow for other reasons";
  EXPECT_NEAR(found.shell, machine().shell, 1e-6 * machine().shell);
}

TEST(ScalingModel, AnExchangeThatIsLongerThanTheWorkShows) {
  auto m = machine();
  m.link = {1e-3, 1e9};
  m.hiding = 0.5;
  const auto rows = study(m, {1, 2, 4});
  ASSERT_GT(rows[1].exchange, rows[1].work_mean);
  const auto found = fit_model(rows);
  EXPECT_NEAR(found.hiding, 0.5, 1e-9);
  const auto p = predict_step(found, load_of(rows[1]));
  EXPECT_NEAR(p.step(), rows[1].step, 1e-6 * rows[1].step);
  EXPECT_EQ(p.largest_loss(), Cause::link);
}

TEST(ScalingModel, OneRankAloneTellsOfItsWorkOnly) {
  const auto m = machine();
  const auto found = fit_model(study(m, {1}));
  EXPECT_NEAR(found.cell, m.cell, 1e-6 * m.cell);
  EXPECT_EQ(found.shell, 0);
  EXPECT_DOUBLE_EQ(found.packing, 1e-12) << "two copies of a byte, each read and written";
}

TEST(ScalingModel, TheSlowerLinkCounts) {
  const auto m = machine();
  const Load load{1e6, 4e4, 1e6, 1e5};
  const auto fast = predict_step(m, load, Link{1e-6, 100e9});
  EXPECT_DOUBLE_EQ(fast.latency, 10e-6);
  EXPECT_DOUBLE_EQ(fast.transfer, 1e6 / 200e9);
  const auto slow = predict_step(m, load, Link{100e-6, 2e9});
  EXPECT_DOUBLE_EQ(slow.latency, 100e-6);
  EXPECT_DOUBLE_EQ(slow.transfer, 1e5 / 2e9);
  EXPECT_EQ(slow.largest_loss(), Cause::latency);
  EXPECT_DOUBLE_EQ(predict_step(m, {1e6, 4e4, 0, 1e5}).transfer, 1e5 / 200e9)
      << "without a link between nodes the measured one";
}

TEST(ScalingModel, ASlowerLinkHidesBehindTheWorkThatIsLeft) {
  const auto m = machine();
  const Load load{
      1e8, 0, 0,
      1e6};  // 404 us of work; by the measured link the exchange takes 16 us, of which 1.6 are seen
  EXPECT_NEAR(predict_step(m, load).exposed, 1.6e-6, 1e-9);
  EXPECT_NEAR(predict_step(m, load, Link{300e-6, 200e9}).exposed, 1.6e-6, 1e-9)
      << "there is work enough";
  EXPECT_NEAR(predict_step(m, load, Link{1e-3, 200e9}).exposed,
              1.6e-6 + 990e-6 - (404e-6 - 14.4e-6), 1e-9);
  EXPECT_NEAR(predict_step(m, load, Link{1e-6, 400e9}).exposed, 0.1 * 4.5e-6, 1e-9)
      << "a faster one";
}

TEST(ScalingModel, DeepHalosPayWhereLatencyIsAllThereIs) {
  auto m = machine();
  m.link.latency = 1e-3;
  const Load small{32.0 * 32 * 32, 6.0 * 32 * 32, 8 * 6.0 * 32 * 32, 0};
  const double usual = predict_step(m, small).step();
  EXPECT_LT(step_with_halo_depth(m, small, std::nullopt, 2), 0.7 * usual);
  m.link = {1e-6, 1e12};
  m.shell = 0;
  const Load large{1e8, 6e5, 5e6, 0};
  EXPECT_GT(step_with_halo_depth(m, large, std::nullopt, 2), 0.999 * predict_step(m, large).step())
      << "it computes more cells";
  EXPECT_NEAR(step_with_halo_depth(m, large, std::nullopt, 1), predict_step(m, large).step(),
              1e-15);
}

TEST(ScalingModel, MessagesThatWaitForAnAnswerHideTheirRequestOnly) {
  const auto m = machine();
  const Load load{.cells = 1e8, .far_bytes = 1e6, .far_message = 1e6};
  const auto usual = predict_step(m, load);
  const auto at_once =
      predict_step(m, load, Link{.latency = 100e-6, .bandwidth = 20e9, .at_once = 1e6});
  const auto answered =
      predict_step(m, load, Link{.latency = 100e-6, .bandwidth = 20e9, .at_once = 999999});
  EXPECT_DOUBLE_EQ(at_once.exposed, usual.exposed) << "404 us of work hide it";
  EXPECT_DOUBLE_EQ(answered.latency, 300e-6);
  EXPECT_NEAR(answered.exposed, usual.exposed + (answered.exchange() - usual.exchange()) - 100e-6,
              1e-12);
}

TEST(ScalingModel, MoreMayBeSeenThanTheExchangeTakesAlone) {
  auto m = machine();
  m.seen = 1.5;
  const auto rows = study(m, {1, 2});
  const auto found = fit_model(rows);
  EXPECT_NEAR(found.seen, 1.5, 1e-9);
  EXPECT_NEAR(predicted_again(found, rows, rows[1]), rows[1].step, 1e-9 * rows[1].step);
}

}  // namespace
}  // namespace halotherm::app
