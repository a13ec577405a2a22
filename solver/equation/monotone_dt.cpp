// SPDX-License-Identifier: MIT
// The bounds of dt, and the extremes of HeatEquation.
#include "solver/equation/monotone_dt.hpp"

#include "solver/field/dimensions.hpp"
#include "solver/field/reduce_cells.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace halotherm::solver {

namespace {

/// The largest of positive numbers, as a reducing functor of reduce_cells.
struct Largest {
  using value_type = double;
  KOKKOS_INLINE_FUNCTION void init(double& largest) const { largest = 0; }
  KOKKOS_INLINE_FUNCTION void join(double& largest, const double& other) const {
    largest = Kokkos::max(largest, other);
  }
};

/// sum of the faces' K/h² over rho c [1/s]
template <int Dim, class Real, class Medium>
struct DecayRate : Largest {
  Medium medium;
  HeatContent<Real> heat;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, double& largest) const {
    const auto faces = medium.template largest_faces<Dim>(i, j, k);
    double sum = 0;
    for (int axis = 0; axis < Dim; ++axis) sum += faces.total(axis);
    largest = Kokkos::max(largest, sum * heat.largest_inverse(i, j, k));
  }
};

/// The largest share of a cell's heat that a step of one second takes from it [1/s].
template <int Dim, class Real, class Medium>
struct WeightedRate : Largest {
  Medium medium;
  HeatContent<Real> heat;
  Sides<Real> sides;

  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, double& largest) const {
    const auto faces = medium.template largest_faces<Dim>(i, j, k);
    double sum = pair<0>(faces, i, j, k);
    if constexpr (Dim > 1) sum += pair<1>(faces, i, j, k);
    if constexpr (Dim > 2) sum += pair<2>(faces, i, j, k);
    largest = Kokkos::max(largest, sum * heat.largest_inverse(i, j, k));
  }

  /// The rate through both faces across an axis.
  template <int Axis, class Faces>
  KOKKOS_INLINE_FUNCTION double pair(const Faces& faces, int i, int j, int k) const {
    const int index = Axis == 0 ? i : Axis == 1 ? j : k;
    return weight<Axis>(0, sides.at_lower(Axis, index), i, j, k) * faces.at(Axis, 0) +
           weight<Axis>(1, sides.at_upper(Axis, index), i, j, k) * faces.at(Axis, 1);
  }

  template <int Axis>
  KOKKOS_INLINE_FUNCTION double weight(int end, bool at_side, int i, int j, int k) const {
    if (!at_side) return 1;
    return Kokkos::max(
        1.0, 1.0 - static_cast<double>(sides.template condition_of<Axis>(end, i, j, k).alpha));
  }
};

/// rho c [J/(m³ K)]
template <class Real>
struct LargestCapacity : Largest {
  HeatContent<Real> heat;

  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, double& largest) const {
    if (heat.is_void(i, j, k)) return;
    const double capacity =
        heat.tabulated() ? static_cast<double>(heat.materials.at(i, j, k).heat_capacity.largest)
                         : 1.0 / static_cast<double>(heat.inverse_capacity(i, j, k));
    largest = Kokkos::max(largest, capacity);
  }
};

/// Boxes of cells with all rates that cells have: those next to the block's ends and one more where
/// cells of one width are of one material with tables, else all.
template <class Real, class Medium>
std::vector<comm::Box> boxes_with_all_rates(int dimensions, const Medium& medium,
                                            const comm::Box& owned) {
  if constexpr (std::is_same_v<Medium, TabulatedMedium<Real, EvenWidths<Real>>>) {
    const comm::Int3 shell{-1, dimensions > 1 ? -1 : 0, dimensions > 2 ? -1 : 0};
    const auto core = comm::grown(owned, shell, shell);
    if (!medium.materials.has_several() && !core.empty()) {
      auto boxes = comm::difference(owned, core);
      boxes.push_back(comm::first_part(core, 1));
      return boxes;
    }
  }
  return {owned};
}

template <class Real, class Medium>
double largest_rate(int dimensions, const Medium& medium, const HeatContent<Real>& heat,
                    const Sides<Real>& sides) {
  return with_dimensions(dimensions, [&](auto dim) {
    using Rate = WeightedRate<dim(), Real, Medium>;
    double largest = 0;
    for (const auto& box : boxes_with_all_rates<Real>(dimensions, medium, sides.owned))
      largest =
          std::max(largest, reduce_cells("weighted rate", box, Rate{{}, medium, heat, sides}));
    return largest;
  });
}

}  // namespace

template <class Real>
double HeatEquation<Real>::stable_dt(const comm::Box& owned) const {
  const double rate = std::visit(
      [&](const auto& medium) {
        return with_dimensions(dimensions_, [&](auto dim) {
          using Rate = DecayRate<dim(), Real, std::decay_t<decltype(medium)>>;
          return reduce_cells("decay rate", owned, Rate{{}, medium, heat_content()});
        });
      },
      medium_);
  return 1.0 / rate;
}

template <class Real>
double HeatEquation<Real>::largest_capacity(const comm::Box& owned) const {
  const auto heat = heat_content();
  if (!heat.varies()) return 1.0 / static_cast<double>(inverse_capacity_.value);
  return reduce_cells("largest capacity", owned, LargestCapacity<Real>{{}, heat});
}

template <class Real>
double monotone_dt(const HeatEquation<Real>& equation, const Sides<Real>& sides) {
  const double rate = std::visit(
      [&](const auto& medium) {
        return largest_rate(equation.dimensions(), medium, equation.heat_content(), sides);
      },
      equation.medium());
  return 1.0 / rate;
}

template <class Real>
double monotone_dt(const HeatEquation<Real>& equation, const Sides<Real>& sides,
                   const MaterialsView<Real>& limits) {
  auto heat = equation.heat_content();
  heat.materials = limits;
  const double rate = std::visit(
      [&](auto medium) {
        if constexpr (requires { medium.materials; }) medium.materials = limits;
        return largest_rate(equation.dimensions(), medium, heat, sides);
      },
      equation.medium());
  return 1.0 / rate;
}

template double HeatEquation<float>::stable_dt(const comm::Box&) const;
template double HeatEquation<double>::stable_dt(const comm::Box&) const;
template double HeatEquation<float>::largest_capacity(const comm::Box&) const;
template double HeatEquation<double>::largest_capacity(const comm::Box&) const;
template double monotone_dt(const HeatEquation<float>&, const Sides<float>&);
template double monotone_dt(const HeatEquation<double>&, const Sides<double>&);
template double monotone_dt(const HeatEquation<float>&, const Sides<float>&,
                            const MaterialsView<float>&);
template double monotone_dt(const HeatEquation<double>&, const Sides<double>&,
                            const MaterialsView<double>&);

}  // namespace halotherm::solver
