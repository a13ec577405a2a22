// SPDX-License-Identifier: MIT
#include "solver/diagnostics/diagnostics.hpp"

#include "solver/field/reduce_cells.hpp"

namespace halotherm::solver {

namespace {

template <class Real>
struct NoteCells {
  comm::GridView<const Real> T;
  comm::GridView<const Real> previous;
  WatchSettings<Real> settings;
  using value_type = Tally;

  KOKKOS_INLINE_FUNCTION void init(Tally& tally) const { tally = Tally::nothing(); }
  KOKKOS_INLINE_FUNCTION void join(Tally& tally, const Tally& other) const { tally.join(other); }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, Tally& tally) const {
    Watch<Real> watch(tally, settings);
    watch.note(T(i, j, k), previous(i, j, k), i, j, k);
    watch.hand_over();
  }
};

}  // namespace

template <class Real>
Tally tally_of(const Field<Real>& temperature, const Field<Real>& previous, const WatchSettings<Real>& settings) {
  return reduce_cells("tally", temperature.owned(), NoteCells<Real>{temperature.view(), previous.view(), settings});
}

template Tally tally_of(const Field<float>&, const Field<float>&, const WatchSettings<float>&);
template Tally tally_of(const Field<double>&, const Field<double>&, const WatchSettings<double>&);

}  // namespace halotherm::solver
