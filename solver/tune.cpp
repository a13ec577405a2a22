// SPDX-License-Identifier: MIT
#include "solver/tune.hpp"

#include "comm/timers.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {
constexpr int repeats = 3;
}

template <class Real>
TunedTile tune(const comm::Space& space, comm::Region region, const Step<Real>& step, const comm::GridView<const Real>& temperature,
               const comm::GridView<Real>& next, double budget) {
  TunedTile best{region.tile(), 1e300, 0};
  if (region.large().empty()) return best;
  const comm::Stopwatch total;
  for (const auto& tile : comm::tile_candidates(region.large().front(), region.cells() * step.equation.bytes_per_cell())) {
    if (best.tried > 0 && total.seconds() > budget) break;
    region.set_tile(tile);
    double seconds = 1e300;
    for (int repeat = 0; repeat <= repeats; ++repeat) {
      const comm::Stopwatch watch;
      diffuse(space, region, step, temperature, next);
      space.fence("tune");
      if (repeat > 0) seconds = std::min(seconds, watch.seconds());  // the first one warms up
    }
    ++best.tried;
    if (seconds < best.step_seconds) best = {tile, seconds, best.tried};
  }
  return best;
}

template TunedTile tune(const comm::Space&, comm::Region, const Step<float>&, const comm::GridView<const float>&,
                        const comm::GridView<float>&, double);
template TunedTile tune(const comm::Space&, comm::Region, const Step<double>&, const comm::GridView<const double>&,
                        const comm::GridView<double>&, double);

}  // namespace halotherm::solver
