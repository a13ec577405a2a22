// SPDX-License-Identifier: MIT
// The definitions of apply_steps.hpp, compiled in one source for each precision.
#pragma once

#include "solver/waves/apply_steps.hpp"

#include "solver/kernels/apply_of.hpp"
#include "solver/waves/wave_strips.hpp"

namespace halotherm::solver {

namespace detail {

/// Media for which kernels exist.
template <class Medium>
inline constexpr bool has_waves = false;
template <class Real>
inline constexpr bool has_waves<UniformMedium<Real>> = true;
template <class Real>
inline constexpr bool has_waves<StretchedMedium<Real>> = true;
template <class Real, class Spacing>
inline constexpr bool has_waves<VaryingMedium<Real, Spacing>> = true;

inline constexpr int most_steps = 8;

template <class Update, class Real>
struct PieceOfWave {
  WaveStrips<Update, Real> strips;
  void operator()(int piece) const { strips.sweep(piece); }
};

/// Where faces take most of the time, one kernel suits all coefficients.
template <int Dim, class Real, class Medium, class Work>
void with_euler_cells(const EulerStep<Real>& step, const Medium& medium, const Work& work) {
  if constexpr (std::is_same_v<Medium, UniformMedium<Real>>) {
    with_cells<Dim>(step, medium, work);
  } else {
    using Heating = VaryingHeating<Real>;
    work(EulerCells<Heating>{Heating{step.equation.inverse_capacity(), step.equation.source(),
                                     static_cast<Real>(step.dt)}});
  }
}

template <int Dim, class Real, class Medium>
void launch_steps(const comm::Space& space, std::span<const comm::Box> boxes,
                  const EulerStep<Real>& step, int steps, const Medium& medium,
                  const comm::GridView<const Real>& in, const comm::GridView<Real>& out) {
  using Policy =
      Kokkos::RangePolicy<comm::Space, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;
  const auto sides = step.boundary.view();
  with_euler_cells<Dim>(step, medium, [&](const auto& cells) {
    using Update_ = Update<Dim, Real, Medium, std::decay_t<decltype(cells)>>;
    const Update_ update{in, out, medium, cells, sides};
    for (const auto& box : boxes) {
      if (box.empty()) continue;
      const WaveStrips<Update_, Real> strips(update, steps, box, space.concurrency());
      Kokkos::parallel_for("several steps", Policy(space, 0, strips.pieces()),
                           PieceOfWave<Update_, Real>{strips});
    }
  });
}

}  // namespace detail

template <class Real>
int most_steps_at_once(const HeatEquation<Real>& equation) {
  if (!comm::kernels_run_on_host || equation.dimensions() == 1) return 1;
  return std::visit(
      [](const auto& medium) {
        return detail::has_waves<std::decay_t<decltype(medium)>> ? detail::most_steps : 1;
      },
      equation.medium());
}

template <class Real>
void apply_steps(const comm::Space& space, std::span<const comm::Box> boxes,
                 const EulerStep<Real>& step, int steps, const comm::GridView<const Real>& in,
                 const comm::GridView<Real>& out) {
  const auto launch = [&](const auto& medium) {
    if constexpr (comm::kernels_run_on_host && detail::has_waves<std::decay_t<decltype(medium)>>) {
      step.equation.dimensions() == 2
          ? detail::launch_steps<2>(space, boxes, step, steps, medium, in, out)
          : detail::launch_steps<3>(space, boxes, step, steps, medium, in, out);
    }
  };
  std::visit(launch, step.equation.medium());
}

}  // namespace halotherm::solver
