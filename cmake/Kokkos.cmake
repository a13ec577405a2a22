# SPDX-License-Identifier: MIT
# Kokkos: an installed one, or one that is built here once for each set of options (docs/adr/0002-obtaining-kokkos.md).
set(KOKKOS_VERSION 5.0.2)
set(KOKKOS_SHA256 188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e)
set(HALOTHERM_KOKKOS auto CACHE STRING "auto: an installed Kokkos if there is one; build: always our own; headers: that, not built, to compile only")
set(KOKKOS_ARCHIVE "" CACHE FILEPATH "Source archive of Kokkos ${KOKKOS_VERSION}, for machines without network")
if(NOT "$ENV{KOKKOS_ARCHIVE}" STREQUAL "")  # may be set only after a first configuration failed for want of it
  get_filename_component(KOKKOS_ARCHIVE "$ENV{KOKKOS_ARCHIVE}" ABSOLUTE BASE_DIR "$ENV{PWD}")
endif()

set(kokkos_options
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_EXTENSIONS=OFF
    -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP=ON
    -DKokkos_ENABLE_CUDA=${HALOTHERM_CUDA} -DKokkos_ARCH_NATIVE=${HALOTHERM_NATIVE}
    -DKokkos_ENABLE_DEBUG_BOUNDS_CHECK=${HALOTHERM_BOUNDS_CHECK})
set(kokkos_compiler ${CMAKE_CXX_COMPILER})
if(HALOTHERM_CUDA)
  find_program(NVCC nvcc)
  if(NOT NVCC)
    message(FATAL_ERROR "nvcc is not in PATH (HALOTHERM_CUDA is on). Load the CUDA module, or add the toolkit: "
                        "PATH=/usr/local/cuda/bin:$PATH")
  endif()
  # Memory of cudaMallocAsync cannot be opened by another process, which GPU-aware MPI has to do.
  list(APPEND kokkos_options -DKokkos_ARCH_${HALOTHERM_CUDA_ARCH}=ON -DKokkos_ENABLE_IMPL_CUDA_MALLOC_ASYNC=OFF)
endif()

if(HALOTHERM_KOKKOS STREQUAL "auto")
  find_package(Kokkos 5.0 QUIET CONFIG)
endif()
if(NOT Kokkos_FOUND)
  include(BuildKokkos)
  halotherm_build_kokkos(prefix "${kokkos_options}")
  find_package(Kokkos 5.0 REQUIRED CONFIG PATHS ${prefix} NO_DEFAULT_PATH)
endif()
message(STATUS "Kokkos ${Kokkos_VERSION} (${Kokkos_DEVICES}): ${Kokkos_DIR}")

if(HALOTHERM_CUDA AND NOT Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_CUDA AND NOT HALOTHERM_CUDA)
  message(FATAL_ERROR "The Kokkos found in ${Kokkos_DIR} computes on ${Kokkos_DEVICES}, but HALOTHERM_CUDA is ${HALOTHERM_CUDA}. "
                      "Set Kokkos_ROOT=<prefix> to one that fits, or let one be built: -DHALOTHERM_KOKKOS=build.")
endif()
if(HALOTHERM_BOUNDS_CHECK AND NOT Kokkos_ENABLE_DEBUG_BOUNDS_CHECK)
  message(WARNING "The Kokkos found in ${Kokkos_DIR} does not check bounds; -DHALOTHERM_KOKKOS=build gives one that does.")
endif()
