// SPDX-License-Identifier: MIT
#include "comm/machine/shared_cores.hpp"

#include "comm/device/execution.hpp"

#include <unistd.h>

#include <cstdlib>

namespace halotherm::comm {

void wait_without_spinning(char** argv) {
  if constexpr (!kernels_run_on_host) return;
  constexpr auto keep_what_is_set = 0;
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", keep_what_is_set);
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  setenv("GOMP_SPINCOUNT", "1000", keep_what_is_set);  // some 20 us
  execv("/proc/self/exe", argv);  // comes back only if it cannot: then threads spin as usual
}

}  // namespace halotherm::comm
