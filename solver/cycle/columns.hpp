// SPDX-License-Identifier: MIT
// Columns of coarse cells, one for each thread of a GPU, which keeps what the next plane needs
// again.
#pragma once

#include "comm/device/lanes.hpp"
#include "comm/device/launch_teams.hpp"
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

/// Coarse cells that threads take in columns along z.
struct Columns {
  comm::Box box;
  int planes;  ///< of a thread

  /// As many planes as suit the box.
  explicit Columns(const comm::Box& the_box)
      : box(the_box), planes(the_box.size() >= large ? most_planes : 1) {}

  KOKKOS_FORCEINLINE_FUNCTION int end(int begin) const {
    return Kokkos::min(begin + planes, box.upper[2]);
  }

 private:
  static constexpr int most_planes = 8;
  static constexpr int large = 1 << 20;  ///< cells with more columns than a GPU runs at a time
};

/// Whether no coarse cell of a column has three along an axis, as only the last one may.
KOKKOS_FORCEINLINE_FUNCTION bool has_pairs(const Coarsening& c, int I, int J, int last_K) {
  const auto few = [&](int axis, int coarse) {
    const auto cells = children(c, axis, coarse);
    return cells.end - cells.first <= 2;
  };
  return few(0, I) && few(1, J) && few(2, last_K);
}

namespace detail {

/// Teams of threads side by side along x and y.
template <class Body>
struct VisitColumn {
  static constexpr int threads = 128;
  using Bounds = Kokkos::LaunchBounds<threads, 4>;

  Body body;
  int lane_bits = 0;  ///< a team has 2^lane_bits threads along x
  int teams_x = 0, teams_y = 0, teams = 0;

  explicit VisitColumn(const Body& the_body) : body(the_body) {
    while ((1 << lane_bits) < comm::warp_size && (1 << lane_bits) < body.columns.box.extent(0))
      ++lane_bits;
    teams_x = parts(0, 1 << lane_bits);
    teams_y = parts(1, threads >> lane_bits);
    teams = teams_x * teams_y * parts(2, body.columns.planes);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int team, int thread) const {
    const auto& box = body.columns.box;
    const int row = team / teams_x, column = row / teams_y;
    const int lane = thread & ((1 << lane_bits) - 1), height = threads >> lane_bits;
    const int I = box.lower[0] + ((team - row * teams_x) << lane_bits) + lane;
    const int J = box.lower[1] + (row - column * teams_y) * height + (thread >> lane_bits);
    if (I < box.upper[0] && J < box.upper[1])
      body(I, J, box.lower[2] + body.columns.planes * column);
  }

 private:
  int parts(int axis, int size) const { return (body.columns.box.extent(axis) + size - 1) / size; }
};

}  // namespace detail

/// Launches `body(I, J, K)` for the first cell of each column, on NVIDIA GPUs by a launch of its
/// own, which can be recorded (Recording). Asynchronous on `space`.
template <class Body>
void for_each_column(const comm::Space& space, const char* label, const Body& body) {
  using Visit = detail::VisitColumn<Body>;
  const Visit visit(body);
  comm::for_each_thread<typename Visit::Bounds>(space, label, visit.teams, Visit::threads, visit);
}

}  // namespace halotherm::solver
