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

# Sets what stands in one_machine.env, unless it is set.
use_mpi_on_one_machine() {
  local name value
  while IFS='=' read -r name value; do
    if [[ $name == [A-Z]* && -z ${!name+set} ]]; then export "$name=$value"; fi
  done <"$project/scripts/one_machine.env"
}

elapsed() { printf '%d min %d s' $((SECONDS / 60)) $((SECONDS % 60)); }
