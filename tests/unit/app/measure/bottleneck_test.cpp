// SPDX-License-Identifier: MIT
// Made-up measurements, each with one thing wrong.
#include "app/measure/bottleneck.hpp"
#include "app/measure/bottleneck_text.hpp"
#include "app/probe/probe_json.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace halotherm::app {
namespace {

constexpr double ms = 1e-3;

/// 8 ms on a rank, and nothing wrong.
ScaleFacts perfect(int ranks, ScaleKind kind = ScaleKind::strong) {
  const double step = kind == ScaleKind::strong ? 8 * ms / ranks : 8 * ms;
  ScaleFacts f;
  f.ranks = ranks;
  f.step = f.step_low = f.step_high = f.computation = f.work_max = f.work_mean = step;
  f.launches = 0.01 * ms;
  f.copy_rate = 10e9 * ranks;
  f.cells = 1e6 / ranks;
  if (ranks == 1) return f;
  f.exchange = 0.1 * ms;
  f.messages = 0.08 * ms;
  f.latency = 0.01 * ms;
  f.message_bytes = 1e5;
  f.surface = 0.02;
  return f;
}

/// Which computes for longer, on all ranks alike.
ScaleFacts slower(ScaleFacts f, double seconds) {
  for (double* time :
       {&f.step, &f.step_low, &f.step_high, &f.computation, &f.work_max, &f.work_mean})
    *time += seconds;
  return f;
}

/// An exchange of which so much is not hidden.
ScaleFacts exposed(ScaleFacts f, double seconds) {
  for (double* time : {&f.step, &f.step_low, &f.step_high}) *time += seconds;
  return f;
}

Bottleneck find(const ScaleFacts& facts, ScaleKind kind = ScaleKind::strong) {
  return find_bottleneck(kind, perfect(1, kind), facts);
}

void expect_named(const ScaleFacts& facts, Cause cause, double seconds,
                  ScaleKind kind = ScaleKind::strong) {
  const auto b = find(facts, kind);
  EXPECT_EQ(b.verdict, Verdict::named);
  EXPECT_EQ(name_of(b.cause), name_of(cause));
  EXPECT_NEAR(b.part(cause), seconds, 0.02 * seconds) << name_of(cause);
  EXPECT_NEAR(b.unexplained + std::accumulate(b.parts.begin(), b.parts.end(), 0.0), b.lost, 1e-12);
  const auto text = to_string(b, kind, perfect(1, kind), facts);
  EXPECT_NE(text.find(std::string(name_of(cause)) + ", "), std::string::npos) << text;
  EXPECT_NE(text.find("  step "), std::string::npos) << text;
  EXPECT_EQ(verdict_name(b), name_of(cause));
}

TEST(Bottlenecks, NoneWhereItScales) {
  for (const auto kind : {ScaleKind::strong, ScaleKind::weak}) {
    for (const int ranks : {1, 2, 4, 64}) {
      const auto b = find(perfect(ranks, kind), kind);
      EXPECT_EQ(b.verdict, Verdict::good) << ranks;
      EXPECT_EQ(verdict_name(b), "none");
    }
  }
  const auto better = find(slower(perfect(4), -0.5 * ms));
  EXPECT_EQ(better.verdict, Verdict::good) << "better than perfect";
  EXPECT_NEAR(better.lost, -0.5 * ms, 1e-9);
}

TEST(Bottlenecks, LaunchOverhead) {
  auto f = slower(perfect(4), 1 * ms);
  f.launches += 1 * ms;
  expect_named(f, Cause::launches, 1 * ms);
}

TEST(Bottlenecks, Latency) {
  auto f = exposed(perfect(4), 1 * ms);
  f.exchange = 1 * ms;
  f.messages = 0.96 * ms;
  f.latency = 0.9 * ms;
  expect_named(f, Cause::latency, 0.9 * ms);
}

TEST(Bottlenecks, LinkBandwidth) {
  auto f = exposed(perfect(4), 1 * ms);
  f.exchange = 1 * ms;
  f.messages = 0.96 * ms;
  expect_named(f, Cause::link, 0.93 * ms);
}

TEST(Bottlenecks, SurfaceWhereTheLinkIsAsFastAsMemory) {
  auto f = exposed(perfect(4), 1 * ms);
  f.exchange = 1 * ms;
  f.messages = 0.96 * ms;
  f.message_bytes = 0.95 * ms * 5e9;
  expect_named(f, Cause::surface, 0.99 * ms);
}

TEST(Bottlenecks, SurfaceWherePackingTakesTheTime) {
  auto f = exposed(perfect(4), 1 * ms);
  f.exchange = 1 * ms;
  expect_named(f, Cause::surface, 0.94 * ms);
}

TEST(Bottlenecks, SurfaceWhereComputationGrowsAndMemoryDoesNotSlow) {
  expect_named(slower(perfect(4), 1 * ms), Cause::surface, 1 * ms);
}

TEST(Bottlenecks, MemorySharedByTheRanks) {
  auto f = slower(perfect(4), 1 * ms);
  f.copy_rate *= 2.0 / 3;
  expect_named(f, Cause::memory, 1 * ms);
}

TEST(Bottlenecks, Imbalance) {
  auto f = slower(perfect(4), 1 * ms);
  f.work_mean = 2 * ms;
  expect_named(f, Cause::imbalance, 1 * ms);
}

TEST(Bottlenecks, ASharedCoreIsToBlameForItsWaitsToo) {
  auto f = exposed(slower(perfect(4), 2 * ms), 1 * ms);
  f.work_max = f.work_mean = 2 * ms;
  f.processor = 0.5;
  f.exchange = f.messages = f.latency = 4 * ms;  // a message waits for the other rank's turn
  f.shared_by_ranks = true;
  expect_named(f, Cause::processor, 3 * ms);
  f.shared_by_ranks =
      false;  // other programs took the time, and half of the waits may be the network's
  f.messages = f.latency = 0;
  expect_named(f, Cause::processor, 2.5 * ms);
}

TEST(Bottlenecks, ABusyMachineIsNotToBlameForASlowLink) {
  auto f = exposed(perfect(4), 100 * ms);
  f.processor = 0.25;  // others run while it waits
  f.exchange = 52 * ms;
  f.messages = 50 * ms;
  f.latency = 0.1 * ms;
  expect_named(f, Cause::link, 93.2 * ms);
  f.latency = 49.9 * ms;
  expect_named(f, Cause::latency, 93.2 * ms);
}

TEST(Bottlenecks, OnOneHostASharedProcessorComesBeforeTheLink) {
  auto f = exposed(perfect(2),
                   10 * ms);  // 17 % of a core each: messages, too, wait for the other rank's turn
  f.processor = 0.17;
  f.exchange = 10 * ms;
  f.messages = 9.9 * ms;
  f.latency = 0.1 * ms;
  EXPECT_EQ(find(f).cause, Cause::link);
  f.on_one_host = true;
  expect_named(f, Cause::processor, 8.3 * ms);
  f.processor = 1;
  EXPECT_EQ(find(f).cause, Cause::link) << "nobody took the cores";
}

/// On devices at 0.7 of their highest clock.
ScaleFacts throttled(ScaleFacts f) {
  f.clock = 0.7;
  f.clock_limit = "power";
  return f;
}

TEST(Bottlenecks, PowerIsNamedInsteadOfImbalance) {
  auto f = slower(perfect(4), 0.6 * ms);
  f.work_mean = 2 * ms;
  EXPECT_EQ(find(f).cause, Cause::imbalance);
  expect_named(throttled(f), Cause::power, 0.6 * ms);
  f.work_max = f.computation = f.step = f.step_low = f.step_high = 8 * ms;
  EXPECT_EQ(find(throttled(f)).cause, Cause::imbalance) << "clocks cannot do that much";
}

TEST(Bottlenecks, PowerIsNamedInsteadOfMemory) {
  auto f = slower(perfect(4), 0.6 * ms);
  f.copy_rate *= 2.0 / 3;
  EXPECT_EQ(find(f).cause, Cause::memory);
  expect_named(throttled(f), Cause::power, 0.6 * ms);
}

TEST(Bottlenecks, PowerIsNamedWhereTheFirstRepeatWasFaster) {
  auto f = exposed(perfect(4), 0.6 * ms);
  f.exchange = 1 * ms;
  f.messages = 0.96 * ms;
  EXPECT_EQ(find(f).cause, Cause::link);
  f.fastest_step = 2.1 * ms;
  EXPECT_EQ(find(f).cause, Cause::link) << "no limit held anything back";
  expect_named(throttled(f), Cause::power, 0.5 * ms);
}

TEST(Bottlenecks, WeakStudiesCompareWithTheSameStep) {
  auto f = exposed(perfect(16, ScaleKind::weak), 2 * ms);
  f.exchange = 2 * ms;
  f.messages = 1.99 * ms;
  expect_named(f, Cause::link, 1.95 * ms, ScaleKind::weak);
}

TEST(Bottlenecks, WhatOneRankPaidAlreadyIsNotBlamed) {
  auto one = perfect(1);
  one.launches = 4 * ms;
  auto f = exposed(slower(perfect(4), 3 * ms),
                   1.5 * ms);  // its launches do not shrink: 4 instead of 1 ms
  f.launches = 4 * ms;
  f.exchange = f.messages = f.latency = 1.5 * ms;
  const auto b = find_bottleneck(ScaleKind::strong, one, f);
  EXPECT_NEAR(b.part(Cause::launches), 3 * ms, 1e-6);
  EXPECT_NEAR(b.part(Cause::latency), 1.5 * ms, 1e-6);
  EXPECT_EQ(b.cause, Cause::launches);
}

TEST(Bottlenecks, TheReferenceIsJudgedByItself) {
  auto f = perfect(1);
  f.launches = 0.09 * 8 * ms;
  EXPECT_EQ(find_bottleneck(ScaleKind::strong, f, f).verdict, Verdict::good);
  f.launches = 0.11 * 8 * ms;
  EXPECT_EQ(find_bottleneck(ScaleKind::strong, f, f).verdict, Verdict::named);
  EXPECT_EQ(find_bottleneck(ScaleKind::strong, f, f).cause, Cause::launches);
  f.work_max = f.work_mean = 4 * ms;
  f.processor = 0.5;
  EXPECT_EQ(find_bottleneck(ScaleKind::strong, f, f).cause, Cause::processor);
}

TEST(Bottlenecks, GoodEndsAtTenPercent) {
  const double border = 2 * ms / (1 - good_loss) - 2 * ms;
  EXPECT_EQ(find(slower(perfect(4), 0.99 * border)).verdict, Verdict::good);
  EXPECT_EQ(find(slower(perfect(4), 1.01 * border)).verdict, Verdict::named);
}

TEST(Bottlenecks, TheLargerOfTwoIsNamed) {
  auto f = slower(exposed(perfect(4), 1 * ms), 0.99 * ms);
  f.exchange = f.messages = f.latency = 1 * ms;
  f.work_mean = 2 * ms;
  EXPECT_EQ(find(f).cause, Cause::latency);
  f = slower(exposed(perfect(4), 0.99 * ms), 1 * ms);
  f.exchange = f.messages = f.latency = 1 * ms;
  f.work_mean = 2 * ms;
  EXPECT_EQ(find(f).cause, Cause::imbalance);
}

TEST(Bottlenecks, ALossWithinTheIntervalsHasNoName) {
  auto f = slower(perfect(4), 1 * ms);
  f.step_low = 2.01 * ms;
  EXPECT_EQ(find(f).verdict, Verdict::named);
  f.step_low = 1.99 * ms;
  EXPECT_EQ(find(f).verdict, Verdict::within_noise);
  EXPECT_EQ(verdict_name(find(f)), "within noise");
}

TEST(Bottlenecks, WhatNothingExplainsIsNotExplained) {
  auto f = exposed(perfect(4), 1 * ms);
  f.launches /= 4;
  f.exchange = f.messages = f.latency = 0;  // no exchange, and yet it waits
  EXPECT_EQ(find(f).verdict, Verdict::unexplained);
  EXPECT_NEAR(find(f).unexplained, 1 * ms, 1e-9);
  const auto text = to_string(find(f), ScaleKind::strong, perfect(1), f);
  EXPECT_NE(text.find("not explained 1 ms"), std::string::npos) << text;
}

}  // namespace
}  // namespace halotherm::app
