# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the batch scripts of this folder, with `here` set to it. Gives them `program` and `srun_options`, by these variables:
#   HALOTHERM                    the program (default: of the builds beside this folder, build/cuda/bin/halotherm where the ranks
#                                have GPUs and build/cpu/bin/halotherm where not; if this folder is installed, the program that is
#                                installed with it)
#   HALOTHERM_ENVIRONMENT        what loads the modules (default: environment.sh in this folder)
#   HALOTHERM_SRUN               further options of srun, such as --mpi=pmix --cpu-bind=cores
environment=${HALOTHERM_ENVIRONMENT:-$here/environment.sh}
if [[ -r $environment ]]; then
  # shellcheck source=slurm/environment.sh
  source "$environment" # may set HALOTHERM, where partitions need builds of their own
fi
threads=${SLURM_CPUS_PER_TASK:-1}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$threads}
export OMP_PROC_BIND=${OMP_PROC_BIND:-false} # srun binds ranks; threads stay within their rank's cores

# Ranks end with a checkpoint before this moment. It is read each time: Slurm 22.05 does not set it, and a limit may change.
end_time=$(SLURM_TIME_FORMAT=%s squeue --noheader --jobs="${SLURM_JOB_ID:-0}" --format=%e 2>/dev/null || true)
if [[ $end_time =~ ^[0-9]+$ ]]; then export SLURM_JOB_END_TIME=$end_time; fi

# --kill-on-bad-exit: a rank that dies takes the others along, which would wait for it for ever. --cpus-per-task: srun does not take
# it from sbatch since Slurm 22.05.
srun_options=(--kill-on-bad-exit=1 --cpus-per-task="$threads")
read -ra more <<<"${HALOTHERM_SRUN:-}"
srun_options+=("${more[@]}")

# Whether the ranks have GPUs. Options that ask for them say so; --gres and --exclusive do not, and with the latter the batch script
# may have GPUs that the ranks do not get, so that a rank has to look.
ranks_have_gpus() {
  local asked
  for asked in "${SLURM_GPUS:-}" "${SLURM_GPUS_PER_NODE:-}" "${SLURM_GPUS_PER_SOCKET:-}" "${SLURM_GPUS_PER_TASK:-}"; do
    if [[ -n $asked && ${asked##*:} != 0 ]]; then return 0; fi
  done
  if [[ -z ${SLURM_JOB_GPUS:-}${SLURM_GPUS_ON_NODE:-} ]]; then return 1; fi
  # shellcheck disable=SC2016 # the rank expands this
  srun "${srun_options[@]}" --nodes=1 --ntasks=1 --ntasks-per-node=1 bash -c '[[ ${SLURM_GPUS_ON_NODE:-0} != 0 ]]' 2>/dev/null
}

is_cuda_build() { ldd "$1" 2>/dev/null | grep -q 'libcuda'; }

# A CPU build would leave the GPUs idle without a word, so it is not taken in place of a missing one for GPUs.
find_program() {
  local kind=cpu installed="$here/../../../bin/halotherm"
  if ranks_have_gpus; then kind=cuda; fi
  program=$here/../build/$kind/bin/halotherm
  if [[ ! -x $program && -x $installed ]] && { [[ $kind == cpu ]] || is_cuda_build "$installed"; }; then program=$installed; fi
  if [[ -x $program ]]; then return; fi
  if [[ $kind == cuda ]]; then
    echo "no program for GPUs at $program (the ranks of this job have GPUs, which only a CUDA build uses) build it with" \
      "cmake --preset cuda && cmake --build --preset cuda, or set HALOTHERM; for CPUs submit without GPUs" >&2
  else
    echo "no program at $program (the ranks of this job have no GPUs) build it with cmake --preset cpu && cmake --build --preset" \
      "cpu, or set HALOTHERM; for GPUs submit with --gpus-per-node" >&2
  fi
  exit 2
}

if [[ -n ${HALOTHERM:-} ]]; then
  program=$HALOTHERM
  if [[ ! -x $program ]]; then
    echo "no program at $program (which HALOTHERM names) build it there, or unset HALOTHERM" >&2
    exit 2
  fi
else
  find_program
fi
