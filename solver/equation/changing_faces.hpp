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

/// The same in kernels.
struct FaceQuantityView {
  double number;
  const double* values;
  const FormulaOperation* code;
  int count;
  const double* factor[3];  ///< or null
  double least, most;

  FaceQuantityView() = default;
  explicit FaceQuantityView(const FaceQuantity& quantity)
      : number(quantity.number),
        values(quantity.values.data()),
        code(quantity.code.data()),
        count(static_cast<int>(quantity.code.extent(0))),
        factor{},
        least(quantity.least),
        most(quantity.most) {}
  KOKKOS_INLINE_FUNCTION bool allows(double value) const { return value >= least && value <= most; }
  /// A formula's value at a position, or the number.
  KOKKOS_INLINE_FUNCTION double at(double x, double y, double z, double time) const {
    return count == 0 ? number : evaluate(code, count, {{x, y, z, time, 0}});
  }
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

/// The most quantities of a condition: the temperature; or flux, coefficient and ambient of
/// convection, emissivity and temperature of the surroundings.
inline constexpr std::int32_t most_face_quantities = 5;

/// What one evaluation of faces finds.
struct FoundAtFaces {
  std::int64_t place;  ///< of the first failure, or `no_place`
  double value;
  std::int32_t quantity;
  TemperatureBounds bounds;

  KOKKOS_INLINE_FUNCTION void clear() { *this = {no_place, 0, 0, TemperatureBounds()}; }
  KOKKOS_INLINE_FUNCTION void note(std::int64_t at, double found, std::int32_t of) {
    if (at >= place) return;
    place = at;
    value = found;
    quantity = of;
  }
  KOKKOS_INLINE_FUNCTION void join(const FoundAtFaces& other) {
    note(other.place, other.value, other.quantity);
    bounds.include(other.bounds);
  }
};

/// Adds what an evaluation at time t found, whose places are those of a box, to the findings so
/// far. Asynchronous on `space`.
void add_findings(const comm::Space& space, double time, const comm::Box& box,
                  const Kokkos::View<FoundAtFaces, comm::Memory>& found, std::int32_t first_part,
                  const FaceFindings::View& findings);

/// A part of a side with its quantities. Instantiated for float and double.
template <class Real>
class ChangingFaces {
 public:
  ChangingFaces(PartOfSide part, std::vector<FaceQuantity> quantities);

  void set_number(std::size_t quantity, double number) { quantities_[quantity].number = number; }
  /// Makes the conditions of the faces those of time t [s]. Asynchronous on `space`; no kernel on
  /// other streams may be reading them. A failure is noted at the first face that has one, x
  /// fastest, as that of part `part` * most_face_quantities + the quantity's place.
  void evaluate(const comm::Space& space, double time,
                const typename Boundary<Real>::Faces& conditions,
                const FaceFindings::View& findings, std::int32_t part) const;

 private:
  void evaluate_factors(const comm::Space& space, double time) const;

  PartOfSide part_;
  std::vector<FaceQuantity> quantities_;
  std::array<DeviceArray<double>, 3> coordinates_;
  /// of each quantity along each axis; empty where it is no product
  std::vector<std::array<DeviceArray<double>, 3>> factors_;
  Kokkos::View<FoundAtFaces, comm::Memory> found_;
};

}  // namespace halotherm::solver
