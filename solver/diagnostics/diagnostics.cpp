// SPDX-License-Identifier: MIT
#include "solver/diagnostics/diagnostics.hpp"

#include "solver/field/reduce_cells.hpp"

namespace halotherm::solver {

namespace {

template <class Real, bool Weighed>
struct NoteCells : JoiningAccumulators {
  comm::GridView<const Real> T;
  comm::GridView<const Real> previous;
  DiagnosticsSettings<Real> settings;

  /// Sums are handed over once a row or a column, in long rows while they are exact.
  KOKKOS_INLINE_FUNCTION void row(int first, int end, int j, int k,
                                  Accumulator& accumulator) const {
    constexpr int most = 1 << 18;
    for (; first < end; first += most)
      part_of_row(first, Kokkos::min(end, first + most), j, k, accumulator);
  }
  KOKKOS_INLINE_FUNCTION void column(int i, int j, int first, int end,
                                     Accumulator& accumulator) const {
    Instrument<Real, Weighed> instrument(accumulator, settings);
    for (int k = first; k < end; ++k) instrument.add(T(i, j, k), previous(i, j, k), i, j, k);
    instrument.hand_over();
  }

 private:
  KOKKOS_INLINE_FUNCTION void part_of_row(int i, int end, int j, int k,
                                          Accumulator& accumulator) const {
    using Cells = Pack<Real>;
    Instrument<Real, Weighed> instrument(accumulator, settings);
    for (; i + Cells::width <= end; i += Cells::width)
      instrument.add(load_unaligned<Cells>(&T(i, j, k)), load_unaligned<Cells>(&previous(i, j, k)),
                     i, j, k);
    for (; i < end; ++i) instrument.add(T(i, j, k), previous(i, j, k), i, j, k);
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
    return over_cells(NoteCells<Real, true>{{}, temperature.view(), previous.view(), settings});
  return over_cells(NoteCells<Real, false>{{}, temperature.view(), previous.view(), settings});
}

template Accumulator accumulate(const Field<float>&, const Field<float>&,
                                const DiagnosticsSettings<float>&);
template Accumulator accumulate(const Field<double>&, const Field<double>&,
                                const DiagnosticsSettings<double>&);

}  // namespace halotherm::solver
