// SPDX-License-Identifier: MIT
// Faces towards void cells whose condition is a source in the cells of the body beside them.
#pragma once

#include "solver/equation/changing_faces.hpp"
#include "solver/equation/void_heat.hpp"
#include "solver/material/materials.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace halotherm::solver {

/// A face between a cell of the body and a void cell.
struct VoidFace {
  comm::Int3 cell;          ///< of the body
  int axis = 0;             ///< across the face
  double width = 0;         ///< of the cell along the axis [m]
  double half = 0;          ///< 2K/width [W/(m² K)], or 2/width where K depends on T
  double position[3] = {};  ///< of the face's centre [m]
};

/// The condition of void faces that changes with time, radiates or varies beside tables: a stage
/// adds its flows to the source of the cells that have such faces. Instantiated for float and
/// double.
template <class Real>
class VoidFaces {
 public:
  /// `faces`: of a block's own cells, those of a cell one after another. `quantities`: numbers and
  /// formulas, as those of ChangingFaces.
  VoidFaces(const std::vector<VoidFace>& faces, bool fixed, std::vector<FaceQuantity> quantities);

  void set_number(std::size_t quantity, double number) { quantities_[quantity].number = number; }

  /// Takes the values of `source` in these cells as what the flows are added to. Asynchronous on
  /// `space`, as all below.
  void keep(const comm::Space& space, const comm::GridView<Real>& source) const;
  /// Gives them back.
  void restore(const comm::Space& space, const comm::GridView<Real>& source) const;
  /// Makes `source` in these cells what was kept and the flows at time t [s] and of the
  /// temperatures `T`. `materials`: of a medium with tables. A failure is noted with the face's
  /// number as its place and the quantity's as its part.
  void heat(const comm::Space& space, double time, const comm::GridView<const Real>& T,
            const MaterialsView<Real>& materials, const comm::GridView<Real>& source,
            const FaceFindings::View& findings) const;

  /// The flows as `heat` left them, for kernels.
  VoidHeat view() const;

 private:
  std::vector<FaceQuantity> quantities_;
  bool fixed_;
  DeviceArray<VoidFace> faces_;
  DeviceArray<comm::Int3> cells_;
  DeviceArray<std::int32_t> first_;  ///< face of each cell, and their number
  DeviceArray<double> rate_;
  DeviceArray<Real> kept_;
  Kokkos::View<FoundAtFaces, comm::Memory> found_;
};

}  // namespace halotherm::solver
