// SPDX-License-Identifier: MIT
#include "solver/diagnostics/flow_sums.hpp"

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

/// The flow through each cell's face at a side, with the ghost temperature that the step computes.
template <int Dim, class Real, class Medium>
struct FlowThroughSide : JoiningRates {
  Update<Dim, Real, Medium, NoOperator> update;
  Side side;
  double weight;
  SumScale scale;

  FlowThroughSide(const Update<Dim, Real, Medium, NoOperator>& the_update, const Side& the_side,
                  double the_weight, const SumScale& the_scale)
      : update(the_update), side(the_side), weight(the_weight), scale(the_scale) {}

  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, RateSum& sum) const {
    auto T = update.template star<Real>(i, j, k);
    update.sides.template replace_ghosts<Dim>(T, i, j, k);
    const auto faces = update.medium.faces_of(T, i, j, k);
    const Real ghost = side.end == 0 ? T.lower[side.axis] : T.upper[side.axis];
    sum.add(weight * (faces.at(side.axis, side.end) * static_cast<double>(ghost - T.here)), scale);
  }
};

template <class Real>
struct SourceOfCell : JoiningRates {
  CellValue<Real> source;
  double weight;
  SumScale scale;

  SourceOfCell(const CellValue<Real>& the_source, double the_weight, const SumScale& the_scale)
      : source(the_source), weight(the_weight), scale(the_scale) {}

  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, RateSum& sum) const {
    sum.add(weight * static_cast<double>(source(i, j, k)), scale);
  }
};

/// Adds a stage's sums to those of the step, or begins with them.
struct JoinStage {
  Kokkos::View<const RateSum*, comm::Memory> stage;
  Kokkos::View<RateSum*, comm::Memory> total;
  bool first;
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    RateSum sum = stage(n);
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
  for (std::size_t n = 0; n < parts_.size(); ++n) {
    const auto& [side, cells] = parts_[n];
    if (cells.empty()) continue;
    with_dimensions(equation_.dimensions(), [&](auto dim) {
      std::visit(
          [&](const auto& medium) {
            using Medium = std::decay_t<decltype(medium)>;
            using Flow = FlowThroughSide<dim(), Real, Medium>;
            reduce_cells(space, "heat flow", cells,
                         Flow({T, {}, medium, {}, sides}, side, weight, scale_),
                         Kokkos::subview(stage_, n));
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
  if (!source.varies) {
    uniform_ += weight * static_cast<double>(source.value);
    return;
  }
  reduce_cells(space, "heat of sources", owned_, SourceOfCell<Real>(source, weight, scale_),
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
