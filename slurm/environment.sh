# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the batch scripts of this folder, on the node where the batch script runs. Put here what your site needs: the same
# modules with which Halotherm was built.
#
#   module load gcc openmpi hdf5
#   module load cuda
#
# Partitions that need builds of their own:
#
#   case $SLURM_JOB_PARTITION in
#     gpu*) module load cuda && export HALOTHERM=~/halotherm/build/cuda/bin/halotherm ;;
#     *) export HALOTHERM=~/halotherm/build/cpu/bin/halotherm ;;
#   esac
#
# Open MPI over UCX picks fast transports by itself; site-wide settings such as UCX_NET_DEVICES or OMPI_MCA_pml belong here too
# (README.md, For sites).
