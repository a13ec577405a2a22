// SPDX-License-Identifier: MIT
// Columns of coarse cells, one for each thread of a GPU, which keeps what the next plane needs
// again.
#pragma once

#include "comm/device/launch_teams.hpp"
#include "comm/device/tile.hpp"
#include "solver/cycle/transfer.hpp"

#include <type_traits>

namespace halotherm::solver {

/// Along which axes cells are joined.
template <bool X, bool Y, bool Z>
struct JoinedAxes {
  static constexpr bool x = X, y = Y, z = Z;
};

/// Calls `work` with the JoinedAxes of a transfer.
template <class Work>
void with_joined_axes(const TransferView& transfer, const Work& work) {
  const auto with = [](bool joins, const auto& call) {
    joins ? call(std::true_type()) : call(std::false_type());
  };
  with(transfer.joins[0], [&](auto x) {
    with(transfer.joins[1], [&](auto y) {
      with(transfer.joins[2], [&](auto z) { work(JoinedAxes<x(), y(), z()>()); });
    });
  });
}

/// Whether no coarse cell of a column has three along an axis, as only the last one may.
KOKKOS_FORCEINLINE_FUNCTION bool has_pairs(const Coarsening& c, int I, int J, int last_K) {
  const auto few = [&](int axis, int coarse) {
    const auto cells = children(c, axis, coarse);
    return cells.end - cells.first <= 2;
  };
  return few(0, I) && few(1, J) && few(2, last_K);
}

namespace detail {

template <class Body>
struct VisitColumn {
  Body body;
  comm::TileGrid cut;

  VisitColumn(const Body& the_body, int planes)
      : body(the_body), cut(body.box, {.rows = 1, .planes = planes}, 1, body.box.lower[0]) {}

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int team, int thread) const {
    const auto piece = cut.piece(team, thread);
    if (piece.i < body.box.upper[0] && piece.j < body.box.upper[1])
      body(piece.i, piece.j, piece.k_begin, piece.k_end);
  }
};

}  // namespace detail

/// Launches `Column<JoinedAxes>(transfer, arguments...)` for columns of the coarse cells of its
/// `box`: a call takes those of (I, J) from a plane to before another. On NVIDIA GPUs a launch of
/// its own, which can be recorded (Recording). Asynchronous on `space`.
template <template <class> class Column, class... Arguments>
void for_each_column(const comm::Space& space, const char* label, const TransferView& transfer,
                     const Arguments&... arguments) {
  using Bounds = Kokkos::LaunchBounds<comm::TileGrid::threads, 4>;
  constexpr int most_planes = 8;
  constexpr int large = 1 << 20;  // cells with more columns than a GPU runs at a time
  with_joined_axes(transfer, [&](auto joined) {
    const Column<decltype(joined)> column(transfer, arguments...);
    if (column.box.empty()) return;
    const detail::VisitColumn visit(column, column.box.size() >= large ? most_planes : 1);
    comm::for_each_thread<Bounds>(space, label, visit.cut.teams(), comm::TileGrid::threads, visit);
  });
}

}  // namespace halotherm::solver
