// SPDX-License-Identifier: MIT
// Physical sides of the domain: conditions as ghost temperatures.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/grid_view.hpp"
#include "solver/equation/heat_flows.hpp"
#include "solver/field/grid.hpp"
#include "solver/material/materials.hpp"

#include <optional>
#include <span>
#include <vector>

namespace halotherm::solver {

/// A side of the domain: the lower (0) or upper (1) end of an axis.
struct Side {
  int axis = 0;
  int end = 0;
};

/// The temperature of a face with these flows [K], where the cell's centre has `inside`.
double face_temperature(const HeatFlows& flows, double inside, double half);
/// The same where K depends on the temperature; h [m] is the cell's size across the face.
double face_temperature(const HeatFlows& flows, double inside, const PropertyTable& conductivity,
                        double h);

/// The conditions of a block's physical sides, on the device. Instantiated for float and double.
template <class Real>
class Boundary {
 public:
  /// `sides`: those ends of axes at which the block touches the domain's boundary and that are not
  /// periodic.
  Boundary(const comm::Box& owned, std::vector<Side> sides);

  const std::vector<Side>& sides() const { return sides_; }
  /// The layer of ghost cells beyond a side. Conditions are given in the order of its cells, x
  /// fastest.
  static comm::Box ghost_layer(const comm::Box& owned, const Side& side);
  /// The layer of cells next to a side.
  static comm::Box inner_layer(const comm::Box& owned, const Side& side);

  /// Sets the condition of the side at position `index` of `sides()`: one for each of its ghost
  /// cells, or one for all. Blocking; no kernel that reads the condition may be in flight.
  void set(std::size_t index, std::span<const AffineGhost> condition);
  /// Sets faces of the side whose condition is not linear, since they radiate or K depends on the
  /// temperature: one for each of its ghost cells, or one for all. Where `half` is 0, the condition
  /// stays what `set` made it, one for each cell. Blocking where there is one for each; no kernel
  /// that reads them may be in flight. Memory is allocated the first time.
  void set_balances(std::size_t index, std::span<const FaceBalance> faces);
  /// Makes the conditions of these faces those of the temperatures `T` inside, cell by cell, for
  /// the kernels that follow. `materials`: of a medium with tables. Asynchronous on `space`; no
  /// kernel that reads the conditions may be in flight elsewhere. Launches nothing where all
  /// conditions are linear.
  void balance(const comm::Space& space, const comm::GridView<const Real>& T,
               const MaterialsView<Real>& materials = {}) const;

  /// The conditions of a side that has one for each face, and its balances, where faces have some;
  /// both x fastest.
  struct Faces {
    Affine<Real>* conditions;
    FaceBalance* balances;  ///< or null
  };
  /// For kernels that change them; valid until the side's condition is set.
  Faces changing_faces(std::size_t index) const {
    return {conditions_[index].of_cell.data(), balances_[index].of_face.data()};
  }

  /// Blocking. The alpha of all faces of the side at position `index` of `sides()`; nothing if they
  /// differ, or follow the temperature.
  std::optional<double> common_alpha(std::size_t index) const;

  /// For kernels; valid until a condition is set.
  Sides<Real> view() const;

 private:
  struct Condition {
    Affine<Real> of_all;
    /// empty where one condition holds for all cells
    Kokkos::View<Affine<Real>*, comm::Memory> of_cell;
    /// the same memory where kernels run on the host
    typename Kokkos::View<Affine<Real>*, comm::Memory>::host_mirror_type on_host;
  };
  struct Balances {
    bool present = false;
    FaceBalance of_all;
    /// empty where all faces are the same
    Kokkos::View<FaceBalance*, comm::Memory> of_face;
    typename Kokkos::View<FaceBalance*, comm::Memory>::host_mirror_type on_host;
  };

  comm::Box owned_;
  std::vector<Side> sides_;
  std::vector<Condition> conditions_;
  std::vector<Balances> balances_;
};

}  // namespace halotherm::solver
