// SPDX-License-Identifier: MIT
#include "app/parts/part_merging.hpp"

#include "comm/mpi/pending_messages.hpp"

#include <span>

namespace halotherm::app {

namespace {

/// Calls `work(place in the box, place in the part)` for the cells of a part of a box.
template <class Work>
void for_places(const comm::Box& box, const comm::Box& part, const Work& work) {
  std::size_t n = 0;
  for (int k = part.lower[2]; k < part.upper[2]; ++k) {
    for (int j = part.lower[1]; j < part.upper[1]; ++j) {
      const auto row = std::int64_t{k - box.lower[2]} * box.extent(1) + (j - box.lower[1]);
      auto place = static_cast<std::size_t>(row * box.extent(0) + (part.lower[0] - box.lower[0]));
      for (int i = part.lower[0]; i < part.upper[0]; ++i) work(place++, n++);
    }
  }
}

/// As a message: the facts of a cell in one number, -1 for a cell outside of the body.
std::int64_t packed(const PartFacts& facts) {
  return facts.first * 4 + (facts.held ? 2 : 0) + (facts.heated ? 1 : 0);
}
PartFacts unpacked(std::int64_t number) {
  return {number / 4, (number & 2) != 0, (number & 1) != 0};
}

using Numbers = std::vector<std::vector<std::int64_t>>;

/// Collective over neighbours. Two ranks that adjoin across both ends of an axis have two messages,
/// and what one sends first the other receives last in the order of its directions.
void exchange(const comm::Communicator& world, const comm::HaloPlan& plan, const Numbers& mine,
              Numbers& theirs) {
  comm::PendingMessages pending(world);
  for (std::size_t n = plan.messages.size(); n-- > 0;)
    pending.receive(plan.messages[n].neighbour, std::as_writable_bytes(std::span(theirs[n])));
  for (std::size_t n = 0; n < plan.messages.size(); ++n)
    pending.send(plan.messages[n].neighbour, std::as_bytes(std::span(mine[n])));
  pending.wait();
}

/// Across periodic sides whose both ends are this rank's.
void join_local(const SentLabels& sent, PartLabels& labels) {
  const auto& messages = sent.plan.local;
  for (std::size_t n = 0; n < messages.size(); ++n) {
    for (std::size_t other = 0; other < n; ++other) {
      bool opposite = true;
      for (int axis = 0; axis < 3; ++axis)
        opposite = opposite && messages[n].direction[axis] == -messages[other].direction[axis];
      if (!opposite) continue;
      for (std::size_t cell = 0; cell < sent.of_local[n].size(); ++cell) {
        const int one = sent.of_local[n][cell], beyond = sent.of_local[other][cell];
        if (one != PartLabels::none && beyond != PartLabels::none) labels.join(one, beyond);
      }
    }
  }
}

}  // namespace

SentLabels::SentLabels(const comm::HaloPlan& halo_plan) : plan(halo_plan) {
  const auto room = [](const std::vector<comm::HaloMessage>& messages) {
    std::vector<std::vector<int>> result;
    for (const auto& message : messages)
      result.emplace_back(static_cast<std::size_t>(message.send.size()), PartLabels::none);
    return result;
  };
  of_messages = room(plan.messages);
  of_local = room(plan.local);
}

void SentLabels::add(const comm::Box& piece, const std::vector<int>& labels) {
  const auto note = [&](const std::vector<comm::HaloMessage>& messages,
                        std::vector<std::vector<int>>& kept) {
    for (std::size_t n = 0; n < messages.size(); ++n) {
      const auto part = comm::intersection(messages[n].send, piece);
      if (part.empty()) continue;
      std::vector<int> in_part(static_cast<std::size_t>(part.size()));
      for_places(piece, part,
                 [&](std::size_t from, std::size_t to) { in_part[to] = labels[from]; });
      for_places(messages[n].send, part,
                 [&](std::size_t to, std::size_t from) { kept[n][to] = in_part[from]; });
    }
  };
  note(plan.messages, of_messages);
  note(plan.local, of_local);
}

void merge_over_ranks(const comm::Communicator& world, const SentLabels& sent, PartLabels& labels,
                      std::vector<PartFacts>& facts) {
  join_local(sent, labels);
  for (int label = 0; label < labels.count(); ++label)
    facts[static_cast<std::size_t>(labels.root(label))].include(
        facts[static_cast<std::size_t>(label)]);
  Numbers mine, theirs;
  for (const auto& cells : sent.of_messages) mine.emplace_back(cells.size());
  theirs = mine;
  for (bool changed = true; world.any(changed);) {
    changed = false;
    for (std::size_t n = 0; n < mine.size(); ++n) {
      for (std::size_t cell = 0; cell < mine[n].size(); ++cell) {
        const int root = labels.root(sent.of_messages[n][cell]);
        mine[n][cell] =
            root == PartLabels::none ? -1 : packed(facts[static_cast<std::size_t>(root)]);
      }
    }
    exchange(world, sent.plan, mine, theirs);
    for (std::size_t n = 0; n < mine.size(); ++n) {
      for (std::size_t cell = 0; cell < mine[n].size(); ++cell) {
        if (mine[n][cell] < 0 || theirs[n][cell] < 0) continue;
        auto& of_root = facts[static_cast<std::size_t>(labels.root(sent.of_messages[n][cell]))];
        const auto before = of_root;
        of_root.include(unpacked(theirs[n][cell]));
        changed = changed || of_root != before;
      }
    }
  }
}

}  // namespace halotherm::app
