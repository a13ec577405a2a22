# SPDX-License-Identifier: MIT
# The switches that the presets set, and what CMake itself is told.
option(HALOTHERM_NATIVE "Compile for this machine's CPU; the binary may not run on another" OFF)
option(HALOTHERM_CUDA "Compute on NVIDIA GPUs" OFF)
option(HALOTHERM_BOUNDS_CHECK "Kokkos and the standard library check indices" OFF)
option(HALOTHERM_WARNINGS_AS_ERRORS "For developers" OFF)
option(HALOTHERM_FUZZ "Build the libFuzzer programs of tests/fuzz; needs clang" OFF)
set(HALOTHERM_CUDA_ARCH HOPPER90 CACHE STRING "GPU architecture, in Kokkos' words: AMPERE80, ADA89, HOPPER90, ...")
set(HALOTHERM_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them: address,undefined")
set(HALOTHERM_PRESET "" CACHE STRING "The preset's name, for the record that runs write")
set(HALOTHERM_DEPENDENCIES_DIR ${PROJECT_BINARY_DIR}/dependencies CACHE PATH
    "Where Kokkos is kept if it has to be built; presets share one folder")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Kokkos puts its own launcher before nvcc; two launchers do not go together.
find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT HALOTHERM_CUDA)
  # sloppiness: stores what uses precompiled headers; the other two: every clone of the project takes what another one compiled
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()
