// SPDX-License-Identifier: MIT
// Moves the values of boxes of cells between ranks, in rounds.
#pragma once

#include "comm/mpi/pending_messages.hpp"
#include "comm/partition/box.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace halotherm::io {

/// The values of a box's cells in memory, x fastest. The first `skip` ones may be missing.
template <class Real>
struct BoxValues {
  comm::Box box;
  std::span<Real> values;
  std::int64_t skip = 0;

  std::int64_t offset(int i, int j, int k) const {
    const auto row = std::int64_t{k - box.lower[2]} * box.extent(1) + (j - box.lower[1]);
    return row * box.extent(0) + (i - box.lower[0]) - skip;
  }
};

/// Copies the values of `cells`, which both boxes contain.
template <class Real>
void copy_cells(const comm::Box& cells, const BoxValues<const Real>& from,
                const BoxValues<Real>& to) {
  const int i = cells.lower[0];
  for (int k = cells.lower[2]; k < cells.upper[2]; ++k) {
    for (int j = cells.lower[1]; j < cells.upper[1]; ++j)
      std::copy_n(from.values.data() + from.offset(i, j, k), cells.extent(0),
                  to.values.data() + to.offset(i, j, k));
  }
}

/// The plan and the buffers by which this rank sends values to others and receives values from
/// them. `send` starts messages and must be called where MPI may be; all other members are local.
/// Between `prepare` and `release` none allocates memory. Sender and receiver list the same parts
/// in the same order.
template <class Real>
class BoxExchange {
 public:
  /// Cells of the data set, and what to add to an index of the receiver's block to get theirs.
  struct Part {
    comm::Box cells;
    comm::Int3 shift{0, 0, 0};
  };
  /// What this rank and another one exchange in a round; or what it copies, if both are itself.
  struct Transfer {
    int rank = 0;
    std::vector<Part> parts;
    std::int64_t values = 0;
  };
  struct Transfers {
    std::vector<Transfer> own, outgoing, incoming;
  };

  explicit BoxExchange(int rounds) : rounds_(static_cast<std::size_t>(rounds)) {}

  int rounds() const { return static_cast<int>(rounds_.size()); }
  Transfers& in(int round) { return rounds_[static_cast<std::size_t>(round)]; }
  const Transfers& in(int round) const { return rounds_[static_cast<std::size_t>(round)]; }

  /// Adds what `parts` and `box` have in common, if anything, to a list of a round.
  static void add(int rank, const comm::Box& box, std::span<const Part> parts,
                  std::vector<Transfer>& list) {
    Transfer transfer{rank, {}, 0};
    for (const auto& [cells, shift] : parts) {
      const auto common = comm::intersection(cells, box);
      if (common.empty()) continue;
      transfer.parts.push_back({common, shift});
      transfer.values += common.size();
    }
    if (transfer.values > 0) list.push_back(std::move(transfer));
  }

  static std::int64_t values_of(const std::vector<Transfer>& list) {
    std::int64_t values = 0;
    for (const auto& transfer : list) values += transfer.values;
    return values;
  }

  /// The values that the buffers hold in a round.
  std::int64_t buffered_values(int round) const {
    return values_of(in(round).outgoing) + values_of(in(round).incoming);
  }

  void prepare() {
    std::int64_t most_sent = 0, most_received = 0;
    for (const auto& round : rounds_) {
      most_sent = std::max(most_sent, values_of(round.outgoing));
      most_received = std::max(most_received, values_of(round.incoming));
    }
    sent_.resize(static_cast<std::size_t>(most_sent));
    received_.resize(static_cast<std::size_t>(most_received));
  }
  void release() { sent_ = received_ = {}; }

  /// Copies a round's outgoing values into the buffer; `source(cells)` gives their BoxValues.
  template <class Source>
  void pack(int round, const Source& source) {
    std::span<Real> room(sent_);
    for (const auto& transfer : in(round).outgoing) {
      for (const auto& part : transfer.parts)
        copy_cells<Real>(part.cells, source(part.cells),
                         {part.cells, take(room, part.cells.size())});
    }
  }

  void send(int round, comm::PendingMessages& messages) {
    std::span<Real> room(received_);
    for (const auto& [rank, parts, values] : in(round).incoming)
      messages.receive(rank, std::as_writable_bytes(take(room, values)));
    room = sent_;
    for (const auto& [rank, parts, values] : in(round).outgoing)
      messages.send(rank, std::as_bytes(take(room, values)));
  }

  /// Copies a round's received and own values to their places; `source` as above, `target(shift)`
  /// gives the receiver's BoxValues in indices of the data set.
  template <class Source, class Target>
  void unpack(int round, const Source& source, const Target& target) {
    for (const auto& transfer : in(round).own) {
      for (const auto& [cells, shift] : transfer.parts)
        copy_cells<Real>(cells, source(cells), target(shift));
    }
    std::span<Real> room(received_);
    for (const auto& transfer : in(round).incoming) {
      for (const auto& [cells, shift] : transfer.parts)
        copy_cells<Real>(cells, {cells, take(room, cells.size())}, target(shift));
    }
  }

 private:
  static std::span<Real> take(std::span<Real>& room, std::int64_t values) {
    const auto taken = room.first(static_cast<std::size_t>(values));
    room = room.subspan(taken.size());
    return taken;
  }

  std::vector<Transfers> rounds_;
  std::vector<Real> sent_, received_;
};

}  // namespace halotherm::io
