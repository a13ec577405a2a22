// SPDX-License-Identifier: MIT
// Passes what a few ranks read on to the blocks of all.
#pragma once

#include "comm/mpi/pending_messages.hpp"
#include "io/distribution/bricks.hpp"

#include <span>
#include <vector>

namespace halotherm::io {

/// A data set's values on their way from bricks to blocks, brick by brick. On every rank, for each
/// round:
///
///     for (const auto& slab : scatter.slabs(round)) read(slab.box, slab.values);
///     scatter.send(round, messages);  ... messages have arrived ...  scatter.unpack(round, block);
///
/// `send` begins messages and must be called where MPI may be; the other members are local.
/// Instantiated for float and double.
template <class Real>
class Scatter {
 public:
  /// What of a brick is read in one piece: `values` has the cells of `box`, x fastest.
  struct Slab {
    comm::Box box;
    std::span<Real> values;
  };

  /// `blocks`: one a rank; empty ones may be among them, they may overlap and reach beyond the data
  /// set: along an axis marked `periodic` such cells get the values of the cells on the other side,
  /// else none. No communication.
  Scatter(Bricks bricks, const std::vector<comm::Box>& blocks, int rank,
          const comm::Int3& periodic);

  int rounds() const { return static_cast<int>(rounds_.size()); }
  /// At most so many values are kept besides the block, in the round that needs most.
  std::int64_t buffered_values() const;
  /// Takes the memory for all rounds. `everything`: bricks are read as a whole; else only what
  /// blocks want of them, as far as `grain` (see bricks_to_read) allows.
  void prepare(bool everything, const comm::Int3& grain);

  /// In the order of the file, none for a rank that does not read in this round. Valid until the
  /// next call.
  const std::vector<Slab>& slabs(int round);
  void send(int round, comm::PendingMessages& messages);
  /// Puts the round's values into their places; `block` has the cells of this rank's block, x
  /// fastest.
  void unpack(int round, std::span<Real> block);

 private:
  /// Cells of a block that have values: those of `stored` moved back by `shift`.
  struct Part {
    comm::Box stored;
    comm::Int3 shift;
  };
  /// What a brick and a block have in common. They are this rank's, or one is another rank's.
  struct Share {
    int rank = 0;  ///< the other one
    std::vector<Part> parts;
    std::int64_t values = 0;
  };
  struct Round {
    std::vector<Share> own, outgoing, incoming;
  };

  std::vector<Part> parts_of(const comm::Box& block, const comm::Int3& periodic) const;
  static void add_share(int rank, const comm::Box& brick, const std::vector<Part>& parts,
                        std::vector<Share>& shares);
  std::vector<comm::Box> boxes_to_read(int round) const;
  static std::int64_t values_of(const std::vector<Share>& shares);
  const Round& round_at(int round) const { return rounds_[static_cast<std::size_t>(round)]; }
  const Slab& slab_with(const comm::Box& cells) const;

  Bricks bricks_;
  int rank_;
  comm::Box block_;
  bool everything_ = true;
  comm::Int3 grain_{1, 1, 1};
  std::vector<Round> rounds_;
  std::vector<Slab> slabs_;
  std::vector<Real> brick_, sent_, received_;
};

}  // namespace halotherm::io
