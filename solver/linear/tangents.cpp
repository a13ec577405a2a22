// SPDX-License-Identifier: MIT
#include "solver/linear/tangents.hpp"

#include "comm/device/for_each_cell.hpp"

namespace halotherm::solver {

namespace {

/// By how much a temperature differs for a quotient [K]: enough for the rounding of float, and
/// little beside the temperatures over which flows change.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real difference(Real T) {
  return Real(0.01) * Kokkos::abs(T) + Real(0.01);
}

template <class Real>
struct Warm {
  comm::GridView<const Real> T;
  comm::GridView<Real> warmer;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    warmer(i, j, k) = T(i, j, k) + difference(T(i, j, k));
  }
};

/// First of all the conditions at T, then their tangents. A condition that does not follow the
/// temperature is linear, and stays as it is to the last bit.
template <class Real>
struct SetTangent {
  comm::GridView<const Real> T, warmer;
  comm::Box inside;  ///< the layer of cells next to the side
  const Affine<Real>* condition;
  Affine<Real>* tangent;
  bool first;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const std::int64_t row =
        std::int64_t{k - inside.lower[2]} * inside.extent(1) + (j - inside.lower[1]);
    const std::int64_t n = row * inside.extent(0) + (i - inside.lower[0]);
    const Real ghost = tangent[n].beta, after = condition[n].beta;
    if (first) tangent[n] = condition[n];
    if (first || ghost == after) return;
    const Real here = T(i, j, k);
    const Real alpha = Kokkos::min((after - ghost) / (warmer(i, j, k) - here), Real(1));
    tangent[n] = {alpha, ghost - alpha * here};
  }
};

/// First the source of the warmer temperature, then the quotient.
template <class Real>
struct SetFall {
  CellSource<Real> source;
  comm::GridView<const Real> T, warmer;
  comm::GridView<Real> fall;
  bool first;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const Real here = source(i, j, k);
    if (first) {
      fall(i, j, k) = here;
      return;
    }
    const Real quotient = (here - fall(i, j, k)) / (warmer(i, j, k) - T(i, j, k));
    fall(i, j, k) = quotient > 0 ? quotient : Real(0);
  }
};

}  // namespace

template <class Real>
void SideTangents<Real>::set(const comm::Space& space, const comm::GridView<const Real>& T,
                             const comm::GridView<Real>& warmer, const Balance& balance) {
  const auto& sides = boundary_.sides();
  const auto conditions = boundary_.view();
  tangents_.resize(sides.size());
  for (const bool first : {true, false}) {
    balance(first ? T : comm::GridView<const Real>(warmer));
    for (std::size_t s = 0; s < sides.size(); ++s) {
      const auto& side = sides[s];
      const auto& condition = conditions.condition[side.axis][side.end];
      if (condition.of_cell == nullptr) continue;
      const auto inside = Boundary<Real>::inner_layer(conditions.owned, side);
      const auto faces = static_cast<std::size_t>(inside.size());
      if (tangents_[s].extent(0) != faces)
        tangents_[s] = Kokkos::View<Affine<Real>*, comm::Memory>("tangents", faces);
      comm::for_each_cell(
          space, "tangents", inside,
          SetTangent<Real>{T, warmer, inside, condition.of_cell, tangents_[s].data(), first});
      if (first) comm::for_each_cell(space, "warm", inside, Warm<Real>{T, warmer});
    }
    space.fence("tangents");
  }
}

template <class Real>
Sides<Real> SideTangents<Real>::view() const {
  auto result = boundary_.view();
  for (std::size_t s = 0; s < tangents_.size(); ++s) {
    auto& condition = result.condition[boundary_.sides()[s].axis][boundary_.sides()[s].end];
    if (condition.of_cell != nullptr) condition.of_cell = tangents_[s].data();
  }
  return result;
}

template <class Real>
void set_source_fall(const comm::Space& space, const comm::Box& owned,
                     const comm::GridView<const Real>& T, const comm::GridView<Real>& warmer,
                     const SourceAt<Real>& source_at, const comm::GridView<Real>& fall) {
  comm::for_each_cell(space, "warm", owned, Warm<Real>{T, warmer});
  space.fence("warm");
  for (const bool first : {true, false}) {
    const auto source = source_at(first ? comm::GridView<const Real>(warmer) : T);
    comm::for_each_cell(space, "fall of the source", owned,
                        SetFall<Real>{source, T, warmer, fall, first});
    space.fence("fall of the source");
  }
}

template void set_source_fall(const comm::Space&, const comm::Box&,
                              const comm::GridView<const float>&, const comm::GridView<float>&,
                              const SourceAt<float>&, const comm::GridView<float>&);
template void set_source_fall(const comm::Space&, const comm::Box&,
                              const comm::GridView<const double>&, const comm::GridView<double>&,
                              const SourceAt<double>&, const comm::GridView<double>&);
template class SideTangents<float>;
template class SideTangents<double>;

}  // namespace halotherm::solver
