// SPDX-License-Identifier: MIT
#include "solver/diagnostics/diagnostics.hpp"

#include "solver/field/reduce_cells.hpp"

namespace halotherm::solver {

namespace {

template <class Real, bool Weighed>
struct NoteCells {
  comm::GridView<const Real> T;
  comm::GridView<const Real> previous;
  DiagnosticsSettings<Real> settings;
  using value_type = Accumulator;

  KOKKOS_INLINE_FUNCTION void init(Accumulator& accumulator) const {
    accumulator = Accumulator::nothing();
  }
  KOKKOS_INLINE_FUNCTION void join(Accumulator& accumulator, const Accumulator& other) const {
    accumulator.join(other);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, Accumulator& accumulator) const {
    Instrument<Real, Weighed> instrument(accumulator, settings);
    instrument.add(T(i, j, k), previous(i, j, k), i, j, k);
    instrument.hand_over();
  }
};

}  // namespace

template <class Real>
Accumulator accumulate(const Field<Real>& temperature, const Field<Real>& previous,
                       const DiagnosticsSettings<Real>& settings) {
  const auto over_cells = [&](const auto& note) {
    return reduce_cells("accumulator", temperature.owned(), note);
  };
  if (settings.shares.differ())
    return over_cells(NoteCells<Real, true>{temperature.view(), previous.view(), settings});
  return over_cells(NoteCells<Real, false>{temperature.view(), previous.view(), settings});
}

template Accumulator accumulate(const Field<float>&, const Field<float>&,
                                const DiagnosticsSettings<float>&);
template Accumulator accumulate(const Field<double>&, const Field<double>&,
                                const DiagnosticsSettings<double>&);

}  // namespace halotherm::solver
