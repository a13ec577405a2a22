// SPDX-License-Identifier: MIT
#include "io/distribution/redistribution.hpp"

#include "comm/mpi/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace halotherm::io {

template <class Real>
Redistribution<Real>::Redistribution(FileDomains domains, const std::vector<comm::Box>& blocks,
                                     int rank, std::int64_t limit)
    : domains_(std::move(domains)),
      limit_(limit),
      domain_(domains_.range_of(rank)),
      block_(blocks[static_cast<std::size_t>(rank)]),
      exchange_(static_cast<int>((domains_.largest() + limit - 1) / limit)) {
  using Part = typename BoxExchange<Real>::Part;
  const auto parts_of = [&](const ValueRange& range) {
    std::vector<Part> parts;
    for (const auto& box : domains_.order().boxes(range)) parts.push_back({box});
    return parts;
  };
  std::vector<std::vector<Part>> pieces;
  for (int round = 0; round < rounds(); ++round) pieces.push_back(parts_of(piece(round)));
  const auto whole = parts_of(domain_);
  for (int other = 0; other < static_cast<int>(blocks.size()) && !domain_.empty(); ++other) {
    const auto& block = blocks[static_cast<std::size_t>(other)];
    const auto meets = [&](const Part& part) { return !intersection(part.cells, block).empty(); };
    for (int round = 0; round < rounds() && std::ranges::any_of(whole, meets); ++round) {
      auto& list = other == rank ? exchange_.in(round).own : exchange_.in(round).incoming;
      exchange_.add(other, block, pieces[static_cast<std::size_t>(round)], list);
    }
  }
  const auto [first, end] = domains_.overlapping(domains_.order().span(block_));
  for (int domain = first; domain < end; ++domain) {
    const int owner = domains_.owner(domain);
    for (int round = 0; round < rounds() && owner != rank; ++round)
      exchange_.add(owner, block_, parts_of(piece_of(domains_.range(domain), round)),
                    exchange_.in(round).outgoing);
  }
}

template <class Real>
ValueRange Redistribution<Real>::piece_of(const ValueRange& domain, int round) const {
  const auto first = std::min(domain.first + round * limit_, domain.end);
  return {first, std::min(first + limit_, domain.end)};
}

template <class Real>
std::int64_t Redistribution<Real>::assembled_values(int round) const {
  const auto size = piece(round).size();
  return exchange_.values_of(exchange_.in(round).own) == size ? 0 : size;
}

template <class Real>
std::int64_t Redistribution<Real>::buffered_values() const {
  std::int64_t most = 0;
  for (int round = 0; round < rounds(); ++round)
    most = std::max(most, exchange_.buffered_values(round) + assembled_values(round));
  return most;
}

template <class Real>
void Redistribution<Real>::prepare() {
  std::int64_t held = 0, most = 0;
  for (int round = 0; round < rounds(); ++round) {
    const auto& transfers = exchange_.in(round);
    held += exchange_.values_of(transfers.own) + exchange_.values_of(transfers.incoming);
    most = std::max(most, assembled_values(round));
  }
  if (held != domain_.size())
    throw comm::Error(comm::ExitCode::internal,
                      {fmt::format("the blocks hold {} of {} values", held, domain_.size()),
                       "each must be in exactly one", "report this"});
  exchange_.prepare();
  piece_.resize(static_cast<std::size_t>(most));
}

template <class Real>
void Redistribution<Real>::release() {
  exchange_.release();
  piece_ = {};
}

template <class Real>
void Redistribution<Real>::pack(int round, std::span<const Real> block) {
  exchange_.pack(round, [&](const comm::Box&) { return BoxValues<const Real>{block_, block}; });
}

template <class Real>
std::span<const Real> Redistribution<Real>::unpack_piece(int round, std::span<const Real> block) {
  const auto own = piece(round);
  const auto& order = domains_.order();
  const BoxValues<const Real> source{block_, block};
  const auto size = static_cast<std::size_t>(own.size());
  if (own.empty()) return {};
  if (assembled_values(round) == 0) {  // the values are contiguous in the block's memory, too
    const auto first = order.cell(own.first);
    return block.subspan(static_cast<std::size_t>(source.offset(first[0], first[1], first[2])),
                         size);
  }
  const BoxValues<Real> target{
      {{0, 0, 0}, order.extent()}, std::span(piece_).first(size), own.first};
  exchange_.unpack(
      round, [&](const comm::Box&) { return source; }, [&](const comm::Int3&) { return target; });
  return target.values;
}

template class Redistribution<float>;
template class Redistribution<double>;

std::vector<comm::Box> gather_blocks(const comm::Communicator& communicator,
                                     const comm::Box& block) {
  return communicator.gather_values(block);
}

}  // namespace halotherm::io
