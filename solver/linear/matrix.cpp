// SPDX-License-Identifier: MIT
#include "solver/linear/matrix.hpp"

#include "comm/device/for_each_cell.hpp"
#include "solver/field/dimensions.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

template <class Medium>
inline constexpr bool depends_on_temperature = false;
template <class Real, class Widths>
inline constexpr bool depends_on_temperature<TabulatedMedium<Real, Widths>> = true;

/// The conductances of a cell's lower faces, of its upper ones at sides, and its anchor.
template <int Dim, class Real, class Medium>
struct SetRow {
  LevelGrid grid;
  Medium medium;
  HeatContent<Real> heat;
  VolumeShares shares;
  Sides<Real> sides;
  comm::GridView<const Real> T;
  comm::GridView<float> lower[3];
  double rate;  ///< of the mass [1/s]
  comm::GridView<float> anchor;
  bool anchored;
  comm::GridView<const Real> fall;  ///< of the source, or no data

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    if (heat.is_void(i, j, k)) return;
    const auto faces = medium.faces_of(star(i, j, k), i, j, k);
    const double share = shares(i, j, k);
    double to_void = 0;
    set_axis<0>(faces, share, to_void, i, j, k);
    if constexpr (Dim > 1) set_axis<1>(faces, share, to_void, i, j, k);
    if constexpr (Dim > 2) set_axis<2>(faces, share, to_void, i, j, k);
    if (!anchored) return;
    const double mass = rate > 0 ? rate * share * heat.capacity(T(i, j, k), i, j, k) : 0;
    const double falling = fall.data != nullptr ? share * static_cast<double>(fall(i, j, k)) : 0;
    anchor(i, j, k) = static_cast<float>(mass + to_void + falling);
  }

 private:
  /// The temperatures on which faces depend; any others where they depend on none.
  KOKKOS_FORCEINLINE_FUNCTION Star<Dim, Real> star(int i, int j, int k) const {
    Star<Dim, Real> around{};
    if constexpr (depends_on_temperature<Medium>) {
      around.here = T(i, j, k);
      for (int axis = 0; axis < Dim; ++axis) {
        const int d[3] = {axis == 0, axis == 1, axis == 2};
        around.lower[axis] = T(i - d[0], j - d[1], k - d[2]);
        around.upper[axis] = T(i + d[0], j + d[1], k + d[2]);
      }
      sides.template replace_ghosts<Dim>(around, i, j, k);
    }
    return around;
  }
  template <int Axis, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION void set_axis(const Faces& faces, double share, double& to_void,
                                            int i, int j, int k) const {
    constexpr int d[3] = {Axis == 0, Axis == 1, Axis == 2};
    if (grid.periodic[Axis] && grid.cells[Axis] == 1) return;  // a cell beside itself
    const int at = Axis == 0 ? i : Axis == 1 ? j : k;
    for (int end = 0; end < 2; ++end) {
      double conductance = static_cast<double>(faces.at(Axis, end)) * share;
      const bool at_side = end == 0 ? sides.at_lower(Axis, at) : sides.at_upper(Axis, at);
      if (at_side) {
        // beyond, T is alpha T_inside + beta
        const auto condition = sides.template condition_of<Axis>(end, i, j, k);
        conductance *= 1 - static_cast<double>(condition.alpha);
      } else {
        const int way = end == 0 ? -1 : 1;
        if (heat.is_void(i + way * d[0], j + way * d[1], k + way * d[2])) {
          to_void += conductance;
          continue;
        }
      }
      const auto value = static_cast<float>(conductance);
      if (end == 0) lower[Axis](i, j, k) = value;
      if (end == 1 && at_side) lower[Axis](i + d[0], j + d[1], k + d[2]) = value;
    }
  }
};

template <class Real>
struct AddMass {
  StepMass<Real> mass;
  comm::GridView<const Real> T;
  comm::GridView<Real> values;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    if (mass.heat.is_void(i, j, k)) return;
    values(i, j, k) = mass.added_to(values(i, j, k), T(i, j, k), i, j, k);
  }
};

template <class Real>
struct ApplyMass {
  HeatContent<Real> heat;
  VolumeShares shares;
  double rate;
  comm::GridView<const Real> T;
  comm::GridView<const float> x;
  comm::GridView<float> b;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const bool none = heat.is_void(i, j, k);
    const double mass = rate * shares(i, j, k) * heat.capacity(T(i, j, k), i, j, k);
    b(i, j, k) = none ? 0.0F : static_cast<float>(mass * static_cast<double>(x(i, j, k)));
  }
};

}  // namespace

