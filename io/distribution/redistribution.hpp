// SPDX-License-Identifier: MIT
// Moves a field from the ranks' blocks to the file domains.
#pragma once

#include "io/distribution/box_exchange.hpp"
#include "io/distribution/file_domains.hpp"

#include <span>
#include <vector>

namespace halotherm::io {

/// Each round moves one piece of at most `limit` values of every file domain, which keeps buffers
/// small however large the blocks are. On every rank, for each round:
///
///     pack(round, block);  send(round, messages);  ... messages.arrived() ...
///     write(unpack_piece(round, block), piece(round))
///
/// `send` starts messages and must be called where MPI may be; the other members are local, may be
/// called from any thread, and do not allocate between `prepare` and `release`. A block is x
/// fastest in memory. Instantiated for float and double.
template <class Real>
class Redistribution {
 public:
  /// `blocks`: one a rank, disjoint and together the whole data set; some may be empty. No
  /// communication.
  Redistribution(FileDomains domains, const std::vector<comm::Box>& blocks, int rank,
                 std::int64_t limit = default_limit);

  int rounds() const { return exchange_.rounds(); }
  /// The part of this rank's file domain that a round moves; may be empty.
  ValueRange piece(int round) const { return piece_of(domain_, round); }
  const FileDomains& domains() const { return domains_; }
  const comm::Box& block() const { return block_; }
  /// The most values kept besides the block in any round.
  std::int64_t buffered_values() const;

  /// Allocates the memory for all rounds. Throws comm::Error (internal) unless every value is in
  /// exactly one block.
  void prepare();
  void release();

  void pack(int round, std::span<const Real> block);
  void send(int round, comm::PendingMessages& messages) { exchange_.send(round, messages); }
  /// The piece's values, valid until the next call of any member; a part of `block` if they all lie
  /// there.
  std::span<const Real> unpack_piece(int round, std::span<const Real> block);

  static constexpr std::int64_t default_limit =
      (std::int64_t{128} << 20) / static_cast<std::int64_t>(sizeof(Real));

 private:
  ValueRange piece_of(const ValueRange& domain, int round) const;
  /// Values to be copied from the block and from messages to get the piece; 0 if it lies within the
  /// block and needs no copy.
  std::int64_t assembled_values(int round) const;

  FileDomains domains_;
  std::int64_t limit_;
  ValueRange domain_;  ///< of this rank
  comm::Box block_;    ///< of this rank
  BoxExchange<Real> exchange_;
  std::vector<Real> piece_;
};

/// Collective: every rank's block.
std::vector<comm::Box> gather_blocks(const comm::Communicator& communicator,
                                     const comm::Box& block);

}  // namespace halotherm::io
