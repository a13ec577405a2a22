# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Shared by the scripts of this folder: sourced, not run.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '\n== %s\n' "$*"; }

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Compilers at once: one a core, but no more than memory carries (a file with Kokkos in it takes up to 1.5 GB).
jobs_that_fit() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo)
  if ((memory < 1)); then memory=1; fi
  echo $((cores < memory ? cores : memory))
}

# a path given by the user is relative to where they are, not to the project
if [[ ${KOKKOS_ARCHIVE:-} ]]; then
  KOKKOS_ARCHIVE=$(realpath "$KOKKOS_ARCHIVE")
  export KOKKOS_ARCHIVE
fi

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  (cd "$project" && cmake --preset "$preset" && cmake --build --preset "$preset" -j "$(jobs_that_fit)" ${1:+--target "$@"})
}

# What one machine needs that a cluster does not: more ranks than cores, no pinning of a rank with its threads to one core, no reading
# of a neighbour's memory, which containers forbid. Open MPI refuses root unless told twice.
use_mpi_on_one_machine() {
  export OMPI_MCA_rmaps_base_oversubscribe=1
  export OMPI_MCA_hwloc_base_binding_policy=none
  export OMPI_MCA_btl_vader_single_copy_mechanism=none
  export HWLOC_COMPONENTS=${HWLOC_COMPONENTS:--gl} # no search for X displays, whose names may take seconds to resolve
  export OMP_PROC_BIND=${OMP_PROC_BIND:-false}
  if [[ $(id -u) -eq 0 ]]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
}

elapsed() { printf '%d min %d s' $((SECONDS / 60)) $((SECONDS % 60)); }
