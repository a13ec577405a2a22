// SPDX-License-Identifier: MIT
// The shell's kernel reads exchanged ghost cells: an exchange that is still under way does not
// prove that they are there.
#include "comm/halo/halo_exchange.hpp"
#include "solver/kernels/apply.hpp"

#include <utility>

using namespace halotherm;

void step(comm::Halo<double>& halo, const comm::Streams& streams, const comm::Region& shell,
          const solver::EulerStep<double>& euler, solver::Field<double>& now,
          solver::Field<double>& next) {
  auto exchange = halo.start(streams, now.view());
#ifdef CORRECT
  solver::apply(streams.edge(), shell, euler, std::move(exchange).finish(), next.view());
#else
  solver::apply(streams.edge(), shell, euler, exchange, next.view());
#endif
}
