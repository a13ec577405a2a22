// SPDX-License-Identifier: MIT
// The symmetric matrix of a heat problem on a block: conductances of faces, and of a step's mass.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/partition/partition.hpp"
#include "solver/equation/boundary.hpp"
#include "solver/equation/heat_equation.hpp"
#include "solver/field/field.hpp"
#include "solver/linear/sweep_value.hpp"

#include <optional>
#include <vector>

namespace halotherm::solver {

/// The conductances around a cell: a row of a matrix A with
/// (A x)_c = sum over the faces of c of conductance · (x_c − x_beyond) + anchor_c x_c.
template <int Dim>
struct Conductances {
  float lower[Dim], upper[Dim];
  float anchor;

  /// The diagonal of A.
  KOKKOS_FORCEINLINE_FUNCTION float diagonal() const {
    float sum = anchor + (lower[0] + upper[0]);
    if constexpr (Dim > 1) sum = sum + (lower[1] + upper[1]);
    if constexpr (Dim > 2) sum = sum + (lower[2] + upper[2]);
    return sum;
  }
  /// −(A x)_c, without loops, so that CPUs compute several cells at once.
  KOKKOS_FORCEINLINE_FUNCTION float flow(const SweepStar& x) const {
    float sum = -(anchor * x.here);
    sum = sum + lower[0] * (x.west - x.here);
    sum = sum + upper[0] * (x.east - x.here);
    if constexpr (Dim > 1) {
      sum = sum + lower[1] * (x.south - x.here);
      sum = sum + upper[1] * (x.north - x.here);
    }
    if constexpr (Dim > 2) {
      sum = sum + lower[2] * (x.below - x.here);
      sum = sum + upper[2] * (x.above - x.here);
    }
    return sum;
  }
  /// 1 over the diagonal, 0 where that is 0, in void cells; without a branch, so that CPUs compute
  /// several cells at once.
  KOKKOS_FORCEINLINE_FUNCTION float inverse() const {
    const float sum = diagonal();
    const float result = reciprocal(sum > 0 ? sum : 1.0F);
    return sum > 0 ? result : 0.0F;
  }
  /// A Jacobi sweep, weight D⁻¹ b, of x = 0.
  static KOKKOS_FORCEINLINE_FUNCTION float swept(float weight, float inverse, float b) {
    return (weight * inverse) * b;
  }
  /// A Jacobi sweep, x + weight D⁻¹ (b − A x).
  KOKKOS_FORCEINLINE_FUNCTION float swept(float weight, float inverse, float b,
                                          const SweepStar& x) const {
    SweepRates rates{lower[0], upper[0], 0, 0, 0, 0};
    if constexpr (Dim > 1) {
      rates.south = lower[1];
      rates.north = upper[1];
    }
    if constexpr (Dim > 2) {
      rates.below = lower[2];
      rates.above = upper[2];
    }
    return solver::swept<Dim>(weight, inverse, b, x, rates);
  }
  KOKKOS_FORCEINLINE_FUNCTION float swept(float weight, float b) const {
    return swept(weight, inverse(), b);
  }
  KOKKOS_FORCEINLINE_FUNCTION float swept(float weight, float b, const SweepStar& x) const {
    return swept(weight, inverse(), b, x);
  }
};

/// A matrix with one number a face, in kernels. Beyond a side of the domain x is 0, so a side's
/// condition is the conductance of its faces.
struct MatrixView {
  /// of each cell's lower face across an axis; its upper face is the lower one of the next cell
  comm::GridView<const float> lower[3];
  /// of the mass, and towards void cells, whose x is 0; where no cell has any, another field times
  /// 0 stands for it: a branch would keep CPUs from computing several cells at once
  comm::GridView<const float> anchor;
  float of_anchor = 0;

  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION Conductances<Dim> around(int i, int j, int k) const {
    Conductances<Dim> result;
    result.anchor = of_anchor * anchor(i, j, k);
    result.lower[0] = lower[0](i, j, k);
    result.upper[0] = lower[0](i + 1, j, k);
    if constexpr (Dim > 1) {
      result.lower[1] = lower[1](i, j, k);
      result.upper[1] = lower[1](i, j + 1, k);
    }
    if constexpr (Dim > 2) {
      result.lower[2] = lower[2](i, j, k);
      result.upper[2] = lower[2](i, j, k + 1);
    }
    return result;
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
  /// A box and `width` layers around it, but no cell beyond a side of the domain.
  comm::Box grown(const comm::Box& box, int width) const;
};

/// Owns the coefficients of a block. New ones are 0. Coefficients of neighbouring blocks are those
/// of the ghost cells, which an exchange fills.
class Matrix {
 public:
  Matrix(const LevelGrid& grid, const comm::Box& owned, bool anchored, int layers = 1);

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

/// A field of zeros with ghost layers along the axes of the grid.
Field<float> zero_field(const LevelGrid& grid, const comm::Box& owned, const std::string& label,
                        int layers = 1);

/// Sets the matrix of −div(K grad T) with the linear conditions of `sides`, for each cell times the
/// share of its volume in the largest cell's [W/(m³ K)]. `T`, with valid ghost cells, is read where
/// K or rho c depend on the temperature: the matrix has those of T, and not their derivatives.
/// Faces between void cells and the body count as anchors, and so does `rate` · rho c, the mass of
/// a step [rate: 1/s], and the `fall` of a source as T rises [W/(m³ K)], if given; with a mass or a
/// fall the matrix must have anchors. Void cells have no conductance and no anchor. Asynchronous on
/// `space`. Instantiated for float and double.
template <class Real>
void set_matrix(const comm::Space& space, const LevelGrid& grid, const comm::Box& owned,
                const HeatEquation<Real>& equation, const Sides<Real>& sides,
                const comm::GridView<const Real>& T, double rate, Matrix& matrix,
                const comm::GridView<const Real>& fall = {});

/// rate · (H(target) − H(T)) [W/m³], where H is the heat content: what a step adds to the heating.
template <class Real>
struct StepMass {
  HeatContent<Real> heat;
  double rate;  ///< [1/s]
  comm::GridView<const Real> target;

  KOKKOS_FORCEINLINE_FUNCTION Real added_to(Real heating, Real T, int i, int j, int k) const {
    const double stored =
        rate * heat.between(static_cast<double>(T), static_cast<double>(target(i, j, k)), i, j, k);
    return static_cast<Real>(static_cast<double>(heating) + stored);
  }
};

/// values += the mass of a step [W/m³], but in void cells.
/// Asynchronous on `space`. Instantiated for float and double.
template <class Real>
void add_mass(const comm::Space& space, const comm::Box& owned, const StepMass<Real>& mass,
              const comm::GridView<const Real>& T, const comm::GridView<Real>& values);

/// b = rate · rho c(T) · x · the shares of their cells' volumes, and 0 in void cells: what a matrix
/// with that mass has of x beside its conductances. Asynchronous on `space`. Instantiated for float
/// and double.
template <class Real>
void apply_mass(const comm::Space& space, const comm::Box& owned,
                const HeatEquation<Real>& equation, double rate,
                const comm::GridView<const Real>& T, const comm::GridView<const float>& x,
                const comm::GridView<float>& b);

}  // namespace halotherm::solver
