// SPDX-License-Identifier: MIT
// Moves a field between the ranks' blocks and the file domains, in either direction.
#pragma once

#include "comm/pending_messages.hpp"
#include "io/file_domains.hpp"

#include <span>
#include <vector>

namespace halotherm::io {

/// A field's values travel in rounds, each of which moves one piece of at most `limit` values of every file domain: so buffers stay
/// small however large blocks are. On every rank, for each round, to write:
///
///     pack(round, block);  send_to_domains(messages);  ... messages.arrived() ...  write(unpack_piece(round, block), piece(round))
///
/// and to read, after which each block has its values:
///
///     read(piece_buffer(round), piece(round));  send_to_blocks(messages, round);  ... arrived ...  unpack_block(round, block)
///
/// The members that take messages begin them and must be called where MPI may be; the others are local, may be called from any
/// thread, and do not allocate once `prepare` was called. A block is x fastest in memory. Instantiated for float and double.
template <class Real>
class Redistribution {
 public:
  /// `blocks`: one a rank; empty ones may be among them. To write they are disjoint and together the whole data set. To read they
  /// may overlap and reach beyond it: along an axis marked `periodic` such cells get the values of the cells on the other side,
  /// else none. No communication.
  Redistribution(FileDomains domains, const std::vector<comm::Box>& blocks, int rank, const comm::Int3& periodic = {0, 0, 0},
                 std::int64_t limit = default_limit);

  int rounds() const;
  /// This rank's part of the file in a round; may be empty.
  ValueRange piece(int round) const { return piece_of(domain_, round); }
  const FileDomains& domains() const { return domains_; }
  const comm::Box& block() const { return block_; }
  /// At most so many values are kept besides the block, in the round that needs most.
  std::int64_t buffered_values(bool to_file) const;

  /// Takes the memory for all rounds, or gives it back. Throws comm::Error (internal) if values that are to be written are in no
  /// block or in several.
  void prepare(bool to_file);
  void release();

  void pack(int round, std::span<const Real> block);
  void send_to_domains(comm::PendingMessages& messages);
  /// The piece's values, valid until the next call of any member: within `block` if they all lie there.
  std::span<const Real> unpack_piece(int round, std::span<const Real> block);

  std::span<Real> piece_buffer(int round);
  void send_to_blocks(comm::PendingMessages& messages, int round);
  void unpack_block(int round, std::span<Real> block);

  static constexpr std::int64_t default_limit = (std::int64_t{128} << 20) / static_cast<std::int64_t>(sizeof(Real));

 private:
  /// Cells of a block that have values, where their place in the file is that of the cell moved by `shift`.
  struct Part {
    comm::Box stored;  ///< cells of the data set
    comm::Int3 shift;
  };
  /// Another rank, with its domain and the parts of the block that have values in it: one of the two is this rank's.
  struct Peer {
    int rank = 0;
    ValueRange domain;
    std::vector<Part> parts;
  };
  struct Message {
    const Peer* peer = nullptr;
    std::int64_t values = 0;
    std::int64_t offset = 0;  ///< in the buffer
  };

  std::vector<Part> parts_of(const comm::Box& block, const comm::Int3& periodic) const;
  ValueRange piece_of(const ValueRange& domain, int round) const;
  std::int64_t values_within(const std::vector<Part>& parts, const ValueRange& range) const;
  bool is_within_block(const ValueRange& piece) const;
  /// Lists a message for each peer that shares values in the round; their sum.
  std::int64_t list(const std::vector<Peer>& peers, int round, std::vector<Message>& messages) const;
  template <class Visit>
  void for_each_run(const std::vector<Part>& parts, const comm::Box& block, const ValueRange& range, const Visit& visit) const;

  FileDomains domains_;
  std::int64_t limit_;
  int rank_;
  ValueRange domain_;         ///< of this rank
  comm::Box block_;           ///< of this rank
  std::vector<Part> parts_;   ///< of this rank's block
  std::vector<Peer> owners_;  ///< other ranks whose domains have values of this rank's block
  std::vector<Peer> blocks_;  ///< other ranks whose blocks have values of this rank's domain
  std::vector<Message> outgoing_, incoming_;
  std::vector<Real> sent_, received_, piece_;
};

/// Collective: every rank's block.
std::vector<comm::Box> gather_blocks(const comm::Communicator& communicator, const comm::Box& block);

}  // namespace halotherm::io
