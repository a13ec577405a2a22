// SPDX-License-Identifier: MIT
#include "io/redistribution.hpp"

#include "comm/error.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace halotherm::io {

namespace {

/// A run of a block's cells along one axis, and what is to be added to their index to have that in the data set.
struct Run {
  int begin = 0, end = 0;
  int shift = 0;
};

std::vector<Run> runs(const comm::Box& block, int axis, int cells, bool periodic) {
  std::vector<Run> parts;
  const int lower = periodic ? block.lower[axis] : std::max(block.lower[axis], 0);
  const int upper = periodic ? block.upper[axis] : std::min(block.upper[axis], cells);
  for (int begin = lower; begin < upper;) {
    const int place = ((begin % cells) + cells) % cells;
    const int end = std::min(upper, begin + cells - place);
    parts.push_back({begin, end, place - begin});
    begin = end;
  }
  return parts;
}

/// The place of a cell in a block's memory.
std::int64_t offset_in(const comm::Box& block, int i, int j, int k) {
  return (std::int64_t{k - block.lower[2]} * block.extent(1) + (j - block.lower[1])) * block.extent(0) + (i - block.lower[0]);
}

template <class Real>
std::span<Real> part(std::vector<Real>& values, std::int64_t first, std::int64_t count) {
  return std::span(values).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

template <class Real>
void resize(std::vector<Real>& values, std::int64_t count) {
  values.resize(static_cast<std::size_t>(count));
}

}  // namespace

template <class Real>
Redistribution<Real>::Redistribution(FileDomains domains, const std::vector<comm::Box>& blocks, int rank,
                                     const comm::Int3& periodic, std::int64_t limit)
    : domains_(std::move(domains)),
      limit_(limit),
      rank_(rank),
      domain_(domains_.range_of(rank)),
      block_(blocks[static_cast<std::size_t>(rank)]),
      parts_(parts_of(block_, periodic)) {
  for (std::size_t other = 0; other < blocks.size() && !domain_.empty(); ++other) {
    if (static_cast<int>(other) == rank) continue;
    auto parts = parts_of(blocks[other], periodic);
    std::erase_if(parts, [&](const Part& one) { return domains_.order().cells_within(one.stored, domain_) == 0; });
    if (!parts.empty()) blocks_.push_back({static_cast<int>(other), domain_, std::move(parts)});
  }
  std::vector<int> owning;
  for (const auto& one : parts_) {
    const auto [first, end] = domains_.overlapping(domains_.order().span(one.stored));
    for (int domain = first; domain < end; ++domain) owning.push_back(domain);
  }
  std::ranges::sort(owning);
  owning.erase(std::ranges::unique(owning).begin(), owning.end());
  for (const int domain : owning) {
    const auto range = domains_.range(domain);
    const int owner = domains_.owner(domain);
    auto parts = parts_;
    std::erase_if(parts, [&](const Part& one) { return domains_.order().cells_within(one.stored, range) == 0; });
    if (owner != rank && !parts.empty()) owners_.push_back({owner, range, std::move(parts)});
  }
}

template <class Real>
auto Redistribution<Real>::parts_of(const comm::Box& block, const comm::Int3& periodic) const -> std::vector<Part> {
  const auto& cells = domains_.order().extent();
  std::vector<Part> parts;
  if (block.empty()) return parts;
  for (const auto& z : runs(block, 2, cells[2], periodic[2] != 0)) {
    for (const auto& y : runs(block, 1, cells[1], periodic[1] != 0)) {
      for (const auto& x : runs(block, 0, cells[0], periodic[0] != 0)) {
        const comm::Int3 shift{x.shift, y.shift, z.shift};
        parts.push_back({comm::shifted({{x.begin, y.begin, z.begin}, {x.end, y.end, z.end}}, shift), shift});
      }
    }
  }
  return parts;
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
std::int64_t Redistribution<Real>::values_within(const std::vector<Part>& parts, const ValueRange& range) const {
  std::int64_t values = 0;
  for (const auto& one : parts) values += domains_.order().cells_within(one.stored, range);
  return values;
}

template <class Real>
std::int64_t Redistribution<Real>::list(const std::vector<Peer>& peers, int round, std::vector<Message>& messages) const {
  std::int64_t total = 0;
  messages.clear();
  for (const auto& peer : peers) {
    const auto values = values_within(peer.parts, piece_of(peer.domain, round));
    if (values > 0) messages.push_back({&peer, values, total});
    total += values;
  }
  return total;
}

template <class Real>
bool Redistribution<Real>::is_within_block(const ValueRange& piece) const {
  return !piece.empty() && values_within(parts_, piece) == piece.size();
}

template <class Real>
std::int64_t Redistribution<Real>::buffered_values(bool to_file) const {
  std::int64_t most = 0;
  std::vector<Message> messages;
  for (int round = 0; round < rounds(); ++round) {
    const auto own = piece(round);
    const auto travelling = list(owners_, round, messages) + list(blocks_, round, messages);
    most = std::max(most, travelling + (to_file && is_within_block(own) ? 0 : own.size()));
  }
  return most;
}

template <class Real>
void Redistribution<Real>::prepare(bool to_file) {
  std::int64_t held = values_within(parts_, domain_);
  for (const auto& peer : blocks_) held += values_within(peer.parts, domain_);
  if (to_file && held != domain_.size()) {
    throw comm::Error(comm::ExitCode::internal, "the blocks hold " + std::to_string(held) + " of " +
                                                    std::to_string(domain_.size()) +
                                                    " values (each must be in exactly one) report this");
  }
  std::int64_t by_owners = 0, by_blocks = 0, of_pieces = 0;
  for (int round = 0; round < rounds(); ++round) {
    by_owners = std::max(by_owners, list(owners_, round, outgoing_));
    by_blocks = std::max(by_blocks, list(blocks_, round, incoming_));
    const auto own = piece(round);
    if (!to_file || !is_within_block(own)) of_pieces = std::max(of_pieces, own.size());
  }
  outgoing_.reserve(std::max(owners_.size(), blocks_.size()));
  incoming_.reserve(std::max(owners_.size(), blocks_.size()));
  resize(sent_, to_file ? by_owners : by_blocks);
  resize(received_, to_file ? by_blocks : by_owners);
  resize(piece_, of_pieces);
}

template <class Real>
void Redistribution<Real>::release() {
  sent_ = {};
  received_ = {};
  piece_ = {};
}

/// Calls visit(place in the file, offset in the block, count), part by part, each in the order of the file.
template <class Real>
template <class Visit>
void Redistribution<Real>::for_each_run(const std::vector<Part>& parts, const comm::Box& block, const ValueRange& range,
                                        const Visit& visit) const {
  for (const auto& [stored, shift] : parts) {
    domains_.order().for_each_run(stored, range, [&](std::int64_t place, int i, int j, int k, std::int64_t count) {
      visit(place, offset_in(block, i - shift[0], j - shift[1], k - shift[2]), count);
    });
  }
}

template <class Real>
void Redistribution<Real>::pack(int round, std::span<const Real> block) {
  list(owners_, round, outgoing_);
  list(blocks_, round, incoming_);
  for (const auto& message : outgoing_) {
    auto* to = sent_.data() + message.offset;
    for_each_run(
        message.peer->parts, block_, piece_of(message.peer->domain, round),
        [&](std::int64_t, std::int64_t offset, std::int64_t count) { to = std::copy_n(block.data() + offset, count, to); });
  }
}

template <class Real>
void Redistribution<Real>::send_to_domains(comm::PendingMessages& messages) {
  for (const auto& [peer, values, offset] : incoming_) {
    messages.receive(peer->rank, std::as_writable_bytes(part(received_, offset, values)));
  }
  for (const auto& [peer, values, offset] : outgoing_) messages.send(peer->rank, std::as_bytes(part(sent_, offset, values)));
}

template <class Real>
std::span<const Real> Redistribution<Real>::unpack_piece(int round, std::span<const Real> block) {
  const auto own = piece(round);
  if (is_within_block(own)) {  // then they follow each other in the block's memory, too
    const auto first = domains_.order().cells_before(parts_.front().stored, own.first);
    return block.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(own.size()));
  }
  for_each_run(parts_, block_, own, [&](std::int64_t place, std::int64_t offset, std::int64_t count) {
    std::copy_n(block.data() + offset, count, piece_.data() + (place - own.first));
  });
  for (const auto& message : incoming_) {
    const auto* from = received_.data() + message.offset;
    for_each_run(message.peer->parts, {}, own, [&](std::int64_t place, std::int64_t, std::int64_t count) {
      std::copy_n(from, count, piece_.data() + (place - own.first));
      from += count;
    });
  }
  return part(piece_, 0, own.size());
}

template <class Real>
std::span<Real> Redistribution<Real>::piece_buffer(int round) {
  return part(piece_, 0, piece(round).size());
}

template <class Real>
void Redistribution<Real>::send_to_blocks(comm::PendingMessages& messages, int round) {
  const auto own = piece(round);
  list(blocks_, round, outgoing_);
  list(owners_, round, incoming_);
  for (const auto& message : outgoing_) {
    auto* to = sent_.data() + message.offset;
    for_each_run(message.peer->parts, {}, own, [&](std::int64_t place, std::int64_t, std::int64_t count) {
      to = std::copy_n(piece_.data() + (place - own.first), count, to);
    });
  }
  send_to_domains(messages);
}

template <class Real>
void Redistribution<Real>::unpack_block(int round, std::span<Real> block) {
  const auto own = piece(round);
  for_each_run(parts_, block_, own, [&](std::int64_t place, std::int64_t offset, std::int64_t count) {
    std::copy_n(piece_.data() + (place - own.first), count, block.data() + offset);
  });
  for (const auto& message : incoming_) {
    const auto* from = received_.data() + message.offset;
    for_each_run(message.peer->parts, block_, piece_of(message.peer->domain, round),
                 [&](std::int64_t, std::int64_t offset, std::int64_t count) {
                   std::copy_n(from, count, block.data() + offset);
                   from += count;
                 });
  }
}

template class Redistribution<float>;
template class Redistribution<double>;

std::vector<comm::Box> gather_blocks(const comm::Communicator& communicator, const comm::Box& block) {
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
