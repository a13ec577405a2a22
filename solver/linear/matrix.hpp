// SPDX-License-Identifier: MIT
// The symmetric matrix of a heat problem on a block: conductances of faces, and of a step's mass.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/partition/partition.hpp"
#include "solver/equation/boundary.hpp"
#include "solver/equation/heat_equation.hpp"
#include "solver/field/field.hpp"

#include <optional>
#include <vector>

namespace halotherm::solver {

/// (A x)_c = sum over the faces of c of conductance · (x_c − x_beyond) + anchor_c x_c, in kernels.
/// Beyond a side of the domain x is 0, so a side's condition is the conductance of its faces.
struct MatrixView {
  /// of each cell's lower face across an axis; its upper face is the lower one of the next cell
  comm::GridView<const float> lower[3];
  comm::GridView<const float> anchor;  ///< of the mass, and towards void cells, whose x is 0
  bool anchored = false;               ///< else no cell has an anchor

  /// A cell's part of A x, with the opposite sign, and the diagonal of A.
  struct Row {
    float flow;
    float diagonal;
  };
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION Row row(const comm::GridView<const float>& x, int i, int j,
                                      int k) const {
    const float here = x(i, j, k);
    Row result{0, 0};
    if (anchored) {
      const float to_void = anchor(i, j, k);
      result = {-(to_void * here), to_void};
    }
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      const int d[3] = {axis == 0, axis == 1, axis == 2};
      const float below = lower[axis](i, j, k);
      const float above = lower[axis](i + d[0], j + d[1], k + d[2]);
      result.flow = result.flow + below * (x(i - d[0], j - d[1], k - d[2]) - here);
      result.flow = result.flow + above * (x(i + d[0], j + d[1], k + d[2]) - here);
      result.diagonal = result.diagonal + (below + above);
    }
    return result;
  }
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION float diagonal(int i, int j, int k) const {
    float sum = anchored ? anchor(i, j, k) : 0.0F;
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      const int d[3] = {axis == 0, axis == 1, axis == 2};
      sum = sum + (lower[axis](i, j, k) + lower[axis](i + d[0], j + d[1], k + d[2]));
    }
    return sum;
  }
};

/// The cells of a level of the multigrid, all ranks together.
struct LevelGrid {
  int dimensions = 3;
  comm::Int3 cells{1, 1, 1};
  comm::Periodic periodic{false, false, false};

  /// The cells of a block whose lower faces across an axis are faces of the block: with one layer
  /// more where the block ends at the domain's upper side.
  comm::Box faces(const comm::Box& owned, int axis) const {
    auto box = owned;
    if (!periodic[axis] && owned.upper[axis] == cells[axis]) ++box.upper[axis];
    return box;
  }
};

/// Owns the coefficients of a block. New ones are 0. Coefficients of neighbouring blocks are those
/// of the ghost cells, which an exchange fills.
class Matrix {
 public:
  Matrix(const LevelGrid& grid, const comm::Box& owned, bool anchored);

  MatrixView view() const;
  bool anchored() const { return anchor_.has_value(); }
  Field<float>& lower(int axis) { return lower_[static_cast<std::size_t>(axis)]; }
  const Field<float>& lower(int axis) const { return lower_[static_cast<std::size_t>(axis)]; }
  Field<float>& anchor() { return *anchor_; }
  const Field<float>& anchor() const { return *anchor_; }
  /// All of them, for exchanges.
  std::vector<Field<float>*> fields();

 private:
  std::vector<Field<float>> lower_;  ///< one an axis
  std::optional<Field<float>> anchor_;
};

/// A field of zeros with one ghost layer along the axes of the grid.
Field<float> zero_field(const LevelGrid& grid, const comm::Box& owned, const std::string& label);

/// Sets the matrix of −div(K grad T) with the linear conditions of `sides`, for each cell times the
/// share of its volume in the largest cell's [W/(m³ K)]. K must not depend on the temperature.
/// Faces between void cells and the body count as anchors, and so does `rate` · rho c, the mass of
/// a step [rate: 1/s]; with a rate above 0 the matrix must have anchors. Void cells have no
/// conductance and no mass. Asynchronous on `space`. Instantiated for float and double.
template <class Real>
void set_matrix(const comm::Space& space, const LevelGrid& grid, const comm::Box& owned,
                const HeatEquation<Real>& equation, const Sides<Real>& sides, double rate,
                Matrix& matrix);

/// values += rate · rho c (target − T) [W/m³], but in void cells. Asynchronous on `space`.
/// Instantiated for float and double.
template <class Real>
void add_mass(const comm::Space& space, const comm::Box& owned, const HeatEquation<Real>& equation,
              double rate, const comm::GridView<const Real>& target,
              const comm::GridView<const Real>& T, const comm::GridView<Real>& values);

}  // namespace halotherm::solver
