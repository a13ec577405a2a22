// SPDX-License-Identifier: MIT
#include "solver/equation/changing_faces.hpp"

#include "solver/field/reduce_cells.hpp"

#include <utility>

namespace halotherm::solver {

namespace {

template <class Real>
struct EvaluateFaces {
  using Found = FoundAtFaces;
  using value_type = Found;

  FaceQuantityView quantities[most_face_quantities];
  int count;
  comm::Box layer, faces;
  const double* coordinates[3];
  const std::uint16_t* owners;
  std::uint16_t owner;
  bool fixed, balances, one_conductivity;
  double h, time;
  const double* conductivity;
  typename Boundary<Real>::Faces conditions;

  KOKKOS_INLINE_FUNCTION void init(Found& found) const { found.clear(); }
  KOKKOS_INLINE_FUNCTION void join(Found& found, const Found& other) const { found.join(other); }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, Found& found) const {
    const auto at = place_in(layer, i, j, k);
    if (owners != nullptr && owners[at] != owner) return;
    const auto n = place_in(faces, i, j, k);
    double values[most_face_quantities] = {};
    for (int q = 0; q < count; ++q) {
      values[q] = value(quantities[q], i, j, k, n);
      if (!quantities[q].allows(values[q])) found.note(n, values[q], q);
    }
    set(values, at, n, found.bounds);
  }

 private:
  static KOKKOS_INLINE_FUNCTION std::int64_t place_in(const comm::Box& box, int i, int j, int k) {
    const auto row = std::int64_t{k - box.lower[2]} * box.extent(1) + (j - box.lower[1]);
    return row * box.extent(0) + (i - box.lower[0]);
  }
  KOKKOS_INLINE_FUNCTION double value(const FaceQuantityView& quantity, int i, int j, int k,
                                      std::int64_t n) const {
    const int x = i - faces.lower[0], y = j - faces.lower[1], z = k - faces.lower[2];
    if (quantity.factor[0] != nullptr)
      return quantity.factor[0][x] * (quantity.factor[1][y] * quantity.factor[2][z]);
    if (quantity.values != nullptr) return quantity.values[n];
    return quantity.at(coordinates[0][x], coordinates[1][y], coordinates[2][z], time);
  }
  KOKKOS_INLINE_FUNCTION void set(const double* values, std::int64_t at, std::int64_t n,
                                  TemperatureBounds& bounds) const {
    if (fixed) {
      conditions.conditions[at] = rounded<Real>(dirichlet(values[0]));
      return bounds.include(values[0]);
    }
    const HeatFlows flows{values[0], values[1], values[2], values[3], values[4]};
    bounds.include_flows(flows);
    const double inside = conductivity[one_conductivity ? 0 : n];
    if (balances) {
      conditions.balances[at] = face_balance(flows, 2 * inside / h);
    } else {
      conditions.conditions[at] = rounded<Real>(ghost_of(flows, inside, h));
    }
  }
};

struct NoteFaces {
  Kokkos::View<FoundAtFaces, comm::Memory> found;
  FaceFindings::View findings;
  comm::Box faces;
  double time;
  std::int32_t first_part;

  KOKKOS_INLINE_FUNCTION void operator()(int) const {
    const auto& [place, value, quantity, bounds] = found();
    findings.bounds().include(bounds);
    note_failure(findings.failure(), time, value, faces, place, first_part + quantity);
  }
};

/// One factor along an axis.
struct EvaluateFactor {
  const FormulaOperation* code;
  int count;
  const double* coordinates;
  double* factor;
  int axis;
  double time;

  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    FormulaValues values{{0, 0, 0, time, 0}};
    values.of[axis] = coordinates[n];
    factor[n] = evaluate(code, count, values);
  }
};

}  // namespace

FaceFindings::FaceFindings() : bounds_("temperatures allowed by faces") {
  Kokkos::deep_copy(bounds_, TemperatureBounds());
}

TemperatureBounds FaceFindings::bounds(const comm::Space& space) const {
  TemperatureBounds result;
  Kokkos::deep_copy(
      space, Kokkos::View<TemperatureBounds, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&result),
      bounds_);
  space.fence("temperatures allowed by faces");
  return result;
}

void add_findings(const comm::Space& space, double time, const comm::Box& box,
                  const Kokkos::View<FoundAtFaces, comm::Memory>& found, std::int32_t first_part,
                  const FaceFindings::View& findings) {
  launch_once(space, "note conditions", NoteFaces{found, findings, box, time, first_part});
}

template <class Real>
ChangingFaces<Real>::ChangingFaces(PartOfSide part, std::vector<FaceQuantity> quantities)
    : part_(std::move(part)),
      quantities_(std::move(quantities)),
      factors_(quantities_.size()),
      found_("values of faces") {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& along = part_.coordinates[axis];
    coordinates_[axis] = on_device("coordinates of faces", along);
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
      if (quantities_[q].factors[0].extent(0) > 0)
        factors_[q][axis] = DeviceArray<double>("factor", along.size());
    }
  }
}

template <class Real>
void ChangingFaces<Real>::evaluate_factors(const comm::Space& space, double time) const {
  for (std::size_t q = 0; q < quantities_.size(); ++q) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto& code = quantities_[q].factors[axis];
      const auto count = static_cast<int>(factors_[q][axis].extent(0));
      if (count == 0) continue;
      Kokkos::parallel_for(
          "factors of faces",
          Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<int>>(space, 0, count),
          EvaluateFactor{code.data(), static_cast<int>(code.extent(0)), coordinates_[axis].data(),
                         factors_[q][axis].data(), static_cast<int>(axis), time});
    }
  }
}

template <class Real>
void ChangingFaces<Real>::evaluate(const comm::Space& space, double time,
                                   const typename Boundary<Real>::Faces& conditions,
                                   const FaceFindings::View& findings, std::int32_t part) const {
  evaluate_factors(space, time);
  EvaluateFaces<Real> work{{},
                           static_cast<int>(quantities_.size()),
                           part_.layer,
                           part_.faces,
                           {coordinates_[0].data(), coordinates_[1].data(), coordinates_[2].data()},
                           part_.owners.extent(0) > 0 ? part_.owners.data() : nullptr,
                           part_.owner,
                           part_.fixed,
                           part_.balances,
                           part_.conductivity.extent(0) == 1,
                           part_.h,
                           time,
                           part_.conductivity.data(),
                           conditions};
  for (std::size_t q = 0; q < quantities_.size(); ++q) {
    const auto& quantity = quantities_[q];
    const auto& factor = factors_[q];
    work.quantities[q] = FaceQuantityView(quantity);
    for (std::size_t axis = 0; axis < 3; ++axis)
      work.quantities[q].factor[axis] = factor[axis].data();
  }
  reduce_cells(space, "conditions of faces", part_.faces, work, found_);
  add_findings(space, time, part_.faces, found_, part * most_face_quantities, findings);
}

template class ChangingFaces<float>;
template class ChangingFaces<double>;

}  // namespace halotherm::solver
