// SPDX-License-Identifier: MIT
// Only a finished exchange can say that ghost cells are current.
#include "comm/halo/halo_exchange.hpp"

#include <utility>

using namespace halotherm;

comm::Ghosted<double> forge(comm::Halo<double>& halo, const comm::Streams& streams,
                            const comm::GridView<double>& field) {
#ifdef CORRECT
  return halo.start(streams, field).finish();
#else
  (void)halo;
  (void)streams;
  return comm::Ghosted<double>(field);
#endif
}
