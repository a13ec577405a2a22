// SPDX-License-Identifier: MIT
#include "app/linear/replication.hpp"

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

void take_part(const solver::Field<float>& copy, const Level& to, solver::Field<float>& values) {
  solver::restrict_to(to.space(), {to.grid}, to.owned, copy.view(), values.view());
}

}  // namespace halotherm::app
