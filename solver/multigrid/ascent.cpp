// SPDX-License-Identifier: MIT
#include "solver/multigrid/ascent.hpp"

#include "comm/device/for_each_cell.hpp"
#include "comm/device/launch_teams.hpp"
#include "solver/linear/vectors.hpp"
#include "solver/multigrid/ascent_stream.hpp"
#include "solver/multigrid/ascent_wave.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::solver {

namespace {

/// Where results go, cell by cell or by pairs.
struct StoreIn {
  using Value = float;
  using Pair = CellPair<float>;
  [[maybe_unused]] static constexpr bool adds = false;
  comm::GridView<float> values;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, float x) const {
    values(i, j, k) = x;
  }
  /// Of what `pair` needs.
  static KOKKOS_FORCEINLINE_FUNCTION Pair before(const float*) { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION Pair pair(const Pair&, float first, float second) const {
    return {first, second};
  }
};

template <class Real>
struct AddTo {
  using Value = Real;
  using Pair = CellPair<Real>;
  [[maybe_unused]] static constexpr bool adds = true;
  double factor;
  comm::GridView<Real> values;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, float x) const {
    values(i, j, k) = corrected(values(i, j, k), factor, x);
  }
  static KOKKOS_FORCEINLINE_FUNCTION Pair before(const Real* from) {
    return *reinterpret_cast<const Pair*>(from);
  }
  KOKKOS_FORCEINLINE_FUNCTION Pair pair(const Pair& before, float first, float second) const {
    return {corrected(before.cell[0], factor, first), corrected(before.cell[1], factor, second)};
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
    const auto star = star_at<Dim>(x, i, j, k);
    const float rates_xy = (along_x.lower + along_x.upper) + (along_y.lower + along_y.upper);
    const float inverse = inverse_of(rates_xy, along_z.lower + along_z.upper, A.mass);
    const float inverse_area = (along_x.inverse_area * along_z.inverse_area) * along_y.inverse_area;
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
    return exchange ? owned : ascent.grid.grown(owned, sweeps_left);
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

/// One kernel for all.
template <class Store>
void ascend_by_stream(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                      const Store& store) {
  using Tile = AscentTile<3, 12>;
  using Stream = AscentStream<Tile, Store>;
  constexpr int fewest_planes = 2;
  const auto tiles = [](int cells, int size) { return (cells + size - 1) / size; };
  AscentWork work{tiles(owned.extent(0), Tile::useful_width),
                  tiles(owned.extent(1), Tile::useful_height), owned.extent(2), 1};
  work.teams = static_cast<int>(
      std::clamp(work.all() / fewest_planes, std::int64_t{1},
                 std::int64_t{std::max(space.concurrency() / comm::threads_of_multiprocessor, 1)}));
  comm::for_each_sharing_thread<typename Stream::Bounds>(
      space, "ascent", work.teams, static_cast<int>(sizeof(typename Stream::Shared)),
      Stream{ascent, owned, work, store});
}

template <class Store>
struct AscendStrip {
  Ascent ascent;
  Store store;
  void operator()(const comm::Box& part) const { AscentWave<Store>(ascent, part, store).run(); }
};

template <class Store>
void ascend_by_wave(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                    const Store& store) {
  const Strips strips(owned, AscentWave<Store>::bytes_a_row(owned.extent(0)), Ascent::sweeps,
                      space.concurrency());
  for_each_strip(space, "ascent", strips, AscendStrip<Store>{ascent, store});
}

/// On GPUs, where the last cache holds the vectors of fewer cells: a kernel for each sweep then
/// takes less time than the way of one kernel through the planes.
constexpr std::int64_t fewest_streamed = 3'000'000;

template <class Store>
void ascend_into(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                 const Exchange& exchange, Field<float>& x, Field<float>& next,
                 const Store& store) {
  if (ascent.grid.dimensions == 3 && !exchange) {
    if constexpr (comm::kernels_run_on_host) return ascend_by_wave(space, owned, ascent, store);
    if constexpr (!comm::kernels_run_on_host) {
      if (owned.size() >= fewest_streamed) return ascend_by_stream(space, owned, ascent, store);
    }
  }
  with_dimensions(ascent.grid.dimensions, [&](auto dim) {
    ascend_by_sweeps<dim()>(space, owned, ascent, exchange, x, next, store);
  });
}

}  // namespace

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
