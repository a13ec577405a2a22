// SPDX-License-Identifier: MIT
// Moves a field from the ranks' blocks to the file domains.
#pragma once

#include "comm/mpi/pending_messages.hpp"
#include "io/distribution/file_domains.hpp"

#include <span>
#include <vector>

namespace halotherm::io {

/// A field's values travel in rounds, each of which moves one piece of at most `limit` values of
/// every file domain: so buffers stay small however large blocks are. On every rank, for each
/// round:
///
///     pack(round, block);  send_to_domains(messages);  ... messages.arrived() ...
///     write(unpack_piece(round, block), piece(round))
///
/// The members that take messages begin them and must be called where MPI may be; the others are
/// local, may be called from any thread, and do not allocate once `prepare` was called. A block is
/// x fastest in memory. Instantiated for float and double.
template <class Real>
class Redistribution {
 public:
  /// `blocks`: one a rank, disjoint and together the whole data set; empty ones may be among them.
  /// No communication.
  Redistribution(FileDomains domains, const std::vector<comm::Box>& blocks, int rank,
                 std::int64_t limit = default_limit);

  int rounds() const;
  /// This rank's part of the file in a round; may be empty.
  ValueRange piece(int round) const { return piece_of(domain_, round); }
  const FileDomains& domains() const { return domains_; }
  const comm::Box& block() const { return block_; }
  /// At most so many values are kept besides the block, in the round that needs most.
  std::int64_t buffered_values() const;

  /// Takes the memory for all rounds, or gives it back. Throws comm::Error (internal) if values are
  /// in no block or in several.
  void prepare();
  void release();

  void pack(int round, std::span<const Real> block);
  void send_to_domains(comm::PendingMessages& messages);
  /// The piece's values, valid until the next call of any member: within `block` if they all lie
  /// there.
  std::span<const Real> unpack_piece(int round, std::span<const Real> block);

  static constexpr std::int64_t default_limit =
      (std::int64_t{128} << 20) / static_cast<std::int64_t>(sizeof(Real));

 private:
  /// Another rank, with its domain and block: one of the two is this rank's.
  struct Peer {
    int rank = 0;
    ValueRange domain;
    comm::Box block;
  };
  struct Message {
    const Peer* peer = nullptr;
    std::int64_t values = 0;
    std::int64_t offset = 0;  ///< in the buffer
  };

  ValueRange piece_of(const ValueRange& domain, int round) const;
  bool is_within_block(const ValueRange& piece) const;
  /// Lists a message for each peer that shares values in the round; their sum.
  std::int64_t list(const std::vector<Peer>& peers, int round,
                    std::vector<Message>& messages) const;

  FileDomains domains_;
  std::int64_t limit_;
  ValueRange domain_;         ///< of this rank
  comm::Box block_;           ///< of this rank
  std::vector<Peer> owners_;  ///< other ranks whose domains have values of this rank's block
  std::vector<Peer> blocks_;  ///< other ranks whose blocks have values of this rank's domain
  std::vector<Message> outgoing_, incoming_;
  std::vector<Real> sent_, received_, piece_;
};

/// Collective: every rank's block.
std::vector<comm::Box> gather_blocks(const comm::Communicator& communicator,
                                     const comm::Box& block);

}  // namespace halotherm::io
