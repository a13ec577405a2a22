// SPDX-License-Identifier: MIT
// A configuration's sides as conditions of a block's physical sides.
#pragma once

#include "app/problem/device_faces.hpp"
#include "app/problem/field_sampler.hpp"
#include "app/problem/sampled_side.hpp"
#include "solver/equation/boundary.hpp"
#include "solver/equation/temperature_bounds.hpp"

#include <optional>
#include <utility>

namespace halotherm::app {

/// The physical sides of this rank's block. Instantiated for float and double.
template <class Real>
class BoundaryConditions {
 public:
  /// Collective. `material` as sampled on `sampled`, the block with ghost cells. Throws
  /// CollectiveError (usage).
  BoundaryConditions(const FieldSampler& sampler, const Config& config, const comm::Box& owned,
                     const comm::Box& sampled, const solver::AnyMaterial& material);

  /// Evaluates the conditions that change with time at a moment: at once where one holds at all
  /// faces of a side, else asynchronously on `space`. No kernel on other streams may be reading
  /// them. Throws Error (usage) for a value that all faces share.
  void update(const comm::Space& space, const Moment& moment);
  /// The first time at which a value at some face was not allowed, and the error (usage) that names
  /// the place. Blocking.
  std::optional<std::pair<double, comm::Error>> failure() const;
  /// Throws that error.
  void check() const;
  /// Makes the conditions that are not linear those of the temperatures `T`: before the kernels of
  /// a step or of one of its stages, which must come after it. `materials`: of the equation. See
  /// solver::Boundary::balance.
  void balance(const comm::Space& space, const comm::GridView<const Real>& T,
               const solver::MaterialsView<Real>& materials) const {
    boundary_.balance(space, T, materials);
  }
  /// Whether any condition changes with time.
  bool change() const { return !changing_.empty(); }
  /// Whether any condition follows the temperature of its face.
  bool follow_temperatures() const { return follow_temperatures_; }
  /// Collective. Whether each side of the domain has one linear condition for all of its cells.
  bool are_alike(const comm::Communicator& world) const;
  const solver::Boundary<Real>& sides() const { return boundary_; }
  /// Of all conditions that held so far. Blocking.
  solver::TemperatureBounds bounds() const;
  /// Conditions that bound a step at every time as strictly as any: fixed temperatures where a
  /// coefficient changes with time, and where a condition is not linear, whose ghost temperature
  /// never depends on that inside more strongly.
  solver::Sides<Real> strictest_sides() const { return strictest_.view(); }

 private:
  /// A side of this block outside of its patches, or a patch; later ones lie on top.
  struct Part {
    comm::Box faces;  ///< as ghost cells
    SampledSide values;
    /// K of the cells inside, one for all or one each; 1 if it depends on the temperature
    std::vector<double> conductivity;
    bool nonlinear = false;                        ///< whether its condition is not linear
    std::optional<DeviceFaces<Real>> on_device{};  ///< of a part that changes, if faces may differ
  };
  /// One side of this block.
  struct Condition {
    std::size_t index;  ///< of the side
    comm::Box layer;    ///< of ghost cells
    double h;           ///< [m]
    std::vector<Part> parts;
    std::vector<solver::AffineGhost> ghosts{};
    std::vector<solver::FaceBalance> balances{};      ///< none if all parts are linear
    std::vector<solver::TemperatureBounds> bounds{};  ///< as many as `ghosts`

    bool changes() const;
    std::size_t count() const;
  };

  static Condition condition_of(const FieldSampler& sampler, const Config& config,
                                std::size_t index, const solver::Side& side, const comm::Box& owned,
                                const comm::Box& sampled, const solver::AnyMaterial& material);
  static void evaluate(Condition& condition, const Part& part);
  void evaluate(Condition& condition, const Moment& moment);
  void bound(const Condition& condition);
  static void put_on_device(Condition& condition, const solver::VariableBounds& variables);

  std::vector<Condition> changing_;  ///< with time
  bool follow_temperatures_ = false;
  solver::Boundary<Real> boundary_;
  solver::Boundary<Real> strictest_;
  solver::TemperatureBounds bounds_;
  solver::FaceFindings findings_;  ///< of parts on the device
  comm::Space last_space_;
};

}  // namespace halotherm::app
