// SPDX-License-Identifier: MIT
// The definitions of apply_steps.hpp, compiled in one source for each precision.
#pragma once

#include "solver/waves/apply_steps.hpp"

#include "comm/device/launch_teams.hpp"
#include "solver/kernels/apply_of.hpp"
#include "solver/kernels/tiles.hpp"
#include "solver/waves/line_wave.hpp"
#include "solver/waves/tile_wave.hpp"
#include "solver/waves/wave_strips.hpp"

#include <algorithm>

namespace halotherm::solver {

// compiled elsewhere
extern template void apply(const comm::Space&, const comm::Region&, const EulerStep<double>&,
                           const comm::GridView<const double>&, const comm::GridView<double>&);
extern template void apply(const comm::Space&, const comm::Region&, const EulerStep<float>&,
                           const comm::GridView<const float>&, const comm::GridView<float>&);

namespace detail {

/// Media whose coefficients are numbers, or fields with ghost cells.
template <class Medium>
inline constexpr bool reaches_ghosts = false;
template <class Real>
inline constexpr bool reaches_ghosts<UniformMedium<Real>> = true;
template <class Real>
inline constexpr bool reaches_ghosts<StretchedMedium<Real>> = true;
template <class Real, class Spacing>
inline constexpr bool reaches_ghosts<VaryingMedium<Real, Spacing>> = true;
template <class Real>
inline constexpr bool reaches_ghosts<KindsMedium<Real>> = true;

/// Media for which kernels exist.
template <class Medium>
inline constexpr bool has_waves = (comm::kernels_run_on_host && reaches_ghosts<Medium>);
template <class Real>
inline constexpr bool has_waves<UniformMedium<Real>> = true;

template <class Medium>
constexpr int most_steps_in() {
  if (!has_waves<Medium>) return 1;
  return comm::kernels_run_on_host ? 8 : 4;
}

/// Whether kernels on GPUs suit a block: they take conditions that hold for all cells of a side,
/// and in three dimensions only one side across y may lie in a tile.
template <class Real>
bool suits_tiles(int dimensions, const Sides<Real>& sides) {
  for (const auto& axis : sides.condition) {
    if (axis[0].of_cell != nullptr || axis[1].of_cell != nullptr) return false;
  }
  constexpr int tallest =
      std::max({WaveShape::of<Real>(2).height(), WaveShape::of<Real>(3).height(),
                WaveShape::of<Real>(4).height()});
  return dimensions == 2 || !sides.condition[1][0].present || !sides.condition[1][1].present ||
         sides.owned.extent(1) + 2 >= tallest;
}

template <class Update, class Real>
struct PieceOfWave {
  WaveStrips<Update, Real> strips;
  void operator()(int piece) const { strips.sweep(piece); }
};

#if defined(KOKKOS_ENABLE_CUDA)
template <int Steps, class Real, class Update>
void launch_wave(const comm::Space& space, const comm::Box& box, const Update& update) {
  const int multiprocessors = space.concurrency() / comm::threads_of_multiprocessor;
  if constexpr (Update::dimensions == 3) {
    using Tile = WaveTile<Steps, Real>;
    using Wave = TileWave<Tile, Update, Real>;
    const Wave wave{update, wave_work<Tile>(box, update.sides, multiprocessors, 1)};
    comm::for_each_sharing_thread<typename Wave::Bounds>(
        space, "several steps", wave.work.teams, static_cast<int>(sizeof(typename Wave::Shared)),
        wave);
  } else {
    using Tile = LineTile<Steps, 2, Real>;
    using Wave = LineWave<Tile, Update, Real>;
    constexpr int warps_of_multiprocessor = 3 * Tile::warps, fewest_rows = 4 * Steps;
    const Wave wave{
        update,
        wave_work<Tile>(box, update.sides, multiprocessors * warps_of_multiprocessor, fewest_rows)};
    comm::for_each_thread<typename Wave::Bounds>(space, "several steps",
                                                 (wave.work.teams + Tile::warps - 1) / Tile::warps,
                                                 Tile::threads, wave);
  }
}

template <int Dim, class Real, class Medium>
void launch_steps(const comm::Space& space, std::span<const comm::Box> boxes,
                  const EulerStep<Real>& step, int steps, const Medium& medium,
                  const comm::GridView<const Real>& in, const comm::GridView<Real>& out) {
  const auto sides = step.boundary.view();
  with_cells<Dim>(step, medium, [&](const auto& cells) {
    const Update<Dim, Real, Medium, std::decay_t<decltype(cells)>> update{in, out, medium, cells,
                                                                          sides};
    for (const auto& box : boxes) {
      if (box.empty()) continue;
      if (steps == 2) launch_wave<2, Real>(space, box, update);
      if (steps == 3) launch_wave<3, Real>(space, box, update);
      if (steps == 4) launch_wave<4, Real>(space, box, update);
    }
  });
}
#else
template <int Dim, class Real, class Medium>
void launch_steps(const comm::Space& space, std::span<const comm::Box> boxes,
                  const EulerStep<Real>& step, int steps, const Medium& medium,
                  const comm::GridView<const Real>& in, const comm::GridView<Real>& out) {
  using Policy =
      Kokkos::RangePolicy<comm::Space, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;
  const auto sides = step.boundary.view();
  with_cells<Dim>(step, medium, [&](const auto& cells) {
    using Update_ = Update<Dim, Real, Medium, std::decay_t<decltype(cells)>>;
    const Update_ update{in, out, medium, cells, sides};
    for (const auto& box : boxes) {
      if (box.empty()) continue;
      const WaveStrips<Update_, Real> strips(update, steps, box, space.concurrency());
      Kokkos::parallel_for("several steps", Policy(space, 0, strips.pieces()),
                           PieceOfWave<Update_, Real>{strips});
    }
  });
}
#endif

}  // namespace detail

template <class Real>
int most_steps_at_once(const HeatEquation<Real>& equation, const Boundary<Real>& boundary) {
  if (equation.dimensions() == 1) return 1;
  if (!comm::kernels_run_on_host && !detail::suits_tiles(equation.dimensions(), boundary.view()))
    return 1;
  return std::visit(
      [&](const auto& medium) { return detail::most_steps_in<std::decay_t<decltype(medium)>>(); },
      equation.medium());
}

template <class Real>
bool can_step_in_ghosts(const HeatEquation<Real>& equation) {
  if (equation.dimensions() == 1) return false;
  return std::visit(
      [](const auto& medium) { return detail::reaches_ghosts<std::decay_t<decltype(medium)>>; },
      equation.medium());
}

template <class Real>
std::vector<comm::Region> regions_of_steps(const comm::Box& box, const EulerStep<Real>& step,
                                           int steps) {
  const auto& equation = step.equation;
  std::vector<comm::Region> regions;
  for (int left = steps - 1; left >= 0; --left) {
    regions.emplace_back(needed_cells(box, step.boundary.view(), equation.dimensions(), left));
    regions.back().set_tile(tile_for(equation, BlockPart::interior, regions.back().cells()));
  }
  return regions;
}

template <class Real>
void apply_steps(const comm::Space& space, std::span<const comm::Box> boxes,
                 const EulerStep<Real>& step, int steps, const comm::GridView<const Real>& in,
                 const comm::GridView<Real>& out) {
  if (steps == 1 && !comm::kernels_run_on_host) {
    comm::Region region(boxes);
    region.set_tile(tile_for(step.equation, BlockPart::interior, region.cells()));
    return apply(space, region, step, in, out);
  }
  const auto launch = [&](const auto& medium) {
    using Medium = std::decay_t<decltype(medium)>;
    if constexpr (detail::has_waves<Medium>) {
      step.equation.dimensions() == 2
          ? detail::launch_steps<2>(space, boxes, step, steps, medium, in, out)
          : detail::launch_steps<3>(space, boxes, step, steps, medium, in, out);
    }
  };
  std::visit(launch, step.equation.medium());
}

}  // namespace halotherm::solver
