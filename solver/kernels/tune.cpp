// SPDX-License-Identifier: MIT
#include "solver/kernels/tune.hpp"

#include "comm/system/best_time.hpp"

#include <algorithm>
#include <vector>

namespace halotherm::solver {

namespace {
constexpr int rounds = 5;
}

template <class Real>
TunedTile tune(const comm::Space& space, comm::Region region, const EulerStep<Real>& step,
               const comm::GridView<const Real>& temperature, const comm::GridView<Real>& next,
               double budget) {
  TunedTile best{region.tile(), comm::no_time_yet, 0};
  if (region.large().empty()) return best;
  const auto tiles = comm::tile_candidates(region.large().front(),
                                           region.cells() * step.equation.bytes_per_cell());
  std::vector<double> seconds(tiles.size(), best.step_seconds);
  const comm::Stopwatch total;
  // in turns, so that no tile has the machine's worse moments to itself; the first round warms up,
  // and counts if no other comes
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t n = 0; n < tiles.size() && (best.tried == 0 || total.seconds() < budget);
         ++n) {
      region.set_tile(tiles[n]);
      const auto once = [&] { apply(space, region, step, temperature, next); };
      seconds[n] =
          std::min(seconds[n], time_once(comm::Alone(), 1, once, [&] { space.fence("tune"); }));
      best.tried = std::max(best.tried, static_cast<int>(n) + 1);
    }
  }
  const auto fastest =
      static_cast<std::size_t>(std::ranges::min_element(seconds) - seconds.begin());
  best.tile = tiles[fastest];
  best.step_seconds = seconds[fastest];
  return best;
}

template TunedTile tune(const comm::Space&, comm::Region, const EulerStep<float>&,
                        const comm::GridView<const float>&, const comm::GridView<float>&, double);
template TunedTile tune(const comm::Space&, comm::Region, const EulerStep<double>&,
                        const comm::GridView<const double>&, const comm::GridView<double>&, double);

}  // namespace halotherm::solver
