// SPDX-License-Identifier: MIT
#include "app/integrate/tiling.hpp"

#include "app/integrate/tile_cache.hpp"
#include "comm/machine/device.hpp"
#include "comm/system/stopwatch.hpp"
#include "solver/kernels/tune.hpp"

#include <fmt/format.h>

namespace halotherm::app {

namespace {

constexpr double budget = 3.0;                        ///< [s]
constexpr std::int64_t cells_worth_tuning = 1 << 16;  ///< smaller blocks are a matter of launches

template <class Real>
std::string key_of(const solver::HeatEquation<Real>& equation, const comm::Box& box) {
  return comm::device_model() + " | " + (sizeof(Real) == 8 ? "float64 " : "float32 ") +
         std::to_string(equation.dimensions()) + "-D, " +
         std::to_string(equation.bytes_per_cell()) + " bytes a cell | " +
         std::to_string(box.extent(0)) + " x " + std::to_string(box.extent(1)) + " x " +
         std::to_string(box.extent(2));
}

}  // namespace

std::string to_string(const Tiling& tiling) {
  std::string text = comm::to_string(tiling.tile);
  if (tiling.origin == Tiling::Origin::cached) return text + " (as measured by an earlier run)";
  if (tiling.origin == Tiling::Origin::usual) return text + " (not measured)";
  return text +
         fmt::format(" (the fastest of {}, measured in {:.2g} s)", tiling.tried, tiling.seconds);
}

template <class Real>
Tiling choose_tiling(ForwardEuler<Real>& euler, const solver::Field<Real>& temperature, double dt) {
  const auto& world = euler.domain().world;
  auto& interior = euler.domain().interior;
  Tiling tiling{.tile = interior.tile()};
  const bool worth = !interior.large().empty() && interior.cells() >= cells_worth_tuning;
  TileCache cache(world);
  const std::string key = worth ? key_of(euler.problem().equation, interior.large().front()) : "";
  const auto cached = worth ? cache.find(key) : std::nullopt;
  // together, since ranks that share a node's memory would find it faster alone
  if (!world.any(worth && !cached)) {
    if (!cached) return tiling;
    interior.set_tile(*cached);
    return {.tile = *cached, .origin = Tiling::Origin::cached};
  }
  const comm::Stopwatch stopwatch;
  std::optional<comm::Tile> found;
  if (worth) {
    const auto tuned = solver::tune(euler.streams().bulk(), interior, euler.problem().step(dt),
                                    temperature.view(), euler.scratch().view(), budget);
    found = tuned.tile;
    interior.set_tile(tuned.tile);
    tiling = {.tile = tuned.tile, .origin = Tiling::Origin::measured, .tried = tuned.tried};
  }
  cache.add(world, key, found);
  tiling.seconds = stopwatch.seconds();
  return tiling;
}

template Tiling choose_tiling(ForwardEuler<float>&, const solver::Field<float>&, double);
template Tiling choose_tiling(ForwardEuler<double>&, const solver::Field<double>&, double);

}  // namespace halotherm::app
