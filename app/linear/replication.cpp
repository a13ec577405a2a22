// SPDX-License-Identifier: MIT
#include "app/linear/replication.hpp"

#include "solver/multigrid/restriction.hpp"

#include <algorithm>
#include <bit>

namespace halotherm::app {

namespace {

/// The cells of a box in the order of a larger one's memory.
template <class Work>
void for_places(const comm::Box& whole, const comm::Box& part, const Work& work) {
  std::size_t n = 0;
  for (int k = part.lower[2]; k < part.upper[2]; ++k) {
    for (int j = part.lower[1]; j < part.upper[1]; ++j) {
      const std::int64_t row =
          std::int64_t{k - whole.lower[2]} * whole.extent(1) + (j - whole.lower[1]);
      for (int i = part.lower[0]; i < part.upper[0]; ++i)
        work(static_cast<std::size_t>(row * whole.extent(0) + (i - whole.lower[0])), n++);
    }
  }
}

}  // namespace

/// Each rank adds the bits of its values to zeros.
void gather(const Level& from, const solver::Field<float>& values, const Level& to,
            solver::Field<float>& copy, const std::function<comm::Box(const comm::Box&)>& part) {
  const auto mine = part(from.owned), whole = part(to.owned);
  std::vector<float> host(static_cast<std::size_t>(mine.size()));
  from.streams.fence();
  solver::copy_to_host<float>(values, mine, host);
  std::vector<std::int64_t> bits(static_cast<std::size_t>(whole.size()), 0);
  for_places(whole, mine, [&](std::size_t place, std::size_t n) {
    bits[place] = std::bit_cast<std::uint32_t>(host[n]);
  });
  from.communicator.sum(std::span(bits));
  std::vector<float> all(bits.size());
  std::ranges::transform(bits, all.begin(), [](std::int64_t value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value));
  });
  solver::copy_from_host<float>(all, whole, copy);
}

bool sends_to_all(const comm::Communicator& communicator) {
  constexpr int most = 8;
  return communicator.size() > 1 && communicator.size() <= most;
}

comm::Halo<float> exchange_with_all(const Level& level) {
  const int mine = level.communicator.rank();
  comm::HaloPlan plan;
  std::vector<comm::TransportKind> kinds;
  for (int other = 0; other < level.communicator.size(); ++other) {
    if (other == mine) continue;
    plan.messages.push_back({.neighbour = other,
                             .send = level.partition.owned(mine),
                             .receive = level.partition.owned(other)});
    kinds.push_back(level.kind(other));
  }
  return {level.communicator, plan, kinds};
}

void replicate(Level& from, const solver::Field<float>& values, const Level& to,
               solver::Field<float>& copy) {
  if (!from.to_all) return gather(from, values, to, copy, owned_cells);
  copy_block(from, values, copy);
  exchange_by(*from.to_all, from.streams, copy);
}

void copy_block(const Level& level, const solver::Field<float>& from, solver::Field<float>& to) {
  solver::restrict_to(level.space(), {level.grid}, level.owned, from.view(), to.view());
}

}  // namespace halotherm::app