comm::Box LevelGrid::grown(const comm::Box& box, int width) const {
  auto result = box;
  for (int axis = 0; axis < dimensions; ++axis) {
    result.lower[axis] -= width;
    result.upper[axis] += width;
    if (periodic[axis]) continue;
    result.lower[axis] = std::max(result.lower[axis], 0);
    result.upper[axis] = std::min(result.upper[axis], cells[axis]);
  }
  return result;
}

Field<float> zero_field(const LevelGrid& grid, const comm::Box& owned, const std::string& label,
                        int layers) {
  comm::Int3 ghosts{0, 0, 0};
  for (int axis = 0; axis < grid.dimensions; ++axis) ghosts[axis] = layers;
  Field<float> field(label, owned, ghosts);
  const comm::Space space;
  Kokkos::deep_copy(space,
                    Kokkos::View<float*, comm::Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                        field.data(), static_cast<std::size_t>(field.bytes()) / sizeof(float)),
                    0.0F);
  space.fence("zeros");
  return field;
}

Matrix::Matrix(const LevelGrid& grid, const comm::Box& owned, bool anchored, int layers) {
  for (int axis = 0; axis < grid.dimensions; ++axis)
    lower_.push_back(zero_field(grid, owned, "conductances", layers));
  if (anchored) anchor_.emplace(zero_field(grid, owned, "anchors", layers));
}

MatrixView Matrix::view() const {
  MatrixView view;
  for (std::size_t axis = 0; axis < lower_.size(); ++axis)
    view.lower[axis] = std::as_const(lower_[axis]).view();
  view.anchor = anchored() ? std::as_const(*anchor_).view() : view.lower[0];
  view.of_anchor = anchored() ? 1.0F : 0.0F;
  return view;
}

std::vector<Field<float>*> Matrix::fields() {
  std::vector<Field<float>*> all;
  for (auto& field : lower_) all.push_back(&field);
  if (anchor_) all.push_back(&*anchor_);
  return all;
}

template <class Real>
void set_matrix(const comm::Space& space, const LevelGrid& grid, const comm::Box& owned,
                const HeatEquation<Real>& equation, const Sides<Real>& sides,
                const comm::GridView<const Real>& T, double rate, Matrix& matrix,
                const comm::GridView<const Real>& fall) {
  std::visit(
      [&](const auto& medium) {
        with_dimensions(grid.dimensions, [&](auto dim) {
          using Medium = std::decay_t<decltype(medium)>;
          SetRow<dim(), Real, Medium> row{grid,
                                          medium,
                                          equation.heat_content(),
                                          equation.volume_shares(),
                                          sides,
                                          T,
                                          {},
                                          rate,
                                          {},
                                          matrix.anchored(),
                                          fall};
          for (int axis = 0; axis < grid.dimensions; ++axis)
            row.lower[axis] = matrix.lower(axis).view();
          if (matrix.anchored()) row.anchor = matrix.anchor().view();
          comm::for_each_cell(space, "conductances", owned, row);
        });
      },
      equation.medium());
}

template <class Real>
void add_mass(const comm::Space& space, const comm::Box& owned, const StepMass<Real>& mass,
              const comm::GridView<const Real>& T, const comm::GridView<Real>& values) {
  comm::for_each_cell(space, "mass", owned, AddMass<Real>{mass, T, values});
}

template <class Real>
void apply_mass(const comm::Space& space, const comm::Box& owned,
                const HeatEquation<Real>& equation, double rate,
                const comm::GridView<const Real>& T, const comm::GridView<const float>& x,
                const comm::GridView<float>& b) {
  comm::for_each_cell(
      space, "apply mass", owned,
      ApplyMass<Real>{equation.heat_content(), equation.volume_shares(), rate, T, x, b});
}

#define HALOTHERM_INSTANTIATE(Real)                                                         \
  template void set_matrix(const comm::Space&, const LevelGrid&, const comm::Box&,          \
                           const HeatEquation<Real>&, const Sides<Real>&,                   \
                           const comm::GridView<const Real>&, double, Matrix&,              \
                           const comm::GridView<const Real>&);                              \
  template void add_mass(const comm::Space&, const comm::Box&, const StepMass<Real>&,       \
                         const comm::GridView<const Real>&, const comm::GridView<Real>&);   \
  template void apply_mass(const comm::Space&, const comm::Box&, const HeatEquation<Real>&, \
                           double, const comm::GridView<const Real>&,                       \
                           const comm::GridView<const float>&, const comm::GridView<float>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::solver
