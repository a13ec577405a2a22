// SPDX-License-Identifier: MIT
#include "solver/diagnostics/flow_sums.hpp"

#include "solver/diagnostics/exact_carry.hpp"
#include "solver/equation/update.hpp"
#include "solver/field/dimensions.hpp"
#include "solver/field/reduce_cells.hpp"

#include <cmath>

namespace halotherm::solver {

namespace {

struct JoiningRates {
  using value_type = RateSum;
  KOKKOS_INLINE_FUNCTION void init(RateSum& sum) const { sum = RateSum{}; }
  KOKKOS_INLINE_FUNCTION void join(RateSum& sum, const RateSum& other) const { sum.join(other); }
};

struct NoOperator {};

/// What a reduction over flows through faces of cells needs.
template <int Dim, class Real, class Medium>
struct FlowsOfCells : JoiningRates {
  Update<Dim, Real, Medium, NoOperator> update;
  HeatContent<Real> heat;
  VolumeShares shares;
  double weight;
  SumScale scale;

  FlowsOfCells(const Update<Dim, Real, Medium, NoOperator>& the_update,
               const HeatContent<Real>& the_heat, const VolumeShares& the_shares, double the_weight,
               const SumScale& the_scale)
      : update(the_update),
        heat(the_heat),
        shares(the_shares),
        weight(the_weight),
        scale(the_scale) {}

  /// The temperatures of a cell and around it, with the ghost temperatures that the step computes.
  KOKKOS_INLINE_FUNCTION Star<Dim, Real> temperatures(int i, int j, int k) const {
    auto T = update.template star<Real>(i, j, k);
    update.sides.template replace_ghosts<Dim>(T, i, j, k);
    return T;
  }
  /// Adds the flow through one face of a cell of this volume.
  template <class Faces>
  KOKKOS_INLINE_FUNCTION void add(const Star<Dim, Real>& T, const Faces& faces, int axis, int end,
                                  double share, RateSum& sum) const {
    const Real beyond = end == 0 ? T.lower[axis] : T.upper[axis];
    const double rate = faces.at(axis, end) * static_cast<double>(beyond - T.here);
    sum.add(weight * rate * share, scale);
  }
};

/// The flow through each cell's face at a side.
template <int Dim, class Real, class Medium>
struct FlowThroughSide : FlowsOfCells<Dim, Real, Medium> {
  Side side;

  FlowThroughSide(const FlowsOfCells<Dim, Real, Medium>& flows, const Side& the_side)
      : FlowsOfCells<Dim, Real, Medium>(flows), side(the_side) {}

  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, RateSum& sum) const {
    if (this->heat.is_void(i, j, k)) return;
    const auto T = this->temperatures(i, j, k);
    this->add(T, this->update.medium.faces_of(T, i, j, k), side.axis, side.end,
              this->shares(i, j, k), sum);
  }
};

/// The flows through a cell's faces towards void cells.
template <int Dim, class Real, class Medium>
struct FlowThroughVoidFaces : FlowsOfCells<Dim, Real, Medium> {
  explicit FlowThroughVoidFaces(const FlowsOfCells<Dim, Real, Medium>& flows)
      : FlowsOfCells<Dim, Real, Medium>(flows) {}

  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, RateSum& sum) const {
    const auto& content = this->heat;
    if (content.is_void(i, j, k)) return;
    bool is_void[Dim][2];
    bool some = false;
    for (int axis = 0; axis < Dim; ++axis) {
      const int d[3] = {axis == 0, axis == 1, axis == 2};
      is_void[axis][0] = content.is_void(i - d[0], j - d[1], k - d[2]);
      is_void[axis][1] = content.is_void(i + d[0], j + d[1], k + d[2]);
      some = some || is_void[axis][0] || is_void[axis][1];
    }
    if (!some) return;
    const auto T = this->temperatures(i, j, k);
    const auto faces = this->update.medium.faces_of(T, i, j, k);
    const double share = this->shares(i, j, k);
    for (int axis = 0; axis < Dim; ++axis) {
      for (int end = 0; end < 2; ++end) {
        if (is_void[axis][end]) this->add(T, faces, axis, end, share, sum);
      }
    }
  }
};

template <class Real>
struct SourceOfCell : JoiningRates {
  CellSource<Real> source;
  VolumeShares shares;
  double weight;
  SumScale scale;

  SourceOfCell(const CellSource<Real>& the_source, const VolumeShares& the_shares,
               double the_weight, const SumScale& the_scale)
      : source(the_source), shares(the_shares), weight(the_weight), scale(the_scale) {}

  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, RateSum& sum) const {
    sum.add(weight * static_cast<double>(source(i, j, k)) * shares(i, j, k), scale);
  }
};

