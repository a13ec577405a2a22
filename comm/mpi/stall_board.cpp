// SPDX-License-Identifier: MIT
#include "comm/mpi/stall_board.hpp"

#include "comm/system/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <new>
#include <set>
#include <sstream>
#include <string_view>

namespace halotherm::comm {

namespace {

constexpr std::size_t most_named = 3;

/// The texts, of which the first few are given: "a; b; c; and 4 more alike".
std::string first_of(const std::vector<std::string>& texts) {
  std::string text;
  for (std::size_t n = 0; n < std::min(texts.size(), most_named); ++n) text += "; " + texts[n];
  if (texts.size() > most_named)
    text += "; and " + std::to_string(texts.size() - most_named) + " more alike";
  return text;
}

double now() {
  static const Stopwatch since_start;
  return since_start.seconds();
}

}  // namespace

std::string stall_report(const std::vector<RankState>& ranks, double seconds, bool always) {
  std::set<int> waiting_here;  // stalled ranks that wait for others
  for (const auto& one : ranks) {
    if (one.runs && one.stalled && (one.waiting.for_all || !one.waiting.ranks.empty()))
      waiting_here.insert(one.rank);
  }
  std::vector<std::string> still, alone, for_named;
  std::map<std::string, int> for_all;
  std::set<int> named;
  int stalled = 0, others = 0;
  for (const auto& one : ranks) {
    if (!one.runs) still.push_back(process_of(one.rank) + " does not run");
    if (!one.runs || !one.stalled) continue;
    ++stalled;
    const auto& [text, awaited, all] = one.waiting;
    const auto is_named = [&](int rank) {
      return !waiting_here.contains(rank) && named.insert(rank).second;
    };
    const auto line = process_of(one.rank) + ": " + text;
    if (std::ranges::count_if(awaited, is_named) > 0) {
      for_named.push_back(line);
    } else if (!awaited.empty()) {
      ++others;
    } else if (all) {
      ++for_all[text];
    } else {
      alone.push_back(line);
    }
  }
  if (still.empty() && alone.empty() && for_named.empty() && others == 0 && !always) return "";
  std::ostringstream report;
  report << stalled << " of " << ranks.size() << " ranks of its node have stalled for " << seconds
         << " s" << first_of(still) << first_of(alone) << first_of(for_named);
  for (const auto& [text, count] : for_all) report << "; " << count << " at: " << text;
  if (others > 0) report << "; " << others << " wait for ranks that are named or wait themselves";
  report << ". Look at ranks that do not run or wait for no other rank, and at nodes that do not "
            "answer";
  return report.str();
}

/// In shared memory. `version` is odd while the owner writes what follows it.
struct StallBoard::Slot {
  std::atomic<std::uint64_t> beats = 0;
  std::atomic<bool> stalled = false, reported = false, gone = false;
  std::atomic<std::uint32_t> version = 0;
  int rank = 0;
  bool for_all = false;
  int awaited_count = 0;
  std::array<int, 26> awaited{};
  std::array<char, 400> text{};
};

StallBoard::StallBoard(const Communicator& node, int rank)
    : memory_(node, sizeof(Slot)), place_(node.rank()) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
                std::atomic<bool>::is_always_lock_free);
  auto* first = static_cast<Slot*>(memory_.data());
  for (int other = 0; other < node.size(); ++other) {
    slots_.push_back(first + other);
    pulses_.push_back({0, now()});
  }
  (new (slots_[place()]) Slot)->rank = rank;
  node.barrier();  // all slots are made
}

StallBoard::~StallBoard() {
  slots_[place()]->gone = true;
}

void StallBoard::beat() {
  slots_[place()]->beats.fetch_add(1, std::memory_order_relaxed);
}

void StallBoard::set_progressing() {
  slots_[place()]->stalled = false;
  slots_[place()]->reported = false;
}

void StallBoard::set_stalled(const Waiting& waiting) {
  auto& slot = *slots_[place()];
  slot.version.fetch_add(1);
  slot.for_all = waiting.for_all;
  slot.awaited_count = static_cast<int>(std::min(waiting.ranks.size(), slot.awaited.size()));
  std::copy_n(waiting.ranks.begin(), slot.awaited_count, slot.awaited.begin());
  slot.text[waiting.text.copy(slot.text.data(), slot.text.size() - 1)] = '\0';
  slot.version.fetch_add(1);
  slot.stalled = true;
}

void StallBoard::set_reported() {
  for (auto* slot : slots_) slot->reported = slot->stalled.load();
}

std::vector<RankState> StallBoard::read(double patience) {
  std::vector<RankState> states;
  for (std::size_t n = 0; n < slots_.size(); ++n) {
    const auto& slot = *slots_[n];
    const auto version = slot.version.load();
    auto& state = states.emplace_back(RankState{.rank = slot.rank,
                                                .runs = true,
                                                .stalled = slot.stalled,
                                                .reported = slot.reported,
                                                .waiting = {}});
    if (const auto beats = slot.beats.load(); beats != pulses_[n].beats)
      pulses_[n] = {beats, now()};
    state.runs = n == place() || slot.gone || now() - pulses_[n].seen <= patience;
    state.stalled = state.stalled && !slot.gone;
    if (!state.stalled) continue;
    const auto length = strnlen(slot.text.data(), slot.text.size());
    state.waiting = {std::string(slot.text.data(), length),
                     {slot.awaited.begin(), slot.awaited.begin() + slot.awaited_count},
                     slot.for_all};
    if (version % 2 != 0 || slot.version != version) state.stalled = false;  // until the next look
  }
  return states;
}

}  // namespace halotherm::comm
