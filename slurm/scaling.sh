# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by strong.sbatch, weak.sbatch and the job scripts that scripts/submit_scaling writes, with `here` set to this folder.
# shellcheck source=slurm/common.sh disable=SC2154
source "$here/common.sh"

# A study takes the first N ranks for N ranks: they have to fill node after node, whatever the site's default is.
srun_options=(--distribution=block "${srun_options[@]}")

# Lines of: node, GPUs that the ranks have there, those that a rank sees. Asks the ranks, since a batch script may have GPUs for
# which no option asked (--exclusive), and which its ranks do not get.
gpus_of_ranks() {
  if [[ -z ${SLURM_GPUS_ON_NODE:-} ]]; then return; fi
  # shellcheck disable=SC2016 # the ranks expand this
  srun "${srun_options[@]}" bash -c 'echo "$SLURMD_NODENAME ${SLURM_GPUS_ON_NODE:-0} ${CUDA_VISIBLE_DEVICES-all}"' | sort -u
}

# Ranks choose their GPU by themselves, and reach those of their neighbours by CUDA IPC, for which all have to be visible to all.
refuse_hidden_gpus() {
  local hidden
  hidden=$(awk '$3 != "all" && (n = split($3, seen, ",")) < $2 { print "a rank on " $1 " sees " n " of " $2 " GPUs"; exit }' \
    <<<"$1")
  if [[ -z $hidden ]]; then return; fi
  echo "scaling: $hidden (--gpus-per-task, --ntasks-per-gpu or --gpu-bind hides the node's others, and with them CUDA IPC)" \
    "submit with --gpus-per-node instead" >&2
  exit 2
}

# 1,2,4 and so on, and all: what halotherm scale does by itself, but said to it, so that ranks that MPI has started alone, because
# srun does not speak its PMI, end with a message instead of measuring themselves.
usual_ranks() {
  local count
  for ((count = 1; count < SLURM_NTASKS; count *= 2)); do printf '%d,' "$count"; done
  echo "$SLURM_NTASKS"
}

# scaling_study FILES strong|weak [CONFIG] [OPTIONS OF halotherm scale]: leaves FILES.json and FILES.csv, ends the job if that fails
scaling_study() {
  local files=$1 kind=$2 code=0 ours=() config gpus
  shift 2
  gpus=$(gpus_of_ranks)
  config=$(realpath "$here/../configs/benchmark.yaml")
  if [[ ${1:--} != -* ]]; then
    config=$1
    shift
  elif [[ $gpus != *" "[1-9]* ]]; then
    ours=(--set "grid.cells=[256,256,256]") # that file has a grid for GPUs
  fi
  if [[ " $*" != *" --ranks"* ]]; then ours+=(--ranks "$(usual_ranks)"); fi
  echo "job $SLURM_JOB_ID on $SLURM_JOB_NODELIST: $SLURM_NTASKS ranks of $OMP_NUM_THREADS threads, $kind scaling of $config"
  refuse_hidden_gpus "$gpus"
  mkdir -p "$(dirname "$files")"
  srun "${srun_options[@]}" "$program" scale "--$kind" "$config" --json "$files.json" --csv "$files.csv" "${ours[@]}" "$@" ||
    code=$?
  if [[ $code -ne 0 ]]; then
    rmdir "$(dirname "$files")" 2>/dev/null || true
    exit "$code"
  fi
  echo "results        $files.json, $files.csv"
}

# draw FILE.json: a PNG beside it, where a python3 has matplotlib
draw() {
  local python plot png
  plot=$(realpath "$here/../scripts/plot_scaling.py")
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import matplotlib' 2>/dev/null; then
      png=$("$python" "$plot" "$1") || exit 4
      echo "figure         $png"
      return
    fi
  done
  echo "figure         none, as no python3 here has matplotlib; elsewhere: $plot $1"
}