/// Flows through void faces that are a source.
struct HeatOfVoidFaces : JoiningRates {
  VoidHeat heat;
  VolumeShares shares;
  double weight;
  SumScale scale;

  HeatOfVoidFaces(const VoidHeat& the_heat, const VolumeShares& the_shares, double the_weight,
                  const SumScale& the_scale)
      : heat(the_heat), shares(the_shares), weight(the_weight), scale(the_scale) {}

  KOKKOS_INLINE_FUNCTION void operator()(int n, RateSum& sum) const {
    const auto& cell = heat.cell[n];
    sum.add(weight * heat.rate[n] * shares(cell[0], cell[1], cell[2]), scale);
  }
};

/// Adds a stage's sums to those of the step, or begins with them.
struct JoinStage {
  Kokkos::View<const RateSum*, comm::Memory> stage;
  Kokkos::View<RateSum*, comm::Memory> total;
  bool first;
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    RateSum sum = stage(n);
    sum.sum = carried(sum.sum);
    if (!first) sum.join(total(n));
    total(n) = sum;
  }
};

}  // namespace

template <class Real>
FlowSums<Real>::FlowSums(const HeatEquation<Real>& equation, const comm::Box& owned,
                         const std::vector<FlowPart>& parts, double largest_capacity)
    : equation_(equation),
      owned_(owned),
      parts_(parts),
      largest_capacity_(largest_capacity),
      stage_("heat flows of a stage", parts.size() + 1),
      total_("heat flows", parts.size() + 1),
      host_("heat flows on the host", parts.size() + 1) {
  for (auto& part : parts_) part.cells = comm::intersection(part.cells, owned);
}

/// Rates are those that change a temperature by up to 2^50 K in a step: below 2^40 K, which the
/// accumulators accept, many stages may each move more than stays.
template <class Real>
void FlowSums<Real>::begin(double dt) {
  constexpr int largest_change = 50;
  dt_ = dt;
  scale_ = SumScale(largest_change + std::ilogb(largest_capacity_ / dt) + 1);
  uniform_ = 0;
  first_ = true;
}

template <class Real>
void FlowSums<Real>::add(const comm::Space& space, const comm::GridView<const Real>& T,
                         const Boundary<Real>& boundary, double weight) {
  const auto sides = boundary.view();
  const auto heat = equation_.heat_content();
  const auto shares = equation_.volume_shares();
  for (std::size_t n = 0; n < parts_.size(); ++n) {
    const auto& part = parts_[n];
    if (part.cells.empty()) continue;
    const auto into = Kokkos::subview(stage_, n);
    if (const auto& voids = equation_.void_heat(); part.void_faces && voids.present) {
      if (voids.count == 0) continue;
      Kokkos::parallel_reduce(
          "heat flow of void faces",
          Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<int>>(space, 0, voids.count),
          HeatOfVoidFaces(voids, shares, weight, scale_), into);
      continue;
    }
    with_dimensions(equation_.dimensions(), [&](auto dim) {
      std::visit(
          [&](const auto& medium) {
            using Medium = std::decay_t<decltype(medium)>;
            const FlowsOfCells<dim(), Real, Medium> flows({T, {}, medium, {}, sides}, heat, shares,
                                                          weight, scale_);
            if (part.void_faces) {
              reduce_cells(space, "heat flow", part.cells, FlowThroughVoidFaces(flows), into);
            } else {
              reduce_cells(space, "heat flow", part.cells, FlowThroughSide(flows, part.side), into);
            }
          },
          equation_.medium());
    });
  }
  add_source(space, weight);
  Kokkos::parallel_for("heat flows of a stage",
                       Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<int>>(
                           space, 0, static_cast<int>(stage_.extent(0))),
                       JoinStage{stage_, total_, first_});
  first_ = false;
}

template <class Real>
void FlowSums<Real>::add_source(const comm::Space& space, double weight) {
  const auto& source = equation_.source();
  if (source.uniform()) {
    uniform_ += weight * static_cast<double>(source.value.value);
    return;
  }
  reduce_cells(space, "heat of sources", owned_,
               SourceOfCell<Real>(source, equation_.volume_shares(), weight, scale_),
               Kokkos::subview(stage_, parts_.size()));
}

template <class Real>
auto FlowSums<Real>::collect() const -> Sums {
  const comm::Space space;
  Kokkos::deep_copy(space, host_, total_);
  space.fence("heat flows");
  Sums sums;
  for (std::size_t n = 0; n < parts_.size(); ++n) sums.parts.push_back(host_(n));
  sums.source = host_(parts_.size());
  return sums;
}

template class FlowSums<float>;
template class FlowSums<double>;

}  // namespace halotherm::solver
