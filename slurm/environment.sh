# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the batch scripts of this folder, on the node where the batch script runs. Put here what your site needs: the same
# modules with which Halotherm was built.
#
#   module load gcc openmpi hdf5
#   module load cuda
#
# Jobs whose ranks have GPUs take build/cuda, others build/cpu. Partitions that need other builds:
#
#   case $SLURM_JOB_PARTITION in
#     a100*) module load cuda && export HALOTHERM=~/halotherm/build/a100/bin/halotherm ;;
#   esac
#
# Open MPI over UCX picks fast transports by itself; site-wide settings such as UCX_NET_DEVICES or OMPI_MCA_pml belong here too
# (README.md, For sites).
