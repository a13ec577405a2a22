# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the batch scripts of this folder, with `here` set to it. Gives them `program` and `srun_options`, by these variables:
#   HALOTHERM                    the program (default: build/cpu/bin/halotherm beside this folder)
#   HALOTHERM_ENVIRONMENT        what loads the modules (default: environment.sh in this folder)
#   HALOTHERM_SRUN               further options of srun, such as --mpi=pmix --cpu-bind=cores
environment=${HALOTHERM_ENVIRONMENT:-$here/environment.sh}
if [[ -r $environment ]]; then
  # shellcheck source=slurm/environment.sh
  source "$environment" # may set HALOTHERM, where partitions need builds of their own
fi
program=${HALOTHERM:-$here/../build/cpu/bin/halotherm}
if [[ ! -x $program ]]; then
  echo "no program at $program (build it there, or set HALOTHERM)" >&2
  exit 2
fi

threads=${SLURM_CPUS_PER_TASK:-1}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$threads}
export OMP_PROC_BIND=${OMP_PROC_BIND:-false} # srun binds ranks; threads stay within their rank's cores

# Ranks end with a checkpoint before this moment. Asked for each time: Slurm 22.05 does not tell, and a limit may have been changed.
end_time=$(SLURM_TIME_FORMAT=%s squeue --noheader --jobs="${SLURM_JOB_ID:-0}" --format=%e 2>/dev/null || true)
if [[ $end_time =~ ^[0-9]+$ ]]; then export SLURM_JOB_END_TIME=$end_time; fi

# --kill-on-bad-exit: a rank that dies takes the others along, which would wait for it for ever. --cpus-per-task: srun does not take
# it from sbatch since Slurm 22.05.
srun_options=(--kill-on-bad-exit=1 --cpus-per-task="$threads")
read -ra more <<<"${HALOTHERM_SRUN:-}"
srun_options+=("${more[@]}")
