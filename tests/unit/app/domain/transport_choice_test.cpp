// SPDX-License-Identifier: MIT
// Which transports are tried on which channels, and which are taken, on made-up facts.
#include "app/domain/transport_choice.hpp"

#include "comm/mpi/error.hpp"

#include <gtest/gtest.h>

#include <map>

namespace halotherm::app {
namespace {

using comm::TransportKind;
using Class = ChannelClass;
using Kinds = std::vector<TransportKind>;

class TransportChoiceOf : public testing::Test {
 protected:
  ChosenTransport choose() {
    return choose_fastest(facts_, [this](Class channels, std::span<const TransportKind> kinds) {
      std::vector<comm::TransportTrial> trials;
      for (const auto kind : kinds) {
        tried_[channels].push_back(kind);
        const auto seconds = seconds_.at(kind) * (channels == Class::remote ? 10 : 1);
        trials.push_back({kind, {}, seconds});
        if (seconds <= 0) trials.back().unavailable = comm::UnavailableReason::unavailable("fails");
      }
      return trials;
    });
  }

  /// Two nodes of two ranks in a row: this rank has a neighbour on its own and one on the other.
  ChannelFacts facts_{
      {Class::peer_accessible, Class::remote}, {Class::peer_accessible, Class::remote}, "", ""};
  /// Of an exchange [s]; none: it does not work.
  std::map<TransportKind, double> seconds_{{TransportKind::p2p, 1},
                                           {TransportKind::device, 2},
                                           {TransportKind::staged, 4},
                                           {TransportKind::rma, 3},
                                           {TransportKind::nccl, 0}};
  std::map<Class, Kinds> tried_;
};

TEST_F(TransportChoiceOf, EachClassHasItsOwn) {
  const auto chosen = choose();
  EXPECT_EQ(tried_[Class::peer_accessible],
            (Kinds{TransportKind::p2p, TransportKind::device, TransportKind::staged}));
  EXPECT_EQ(tried_[Class::remote],
            (Kinds{TransportKind::device, TransportKind::staged, TransportKind::nccl}));
  EXPECT_EQ(chosen.kinds, (Kinds{TransportKind::p2p, TransportKind::device}));
  EXPECT_EQ(to_string(chosen), "p2p + device");
  EXPECT_EQ(name_of(chosen.classes[0].channels), "peer-accessible");
  EXPECT_EQ(name_of(chosen.classes[1].channels), "remote");
}

TEST_F(TransportChoiceOf, AClassThatOnlyOtherRanksHaveIsTriedToo) {
  facts_.channels = {Class::peer_accessible, Class::peer_accessible};
  const auto chosen = choose();
  EXPECT_EQ(tried_[Class::remote].size(), 3u) << "trying is collective";
  EXPECT_EQ(chosen.classes.size(), 2u);
  EXPECT_EQ(chosen.kinds, (Kinds{TransportKind::p2p, TransportKind::p2p}));
}

TEST_F(TransportChoiceOf, OneNodeHasOneClass) {
  facts_ = {{Class::peer_accessible}, {Class::peer_accessible}, "", ""};
  const auto chosen = choose();
  EXPECT_EQ(tried_.size(), 1u);
  EXPECT_EQ(to_string(chosen), "p2p");
}

TEST_F(TransportChoiceOf, OneForAllIsNamedOnce) {
  seconds_[TransportKind::p2p] = 0;
  EXPECT_EQ(to_string(choose()), "device");
}

TEST_F(TransportChoiceOf, NcclIsTakenWhereItIsTheFastestOfThoseThatPassHostsBy) {
  facts_.channels = {Class::peer_accessible, Class::remote, Class::hostbound};
  facts_.classes = facts_.channels;
  facts_.device_unavailable = "it crashes on node7";
  facts_.device_somewhere = true;
  seconds_[TransportKind::nccl] = 1.5;
  EXPECT_EQ(choose().kinds, (Kinds{TransportKind::p2p, TransportKind::nccl, TransportKind::nccl}));
}

TEST_F(TransportChoiceOf, WhatIsKnownToFailIsNotTried) {
  facts_.device_unavailable = "this MPI crashes";
  const auto chosen = choose();
  EXPECT_EQ(tried_[Class::peer_accessible],
            (Kinds{TransportKind::p2p, TransportKind::staged, TransportKind::rma}));
  EXPECT_EQ(chosen.kinds, (Kinds{TransportKind::p2p, TransportKind::rma}));
  EXPECT_EQ(chosen.unavailable_reason_of(TransportKind::device), "this MPI crashes");
  EXPECT_EQ(chosen.unavailable_reason_of(TransportKind::staged), "");
}

TEST_F(TransportChoiceOf, ANodeWhoseMemoryIsNotSharedSaysWhy) {
  facts_ = {{Class::remote, Class::remote}, {Class::remote}, "one device a rank", ""};
  const auto chosen = choose();
  EXPECT_EQ(tried_[Class::remote],
            (Kinds{TransportKind::device, TransportKind::staged, TransportKind::nccl}));
  EXPECT_EQ(chosen.unavailable_reason_of(TransportKind::p2p), "one device a rank");
  EXPECT_EQ(to_string(chosen), "device");
}

TEST_F(TransportChoiceOf, OneSidedIsTriedWhereDeviceFailsInTheTrial) {
  seconds_[TransportKind::device] = 0;
  EXPECT_EQ(choose().kinds, (Kinds{TransportKind::p2p, TransportKind::rma}));
  EXPECT_EQ(tried_[Class::remote], (Kinds{TransportKind::device, TransportKind::staged,
                                          TransportKind::nccl, TransportKind::rma}));
}

TEST_F(TransportChoiceOf, WhatIsSetUpByAllRanksIsLeftOutOnManyRanks) {
  facts_.device_unavailable = "this MPI crashes";
  facts_.ranks = most_ranks_of_collective_setup + 1;
  EXPECT_EQ(choose().kinds, (Kinds{TransportKind::p2p, TransportKind::staged}));
  EXPECT_EQ(tried_[Class::remote], (Kinds{TransportKind::staged}));
}

TEST_F(TransportChoiceOf, ANodeWithoutDevicePointersLimitsItsOwnChannelsOnly) {
  facts_.channels = {Class::peer_accessible, Class::remote, Class::hostbound};
  facts_.classes = facts_.channels;
  facts_.device_unavailable = "it crashes on node7";
  facts_.device_somewhere = true;
  const auto chosen = choose();
  EXPECT_EQ(tried_[Class::remote],
            (Kinds{TransportKind::device, TransportKind::staged, TransportKind::nccl}));
  EXPECT_EQ(tried_[Class::hostbound],
            (Kinds{TransportKind::staged, TransportKind::nccl, TransportKind::rma}));
  EXPECT_EQ(tried_[Class::peer_accessible],
            (Kinds{TransportKind::p2p, TransportKind::staged, TransportKind::rma}));
  EXPECT_EQ(chosen.kinds, (Kinds{TransportKind::p2p, TransportKind::device, TransportKind::rma}));
  EXPECT_EQ(chosen.unavailable_reason_of(TransportKind::device), "it crashes on node7");
  EXPECT_EQ(name_of(Class::hostbound), "remote by the host");
  EXPECT_EQ(name_of(Class::all), "all");
}

TEST_F(TransportChoiceOf, NoTransportIsAnError) {
  for (auto& [kind, seconds] : seconds_) seconds = 0;
  EXPECT_THROW(choose(), comm::CollectiveError);
}

}  // namespace
}  // namespace halotherm::app
