// SPDX-License-Identifier: MIT
// Waiting that leaves a core to whoever has work for it.
#pragma once

namespace halotherm::comm {

/// The first call of `main`, before MPI starts. Threads and ranks that wait for each other spin by
/// default, for milliseconds or for good: on cores that other programs use as well, they burn the
/// time that the one they wait for needs, and steps take 20 to 90 times as long. Here OpenMP's
/// threads spin for about as long as it takes to wake one (GOMP_SPINCOUNT) and sleep then, and Open
/// MPI's waits offer their core (OMPI_MCA_mpi_yield_when_idle). Both libraries take this from
/// environment variables only, and GCC's OpenMP reads them before `main`: they are set, and the
/// program is executed anew by the same process. Variables that are set already stay,
/// OMP_WAIT_POLICY included. Does nothing where kernels run on devices, or where it cannot be done.
void wait_without_spinning(char** argv);

}  // namespace halotherm::comm
