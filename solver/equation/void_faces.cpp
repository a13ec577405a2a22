// SPDX-License-Identifier: MIT
#include "solver/equation/void_faces.hpp"

#include <utility>

namespace halotherm::solver {

namespace {

/// Copies between the source and what was kept of it.
template <class Real>
struct CopySource {
  const comm::Int3* cell;
  comm::GridView<Real> source;
  Real* kept;
  bool back;

  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    auto& value = source(cell[n][0], cell[n][1], cell[n][2]);
    if (back) {
      value = kept[n];
    } else {
      kept[n] = value;
    }
  }
};

/// The flows of one cell's faces.
template <class Real>
struct HeatCells {
  using value_type = FoundAtFaces;

  FaceQuantityView quantities[most_face_quantities];
  int count;
  bool fixed;
  const VoidFace* faces;
  const comm::Int3* cell;
  const std::int32_t* first;
  const Real* kept;
  double* rate;
  double time;
  comm::GridView<const Real> T;
  MaterialsView<Real> materials;
  comm::GridView<Real> source;

  KOKKOS_INLINE_FUNCTION void init(FoundAtFaces& found) const { found.clear(); }
  KOKKOS_INLINE_FUNCTION void join(FoundAtFaces& found, const FoundAtFaces& other) const {
    found.join(other);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int n, FoundAtFaces& found) const {
    const auto& [i, j, k] = cell[n];
    const auto inside = static_cast<double>(T(i, j, k));
    double sum = 0;
    for (std::int32_t face = first[n]; face < first[n + 1]; ++face)
      sum += flow(face, inside, found) / faces[face].width;
    rate[n] = sum;
    source(i, j, k) = static_cast<Real>(static_cast<double>(kept[n]) + sum);
  }

 private:
  /// Into the cell [W/m²].
  KOKKOS_INLINE_FUNCTION double flow(std::int32_t n, double inside, FoundAtFaces& found) const {
    const auto& face = faces[n];
    const auto& [x, y, z] = face.position;
    RecentLine<Real> recent;  // temperatures of a face are near to each other
    double values[most_face_quantities] = {};
    for (int q = 0; q < count; ++q) {
      values[q] = quantities[q].at(x, y, z, time);
      if (!quantities[q].allows(values[q])) found.note(n, values[q], q);
    }
    if (fixed) {
      found.bounds.include(values[0]);
      return conductance(face, inside, values[0], recent) * (values[0] - inside);
    }
    const HeatFlows flows{values[0], values[1], values[2], values[3], values[4]};
    found.bounds.include_flows(flows);
    const auto balance = face_balance(flows, face.half);
    if (!(balance.film > 0) && !(balance.radiated > 0)) return balance.gain;
    const double at_face = temperature(face, balance, inside, recent);
    return conductance(face, inside, at_face, recent) * (at_face - inside);
  }
  KOKKOS_INLINE_FUNCTION double conductivity(const VoidFace& face, double temperature,
                                             RecentLine<Real>& recent) const {
    const auto& [i, j, k] = face.cell;
    return static_cast<double>(materials.conductivity(materials.number(i, j, k), face.axis,
                                                      static_cast<Real>(temperature), recent));
  }
  /// Between the cell's centre and the face. Of a material with tables, K is the mean of those
  /// inside and as far beyond the face, as at sides.
  KOKKOS_INLINE_FUNCTION double conductance(const VoidFace& face, double inside, double at_face,
                                            RecentLine<Real>& recent) const {
    if (materials.count == 0) return face.half;
    const double K_inside = conductivity(face, inside, recent);
    return 0.5 * face.half * (K_inside + conductivity(face, 2 * at_face - inside, recent));
  }
  KOKKOS_INLINE_FUNCTION double temperature(const VoidFace& face, const FaceBalance& balance,
                                            double inside, RecentLine<Real>& recent) const {
    if (materials.count == 0) return balance.temperature(inside);
    const double ghost =
        balance.ghost(inside, [&](double at) { return conductivity(face, at, recent); });
    return 0.5 * (inside + ghost);
  }
};

auto one_for_each(const comm::Space& space, int count) {
  return Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<int>>(space, 0, count);
}

}  // namespace

template <class Real>
VoidFaces<Real>::VoidFaces(const std::vector<VoidFace>& faces, bool fixed,
                           std::vector<FaceQuantity> quantities)
    : quantities_(std::move(quantities)),
      fixed_(fixed),
      faces_(on_device("void faces", faces)),
      found_("flows of void faces") {
  std::vector<comm::Int3> cells;
  std::vector<std::int32_t> first;
  for (std::size_t n = 0; n < faces.size(); ++n) {
    if (n > 0 && faces[n].cell == cells.back()) continue;
    cells.push_back(faces[n].cell);
    first.push_back(static_cast<std::int32_t>(n));
  }
  first.push_back(static_cast<std::int32_t>(faces.size()));
  cells_ = on_device("cells beside void", cells);
  first_ = on_device("first void face", first);
  rate_ = DeviceArray<double>("heat through void faces", cells.size());
  kept_ = DeviceArray<Real>("source beside void", cells.size());
}

template <class Real>
void VoidFaces<Real>::keep(const comm::Space& space, const comm::GridView<Real>& source) const {
  Kokkos::parallel_for("keep the source", one_for_each(space, view().count),
                       CopySource<Real>{cells_.data(), source, kept_.data(), false});
}

template <class Real>
void VoidFaces<Real>::restore(const comm::Space& space, const comm::GridView<Real>& source) const {
  Kokkos::parallel_for("restore the source", one_for_each(space, view().count),
                       CopySource<Real>{cells_.data(), source, kept_.data(), true});
}

template <class Real>
void VoidFaces<Real>::heat(const comm::Space& space, double time,
                           const comm::GridView<const Real>& T,
                           const MaterialsView<Real>& materials, const comm::GridView<Real>& source,
                           const FaceFindings::View& findings) const {
  const int cells = view().count;
  if (cells == 0) return;
  HeatCells<Real> work{{},
                       static_cast<int>(quantities_.size()),
                       fixed_,
                       faces_.data(),
                       cells_.data(),
                       first_.data(),
                       kept_.data(),
                       rate_.data(),
                       time,
                       T,
                       materials,
                       source};
  for (std::size_t q = 0; q < quantities_.size(); ++q)
    work.quantities[q] = FaceQuantityView(quantities_[q]);
  Kokkos::parallel_reduce("heat through void faces", one_for_each(space, cells), work, found_);
  const comm::Box list{{0, 0, 0}, {static_cast<int>(faces_.extent(0)), 1, 1}};
  add_findings(space, time, list, found_, 0, findings);
}

template <class Real>
VoidHeat VoidFaces<Real>::view() const {
  return {true, static_cast<int>(cells_.extent(0)), cells_.data(), rate_.data()};
}

template class VoidFaces<float>;
template class VoidFaces<double>;

}  // namespace halotherm::solver
