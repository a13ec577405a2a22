// SPDX-License-Identifier: MIT
#include "solver/linear/ascent.hpp"

#include "comm/device/for_each_cell.hpp"
#include "solver/linear/ascent_stream.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::solver {

namespace {

struct StoreIn {
  comm::GridView<float> x;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, float value) const {
    x(i, j, k) = value;
  }
};

template <class Real>
struct AddTo {
  double factor;
  comm::GridView<Real> values;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, float value) const {
    values(i, j, k) = static_cast<Real>(static_cast<double>(values(i, j, k)) +
                                        factor * static_cast<double>(value));
  }
};

template <int Dim>
struct Interpolate {
  InterpolationView interpolation;
  comm::GridView<const float> coarse;
  comm::GridView<float> x;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    x(i, j, k) = interpolation.operator()<Dim>(coarse, i, j, k);
  }
};

template <int Dim, class Store>
struct AscentSweep {
  SeparableView A;
  float weight;
  comm::GridView<const float> b, x;
  Store store;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const auto along_x = A.rates(0, i);
    const auto along_y = Dim > 1 ? A.rates(1, j) : AxisRates{0, 0, 1};
    const auto along_z = Dim > 2 ? A.rates(2, k) : AxisRates{0, 0, 1};
    SweepStar star{};
    star.here = x(i, j, k);
    star.west = x(i - 1, j, k);
    star.east = x(i + 1, j, k);
    if constexpr (Dim > 1) {
      star.south = x(i, j - 1, k);
      star.north = x(i, j + 1, k);
    }
    if constexpr (Dim > 2) {
      star.below = x(i, j, k - 1);
      star.above = x(i, j, k + 1);
    }
    const float rates_xy = (along_x.lower + along_x.upper) + (along_y.lower + along_y.upper);
    const float inverse = inverse_of(rates_xy, along_z.lower + along_z.upper, A.mass);
    const float inverse_area = (along_x.inverse_area * along_y.inverse_area) * along_z.inverse_area;
    store(i, j, k,
          swept<Dim>(weight, inverse, b(i, j, k) * inverse_area, star,
                     {along_x.lower, along_x.upper, along_y.lower, along_y.upper, along_z.lower,
                      along_z.upper}));
  }
};

/// A kernel for the interpolation and one for each sweep.
template <int Dim, class Store>
void ascend_by_sweeps(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                      const Exchange& exchange, Field<float>& x, Field<float>& next,
                      const Store& store) {
  const auto box = [&](int sweeps_left) {
    return exchange ? owned : ascent.grown(owned, sweeps_left);
  };
  comm::for_each_cell(space, "interpolation", box(Ascent::sweeps),
                      Interpolate<Dim>{ascent.interpolation, ascent.coarse, x.view()});
  for (int sweep = 0; sweep < Ascent::sweeps; ++sweep) {
    if (exchange) exchange(x);
    const auto sweep_into = [&](const auto& target) {
      using Target = std::decay_t<decltype(target)>;
      comm::for_each_cell(space, "sweep", box(Ascent::sweeps - 1 - sweep),
                          AscentSweep<Dim, Target>{ascent.A, ascent.weights[sweep], ascent.b,
                                                   std::as_const(x).view(), target});
    };
    if (sweep + 1 == Ascent::sweeps) return sweep_into(store);
    sweep_into(StoreIn{next.view()});
    swap(x, next);
  }
}

int pieces(int cells, int size) {
  return (cells + size - 1) / size;
}

/// Into how many tiles the planes are divided: tiles compute some planes twice, but all
/// multiprocessors shall be busy to the end.
template <class Tile>
int parts_along_z(const comm::Space& space, int tiles_of_plane, int planes) {
  constexpr int threads_of_multiprocessor = 2048, fewest_planes = 2;
  constexpr double before_first = 2 * Tile::halo + 2;  // planes, what a tile's start takes included
  const int at_once = std::max(space.concurrency() / threads_of_multiprocessor, 1);
  int best = 1;
  double best_time = 0;
  for (int parts = 1; parts <= std::max(planes / fewest_planes, 1); ++parts) {
    const double time =
        pieces(tiles_of_plane * parts, at_once) * (pieces(planes, parts) + before_first);
    if (best_time > 0 && time >= best_time) continue;
    best = parts;
    best_time = time;
  }
  return best;
}

/// One kernel for all.
template <class Store>
void ascend_by_stream(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                      const Store& store) {
  using Stream = AscentStream<2, Store>;
  using Tile = typename Stream::Tile;
  comm::Int3 tiles{pieces(owned.extent(0), Tile::useful_width),
                   pieces(owned.extent(1), Tile::useful_height), 1};
  const int parts = parts_along_z<Tile>(space, tiles[0] * tiles[1], owned.extent(2));
  const int planes = pieces(owned.extent(2), parts);
  tiles[2] = pieces(owned.extent(2), planes);
  typename Stream::Policy policy(space, tiles[0] * tiles[1] * tiles[2], Tile::threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(Stream::Scratch::shmem_size(Stream::scratch_values)));
  Kokkos::parallel_for("ascent", policy, Stream{ascent, owned, tiles, planes, store});
}

template <class Store>
void ascend_into(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                 const Exchange& exchange, Field<float>& x, Field<float>& next,
                 const Store& store) {
  if constexpr (!comm::kernels_run_on_host) {
    if (ascent.grid.dimensions == 3 && !exchange)
      return ascend_by_stream(space, owned, ascent, store);
  }
  with_dimensions(ascent.grid.dimensions, [&](auto dim) {
    ascend_by_sweeps<dim()>(space, owned, ascent, exchange, x, next, store);
  });
}

}  // namespace

comm::Box Ascent::grown(const comm::Box& owned, int width) const {
  auto box = owned;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const bool periodic = grid.periodic[axis];
    box.lower[axis] = periodic ? owned.lower[axis] - width : std::max(owned.lower[axis] - width, 0);
    box.upper[axis] = periodic ? owned.upper[axis] + width
                               : std::min(owned.upper[axis] + width, grid.cells[axis]);
  }
  return box;
}

void ascend(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
            const Exchange& exchange, Field<float>& x, Field<float>& next) {
  // an odd number of sweeps ends in the field in which the interpolation was not
  ascend_into(space, owned, ascent, exchange, next, x, StoreIn{x.view()});
}

template <class Real>
void ascend_onto(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                 const Exchange& exchange, Field<float>& x, Field<float>& next, double factor,
                 const comm::GridView<Real>& values) {
  ascend_into(space, owned, ascent, exchange, x, next, AddTo<Real>{factor, values});
}

#define HALOTHERM_INSTANTIATE(Real)                                                               \
  template void ascend_onto(const comm::Space&, const comm::Box&, const Ascent&, const Exchange&, \
                            Field<float>&, Field<float>&, double, const comm::GridView<Real>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::solver
