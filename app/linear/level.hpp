// SPDX-License-Identifier: MIT
// A level of the multigrid on this rank: cells, matrix, vectors and their exchange.
#pragma once

#include "app/domain/domain.hpp"
#include "solver/linear/coarsening.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace halotherm::app {

/// How messages to a neighbour travel.
using KindTowards = std::function<comm::TransportKind(int neighbour)>;

struct Level {
  /// Collective over neighbours. References must outlive it. All coefficients and vectors are 0.
  Level(const comm::Communicator& communicator, const comm::Streams& streams,
        const solver::LevelGrid& grid, const comm::Partition& partition, const KindTowards& kind,
        bool anchored);

  /// Makes the ghost cells of a field valid for later launches on the edge stream. Collective over
  /// neighbours.
  void exchange(solver::Field<float>& field);
  /// The same for the coefficients. Collective over neighbours.
  void exchange_matrix(const KindTowards& kind);
  const comm::Space& space() const { return streams.edge(); }
  int dimensions() const { return grid.dimensions; }
  bool is_coarsest() const { return partition.global().size() == 1; }

  const comm::Communicator& communicator;
  const comm::Streams& streams;
  const solver::LevelGrid grid;
  const comm::Partition partition;
  const comm::Box owned;
  comm::Halo<float> halo;
  solver::Matrix matrix;
  solver::Field<float> x, next, b;  ///< of A x = b; `next` is scratch

  std::optional<solver::Coarsening> coarsening;  ///< to the next level; none if that is a copy
  /// Whether blocks end between two cells that are joined, so ghost cells take part in restriction
  /// and correction.
  bool splits_pairs = false;
};

}  // namespace halotherm::app
