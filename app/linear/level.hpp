// SPDX-License-Identifier: MIT
// A level of the multigrid on this rank: cells, matrix, vectors and their exchange.
#pragma once

#include "app/domain/domain.hpp"
#include "solver/cycle/symmetric_cycle.hpp"
#include "solver/multigrid/ascent.hpp"
#include "solver/multigrid/joining.hpp"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace halotherm::app {

/// How messages to a neighbour travel.
using KindTowards = std::function<comm::TransportKind(int neighbour)>;

/// Makes the ghost cells that `halo` fills valid for later launches on the edge stream. Collective
/// over neighbours.
void exchange_by(comm::Halo<float>& halo, const comm::Streams& streams,
                 solver::Field<float>& field);

struct Level {
  /// Of the sweeps of a symmetric cycle.
  using Weights = Kokkos::Array<float, solver::SymmetricCycle::sweeps>;

  /// Collective over neighbours. References must outlive it. All vectors are 0, and so is the
  /// matrix, which has no anchors.
  Level(const comm::Communicator& communicator, const comm::Streams& streams,
        const solver::LevelGrid& grid, const comm::Partition& partition, KindTowards kind);

  /// A field of zeros with as many ghost cells as those of the level.
  solver::Field<float> field(const std::string& label) const;
  /// Makes the ghost cells next to the block valid for later launches on the edge stream, edges and
  /// corners included. Collective over neighbours.
  void exchange(solver::Field<float>& field);
  /// The same for the coefficients, if the matrix has some. Collective over neighbours.
  void exchange_matrix();
  /// Makes the matrix one with a number a face, unless it is, with anchors or without. New ones are
  /// 0.
  solver::Matrix& faces(bool anchored);
  bool is_separable() const { return std::holds_alternative<solver::SeparableMatrix>(matrix); }
  solver::AnyMatrixView A() const { return solver::view_of(matrix); }
  /// Collective. How well faces across each axis conduct, on average over all faces of the axis.
  /// Blocking.
  std::array<solver::AxisStrength, 3> strengths() const;

  /// Collective over neighbours. Makes the transfer to the next level from the matrix, if there is
  /// none of this matrix yet.
  const solver::Transfer& transfer_to(Level& coarse);
  /// The matrix is another one.
  void forget_transfer() { transfer_is_set_ = false; }
  /// Makes b valid for the way down of a symmetric cycle to the next level. Collective over
  /// neighbours.
  solver::SymmetricCycle prepare_descent(Level& coarse, const Weights& weights);
  /// Makes x and that of the next level valid for the way up, after the way down. Collective over
  /// neighbours.
  void prepare_correction(const solver::SymmetricCycle& cycle, Level& coarse);
  /// Makes b and the x of the next level valid for an ascent to this one, and says what that has to
  /// exchange between its sweeps. Collective over neighbours.
  solver::Exchange prepare_ascent(Level& coarse);

  const comm::Space& space() const { return streams.edge(); }
  int dimensions() const { return grid.dimensions; }
  bool is_coarsest() const { return partition.global().size() == 1; }

  const comm::Communicator& communicator;
  const comm::Streams& streams;
  const solver::LevelGrid grid;
  const comm::Partition partition;
  const comm::Box owned;
  const KindTowards kind;
  /// Layers of ghost cells: as many as a symmetric cycle needs, or fewer where blocks are thinner.
  const int layers;
  comm::Halo<float> halo;  ///< of one layer
  /// Fills all blocks of the copy that follows this level, where there is one, and ranks are few.
  std::optional<comm::Halo<float>> to_all;
  solver::AnyMatrix matrix;
  /// Of the cells along each axis, in any unit. Equal ones until they are set.
  std::array<std::vector<double>, 3> widths;
  solver::Field<float> x, next, b;  ///< of A x = b; `next` is scratch

  std::optional<solver::Coarsening> coarsening;  ///< to the next level; none if that is a copy
  std::optional<solver::Transfer> transfer;      ///< of symmetric cycles, once they need it
  /// Linear in the corrections of the next level; none where the matrix is not separable.
  std::optional<solver::Interpolation> interpolation;
  /// The side part of x in a first cycle; none on the finest level.
  std::optional<solver::Field<float>> side_part;
  /// Whether blocks end between two cells that are joined, so ghost cells take part in restriction
  /// and correction.
  bool splits_pairs = false;
  /// Of the sweeps after an interpolated correction.
  Kokkos::Array<float, solver::Ascent::sweeps> weights{};

 private:
  void exchange(solver::Field<float>& field, int width);
  int layers_at_ends() const { return splits_pairs ? 2 : 1; }

  bool transfer_is_set_ = false;  ///< with the present matrix
  std::map<int, std::optional<comm::Halo<float>>>
      wide_halos_;  ///< by layers, from the first exchange on
};

}  // namespace halotherm::app
