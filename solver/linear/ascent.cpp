// SPDX-License-Identifier: MIT
#include "solver/linear/ascent.hpp"

#include "comm/device/for_each_cell.hpp"
#include "solver/linear/ascent_stream.hpp"
#include "solver/linear/ascent_wave.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::solver {

namespace {

/// Where results go, cell by cell or by pairs.
struct StoreIn {
  using Value = float;
  using Pair = CellPair<float>;
  static constexpr bool adds = false;
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
  static constexpr bool adds = true;
  double factor;
  comm::GridView<Real> values;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, float x) const {
    values(i, j, k) = sum(values(i, j, k), x);
  }
  static KOKKOS_FORCEINLINE_FUNCTION Pair before(const Real* from) {
    return *reinterpret_cast<const Pair*>(from);
  }
  KOKKOS_FORCEINLINE_FUNCTION Pair pair(const Pair& before, float first, float second) const {
    return {sum(before.cell[0], first), sum(before.cell[1], second)};
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Real sum(Real before, float x) const {
    return static_cast<Real>(static_cast<double>(before) + factor * static_cast<double>(x));
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

/// One kernel for all.
template <class Store>
void ascend_by_stream(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                      const Store& store) {
  using Stream = AscentStream<4, Store>;
  using Tile = typename Stream::Tile;
  constexpr int fewest_planes = 2;
  AscentWork work{pieces(owned.extent(0), Tile::useful_width),
                  pieces(owned.extent(1), Tile::useful_height), owned.extent(2), 1};
  work.teams = static_cast<int>(
      std::clamp(work.all() / fewest_planes, std::int64_t{1},
                 std::int64_t{std::max(space.concurrency() / comm::threads_of_multiprocessor, 1)}));
  typename Stream::Policy policy(space, work.teams, Tile::threads);
  policy.set_scratch_size(0,
                          Kokkos::PerTeam(Stream::Shared::View::shmem_size(Stream::Shared::size)));
  Kokkos::parallel_for("ascent", policy, Stream{ascent, owned, work, store});
}

/// A thread's strips of rows, each small enough for its second-level cache.
template <class Store>
struct AscentStrips {
  Ascent ascent;
  comm::Box owned;
  Store store;
  int strips, layers;

  AscentStrips(const Ascent& the_ascent, const comm::Box& the_owned, const Store& the_store,
               int threads)
      : ascent(the_ascent), owned(the_owned), store(the_store) {
    constexpr std::int64_t cache = 1 << 19;  // bytes
    constexpr int fewest_rows = 16;
    const auto rows = cache / AscentWave<Store>::bytes_a_row(owned.extent(0)) - 2 * Ascent::sweeps;
    strips = pieces(owned.extent(1), static_cast<int>(std::max<std::int64_t>(rows, fewest_rows)));
    layers = std::min(pieces(threads, strips), owned.extent(2));
  }
  void operator()(int piece) const {
    auto part = owned;
    divide(part, 1, piece % strips, strips);
    divide(part, 2, piece / strips, layers);
    AscentWave<Store>(ascent, part, store).run();
  }

 private:
  /// To its n-th part.
  static void divide(comm::Box& box, int axis, int n, int parts) {
    const std::int64_t lower = box.lower[axis], cells = box.extent(axis);
    box.lower[axis] = static_cast<int>(lower + cells * n / parts);
    box.upper[axis] = static_cast<int>(lower + cells * (n + 1) / parts);
  }
};

template <class Store>
void ascend_by_wave(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                    const Store& store) {
  const AscentStrips<Store> body(ascent, owned, store, space.concurrency());
  using Policy =
      Kokkos::RangePolicy<comm::Space, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;
  Kokkos::parallel_for("ascent", Policy(space, 0, body.strips * body.layers), body);
}

template <class Store>
void ascend_into(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                 const Exchange& exchange, Field<float>& x, Field<float>& next,
                 const Store& store) {
  if (ascent.grid.dimensions == 3 && !exchange) {
    if constexpr (comm::kernels_run_on_host) return ascend_by_wave(space, owned, ascent, store);
    if constexpr (!comm::kernels_run_on_host) return ascend_by_stream(space, owned, ascent, store);
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
