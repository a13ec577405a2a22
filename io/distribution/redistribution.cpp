// SPDX-License-Identifier: MIT
#include "io/distribution/redistribution.hpp"

#include "comm/mpi/error.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace halotherm::io {

namespace {

template <class Real>
std::span<Real> part(std::vector<Real>& values, std::int64_t first, std::int64_t count) {
  return std::span(values).subspan(static_cast<std::size_t>(first),
                                   static_cast<std::size_t>(count));
}

template <class Real>
void resize(std::vector<Real>& values, std::int64_t count) {
  values.resize(static_cast<std::size_t>(count));
}

}  // namespace

template <class Real>
Redistribution<Real>::Redistribution(FileDomains domains, const std::vector<comm::Box>& blocks,
                                     int rank, std::int64_t limit)
    : domains_(std::move(domains)),
      limit_(limit),
      domain_(domains_.range_of(rank)),
      block_(blocks[static_cast<std::size_t>(rank)]) {
  const auto& order = domains_.order();
  for (std::size_t other = 0; other < blocks.size() && !domain_.empty(); ++other) {
    if (static_cast<int>(other) == rank || order.cells_within(blocks[other], domain_) == 0)
      continue;
    blocks_.push_back({static_cast<int>(other), domain_, blocks[other]});
  }
  const auto [first, end] = domains_.overlapping(order.span(block_));
  for (int domain = first; domain < end; ++domain) {
    const auto range = domains_.range(domain);
    const int owner = domains_.owner(domain);
    if (owner != rank && order.cells_within(block_, range) > 0)
      owners_.push_back({owner, range, block_});
  }
}

template <class Real>
ValueRange Redistribution<Real>::piece_of(const ValueRange& domain, int round) const {
  const auto first = std::min(domain.first + round * limit_, domain.end);
  return {first, std::min(first + limit_, domain.end)};
}

template <class Real>
int Redistribution<Real>::rounds() const {
  return static_cast<int>((domains_.largest() + limit_ - 1) / limit_);
}

template <class Real>
std::int64_t Redistribution<Real>::list(const std::vector<Peer>& peers, int round,
                                        std::vector<Message>& messages) const {
  std::int64_t total = 0;
  messages.clear();
  for (const auto& peer : peers) {
    const auto values = domains_.order().cells_within(peer.block, piece_of(peer.domain, round));
    if (values > 0) messages.push_back({&peer, values, total});
    total += values;
  }
  return total;
}

template <class Real>
bool Redistribution<Real>::is_within_block(const ValueRange& piece) const {
  return !piece.empty() && domains_.order().cells_within(block_, piece) == piece.size();
}

template <class Real>
std::int64_t Redistribution<Real>::buffered_values() const {
  std::int64_t most = 0;
  std::vector<Message> messages;
  for (int round = 0; round < rounds(); ++round) {
    const auto own = piece(round);
    const auto travelling = list(owners_, round, messages) + list(blocks_, round, messages);
    most = std::max(most, travelling + (is_within_block(own) ? 0 : own.size()));
  }
  return most;
}

template <class Real>
void Redistribution<Real>::prepare() {
  std::int64_t held = domains_.order().cells_within(block_, domain_);
  for (const auto& peer : blocks_) held += domains_.order().cells_within(peer.block, domain_);
  if (held != domain_.size()) {
    throw comm::Error(comm::ExitCode::internal,
                      "the blocks hold " + std::to_string(held) + " of " +
                          std::to_string(domain_.size()) +
                          " values (each must be in exactly one) report this");
  }
  std::int64_t by_owners = 0, by_blocks = 0, of_pieces = 0;
  for (int round = 0; round < rounds(); ++round) {
    by_owners = std::max(by_owners, list(owners_, round, outgoing_));
    by_blocks = std::max(by_blocks, list(blocks_, round, incoming_));
    const auto own = piece(round);
    if (!is_within_block(own)) of_pieces = std::max(of_pieces, own.size());
  }
  outgoing_.reserve(std::max(owners_.size(), blocks_.size()));
  incoming_.reserve(std::max(owners_.size(), blocks_.size()));
  resize(sent_, by_owners);
  resize(received_, by_blocks);
  resize(piece_, of_pieces);
}

template <class Real>
void Redistribution<Real>::release() {
  sent_ = {};
  received_ = {};
  piece_ = {};
}

template <class Real>
void Redistribution<Real>::pack(int round, std::span<const Real> block) {
  list(owners_, round, outgoing_);
  list(blocks_, round, incoming_);
  for (const auto& [peer, values, offset] : outgoing_) {
    auto* to = sent_.data() + offset;
    domains_.order().for_each_run(block_, piece_of(peer->domain, round),
                                  [&](std::int64_t, int i, int j, int k, std::int64_t count) {
                                    to = std::copy_n(block.data() + offset_in(block_, i, j, k),
                                                     count, to);
                                  });
  }
}

template <class Real>
void Redistribution<Real>::send_to_domains(comm::PendingMessages& messages) {
  for (const auto& [peer, values, offset] : incoming_) {
    messages.receive(peer->rank, std::as_writable_bytes(part(received_, offset, values)));
  }
  for (const auto& [peer, values, offset] : outgoing_)
    messages.send(peer->rank, std::as_bytes(part(sent_, offset, values)));
}

template <class Real>
std::span<const Real> Redistribution<Real>::unpack_piece(int round, std::span<const Real> block) {
  const auto own = piece(round);
  if (is_within_block(own)) {  // then they follow each other in the block's memory, too
    const auto first = domains_.order().cells_before(block_, own.first);
    return block.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(own.size()));
  }
  domains_.order().for_each_run(block_, own,
                                [&](std::int64_t place, int i, int j, int k, std::int64_t count) {
                                  std::copy_n(block.data() + offset_in(block_, i, j, k), count,
                                              piece_.data() + (place - own.first));
                                });
  for (const auto& [peer, values, offset] : incoming_) {
    const auto* from = received_.data() + offset;
    domains_.order().for_each_run(peer->block, own,
                                  [&](std::int64_t place, int, int, int, std::int64_t count) {
                                    std::copy_n(from, count, piece_.data() + (place - own.first));
                                    from += count;
                                  });
  }
  return part(piece_, 0, own.size());
}

template class Redistribution<float>;
template class Redistribution<double>;

std::vector<comm::Box> gather_blocks(const comm::Communicator& communicator,
                                     const comm::Box& block) {
  static_assert(std::is_trivially_copyable_v<comm::Box>);
  std::string bytes(sizeof block, '\0');
  std::memcpy(bytes.data(), &block, sizeof block);
  std::vector<comm::Box> blocks;
  for (const auto& other : communicator.gather(bytes)) {
    blocks.emplace_back();
    std::memcpy(&blocks.back(), other.data(), sizeof block);
  }
  return blocks;
}

}  // namespace halotherm::io
