// SPDX-License-Identifier: MIT
// Launches plane streaming on GPUs, plain or instrumented.
#pragma once

#include "comm/device/launch_teams.hpp"
#include "solver/diagnostics/accumulator_board.hpp"
#include "solver/streaming/one_material.hpp"
#include "solver/streaming/plane_streaming.hpp"

#include <algorithm>
#include <span>

namespace halotherm::solver::detail {

/// Streams through one box, or through several in one launch.
template <class Stream, int Most>
struct PlainStream {
  Stream stream;
  typename Stream::Part parts[Most];
  int first[Most + 1];  ///< team of each part, and of those beyond the last

  PlainStream(const Stream& the_stream, std::span<const comm::Box> boxes, const comm::Tile& tile)
      : stream(the_stream), first{} {
    for (std::size_t n = 0; n < Most; ++n) {
      if (n < boxes.size()) parts[n] = stream.part(boxes[n], tile);
      first[n + 1] = first[n] + parts[n].cut.teams();
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int team, int thread) const {
    int n = 0;
    if constexpr (Most > 1) {
      while (team >= first[n + 1]) ++n;
    }
    NoInstrument instrument;
    stream(parts[n], team - first[n], thread, instrument);
  }
};

/// Instrumented streaming: a thread takes several pieces in turn, so that few accumulators are
/// joined.
template <class Stream, class Real, bool Weighed>
struct InstrumentedStream : JoiningAccumulators {
  using Bounds = Kokkos::LaunchBounds<comm::TileGrid::threads, 4>;
  static constexpr int streams_accumulated = 1 << 10;  ///< before the counters are handed over
  using Policy = Kokkos::RangePolicy<comm::Space, Bounds, Kokkos::IndexType<int>>;
  Stream stream;
  typename Stream::Part part;
  DiagnosticsSettings<Real> settings;
  int at_once;  ///< teams

  InstrumentedStream(const Stream& the_stream, const comm::Box& box, const comm::Tile& tile,
                     const DiagnosticsSettings<Real>& the_settings, int most_threads)
      : stream(the_stream),
        part(stream.part(box, tile)),
        settings(the_settings),
        at_once(std::clamp(most_threads / comm::TileGrid::threads, 1, part.cut.teams())) {}
  KOKKOS_INLINE_FUNCTION void operator()(int n, Accumulator& accumulator) const {
    Instrument<Real, Weighed> instrument(accumulator, settings);
    int added = 0;
    for (int team = n / comm::TileGrid::threads; team < part.cut.teams(); team += at_once) {
      stream(part, team, n % comm::TileGrid::threads, instrument);
      if (++added % streams_accumulated == 0) instrument.hand_over();
    }
    instrument.hand_over();
  }
};

template <int Most, class Body>
void stream_plain(const comm::Space& space, std::span<const comm::Box> boxes,
                  const comm::Tile& tile, const Body& body) {
  using Bounds = Kokkos::LaunchBounds<comm::TileGrid::threads, Body::teams>;
  const PlainStream<Body, Most> functor(body, boxes, tile);
  comm::for_each_thread<Bounds>(space, "diffuse", functor.first[Most], comm::TileGrid::threads,
                                functor);
}

template <bool Isotropic, int Rows, int Dim, class Real, class Medium, class Cells, class Board>
void stream_planes(const comm::Space& space, const comm::Box& box, const comm::Tile& tile,
                   const Update<Dim, Real, Medium, Cells>& update, Board board) {
  using Body = PlaneStream<Dim, Rows, Isotropic, Update<Dim, Real, Medium, Cells>, Real>;
  const Body body{update};
  if constexpr (!std::is_null_pointer_v<Board>) {
    if (board != nullptr) {
      using Functor = InstrumentedStream<Body, Real, MediumTraits<Medium>::uneven>;
      const Functor functor(body, box, tile, board->settings(), space.concurrency() / 4);
      Kokkos::parallel_reduce(
          "diffuse instrumented",
          typename Functor::Policy(space, 0, functor.at_once * comm::TileGrid::threads), functor,
          board->next_slot());
      return;
    }
  }
  stream_plain<1>(space, std::span(&box, 1), tile, body);
}

/// Takes as many rows a thread as the tile asks for and registers allow.
template <int Dim, class Real, class Medium, class Cells, class Board>
void stream_planes(const comm::Space& space, const comm::Box& box, const comm::Tile& tile,
                   bool isotropic, const Update<Dim, Real, Medium, Cells>& update, Board board) {
  using Traits = MediumTraits<Medium>;
  const int rows = std::min(tile.rows, box.extent(1));
  if constexpr (Traits::follows_isotropy) {
    if (!isotropic) return stream_planes<false, 1>(space, box, tile, update, board);
  }
  if constexpr (Traits::most_rows(Dim) >= 4) {
    if (rows >= 4 && board == nullptr)
      return stream_planes<true, 4>(space, box, tile, update, nullptr);
  }
  if constexpr (Traits::rows_within_materials) {
    if constexpr (Traits::most_rows(Dim) >= 2) {
      // a stage takes differences of heat contents, for which two rows leave too few registers
      constexpr bool is_stage = requires {
        update.op.start;
      };
      const auto& materials = update.medium.materials;
      const bool takes_pairs = is_one_material(materials, source_of(update.op)) &&
                               (!is_stage || materials.inverse_capacity != nullptr);
      if (rows >= 2 && board == nullptr && takes_pairs)
        return stream_planes<true, 2>(space, box, tile, update, nullptr);
    }
  } else if constexpr (Traits::most_rows(Dim) >= 2) {
    if (rows >= 2) return stream_planes<true, 2>(space, box, tile, update, board);
  }
  stream_planes<true, 1>(space, box, tile, update, board);
}

/// Streams through the slabs of a shell in one launch, with one row a thread, since some slabs are
/// one row wide.
inline constexpr std::size_t most_slabs = 6;
template <int Dim, class Real, class Medium, class Cells>
void stream_through_slabs(const comm::Space& space, std::span<const comm::Box> boxes,
                          const comm::Tile& tile, bool isotropic,
                          const Update<Dim, Real, Medium, Cells>& update) {
  using Whole = Update<Dim, Real, Medium, Cells>;
  if constexpr (MediumTraits<Medium>::follows_isotropy) {
    if (!isotropic)
      return stream_plain<most_slabs>(space, boxes, tile,
                                      PlaneStream<Dim, 1, false, Whole, Real>{update});
  }
  stream_plain<most_slabs>(space, boxes, tile, PlaneStream<Dim, 1, true, Whole, Real>{update});
}

}  // namespace halotherm::solver::detail
