// SPDX-License-Identifier: MIT
// Conditions of faces that change with time, evaluated where the faces are.
#pragma once

#include "solver/equation/boundary.hpp"
#include "solver/equation/first_failure.hpp"
#include "solver/equation/formula_source.hpp"
#include "solver/equation/temperature_bounds.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace halotherm::solver {

/// A quantity at the faces of a part of a side: one value a face, a formula, a product of factors
/// along the axes, or else a number.
struct FaceQuantity {
  double number = 0;
  DeviceArray<double> values{};                            ///< x fastest
  DeviceArray<FormulaOperation> code{};                    ///< of x, y, z, t
  std::array<DeviceArray<FormulaOperation>, 3> factors{};  ///< of x and t, y and t, z and t
  /// what is allowed, of finite values
  double least = std::numeric_limits<double>::lowest();
  double most = std::numeric_limits<double>::max();
};

/// Faces of a side that share a condition.
struct PartOfSide {
  comm::Box layer;              ///< of ghost cells beyond the side
  comm::Box faces;              ///< as ghost cells
  AxisCoordinates coordinates;  ///< of the centres of `faces`
  /// if given, the owner of each ghost cell of the layer: others than `owner` are left alone
  DeviceArray<std::uint16_t> owners;
  std::uint16_t owner = 0;
  bool fixed = false;     ///< a temperature is given, not heat flows
  bool balances = false;  ///< the condition is not linear
  double h = 0;           ///< of the cells inside, across the face [m]
  /// K of the cells inside [W/(m K)]: one for all or one for each of `faces`; 1 if it depends on
  /// the temperature
  DeviceArray<double> conductivity;
};

/// What evaluations found, on the device.
class FaceFindings {
 public:
  FaceFindings();
  /// Blocking. After the launches on `space` so far: the first failure, and the temperatures
  /// towards which the conditions drove the faces.
  FormulaFailure failure(const comm::Space& space) const { return failure_.read(space); }
  TemperatureBounds bounds(const comm::Space& space) const;

  /// For kernels, one at a time.
  struct View {
    Kokkos::View<FormulaFailure, comm::Memory> failure;
    Kokkos::View<TemperatureBounds, comm::Memory> bounds;
  };
  View view() const { return {failure_.view(), bounds_}; }

 private:
  FirstFailure failure_;
  Kokkos::View<TemperatureBounds, comm::Memory> bounds_;
};

/// A part of a side with its quantities: the temperature; or flux, coefficient and ambient of
/// convection, and, if it radiates, emissivity and temperature of the surroundings. Instantiated
/// for float and double.
template <class Real>
class ChangingFaces {
 public:
  static constexpr std::int32_t most_quantities = 5;

  ChangingFaces(PartOfSide part, std::vector<FaceQuantity> quantities);

  void set_number(std::size_t quantity, double number) { quantities_[quantity].number = number; }
  /// Makes the conditions of the faces those of time t [s]. Asynchronous on `space`; no kernel on
  /// other streams may be reading them. A failure is noted at the first face that has one, x
  /// fastest, as that of part `part` * most_quantities + the quantity's place.
  void evaluate(const comm::Space& space, double time,
                const typename Boundary<Real>::Faces& conditions,
                const FaceFindings::View& findings, std::int32_t part) const;

  /// What one evaluation finds.
  struct Found {
    std::int64_t place;  ///< of the first failure in `faces`
    double value;
    std::int32_t quantity;
    TemperatureBounds bounds;
  };

 private:
  void evaluate_factors(const comm::Space& space, double time) const;

  PartOfSide part_;
  std::vector<FaceQuantity> quantities_;
  std::array<DeviceArray<double>, 3> coordinates_;
  /// of each quantity along each axis; empty where it is no product
  std::vector<std::array<DeviceArray<double>, 3>> factors_;
  Kokkos::View<Found, comm::Memory> found_;
};

}  // namespace halotherm::solver
