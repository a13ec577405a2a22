# SPDX-License-Identifier: MIT
# Everything that Halotherm stands on. What is missing is collected and reported together, each with its package.
set(missing "")

function(halotherm_missing what package cluster)
  string(APPEND missing "\n  ${what}\n      Debian, Ubuntu: ${package}\n      on a cluster:   ${cluster}")
  set(missing "${missing}" PARENT_SCOPE)
endfunction()

set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI 3.1 QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  halotherm_missing("MPI 3.1 or newer" "libopenmpi-dev openmpi-bin"
                    "load the MPI module, so that mpicxx is in PATH, or pass -DMPI_HOME=<prefix>")
endif()

set(HDF5_PREFER_PARALLEL ON)
find_package(HDF5 1.10.2 QUIET COMPONENTS C)
if(NOT HDF5_FOUND)
  halotherm_missing("HDF5 1.10.2 or newer, built with MPI" "libhdf5-openmpi-dev"
                    "load the parallel HDF5 module, so that h5pcc is in PATH, or set HDF5_ROOT=<prefix>")
elseif(NOT HDF5_IS_PARALLEL)
  halotherm_missing("HDF5 built with MPI (the one found is serial: ${HDF5_C_INCLUDE_DIRS})" "libhdf5-openmpi-dev"
                    "load the parallel HDF5 module, or set HDF5_ROOT=<prefix>; then delete the build folder")
endif()

find_package(yaml-cpp QUIET CONFIG)
if(NOT yaml-cpp_FOUND)
  halotherm_missing("yaml-cpp" "libyaml-cpp-dev" "load its module, or -DCMAKE_PREFIX_PATH=<prefix>")
elseif(NOT TARGET yaml-cpp::yaml-cpp)  # before 0.8
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()

find_package(CLI11 QUIET CONFIG)
if(NOT CLI11_FOUND)
  halotherm_missing("CLI11" "libcli11-dev" "spack install cli11, or -DCMAKE_PREFIX_PATH=<prefix>")
endif()

find_package(fmt QUIET CONFIG)
if(NOT fmt_FOUND)
  halotherm_missing("{fmt}" "libfmt-dev" "spack install fmt, or -DCMAKE_PREFIX_PATH=<prefix>")
endif()

find_package(nlohmann_json QUIET CONFIG)
if(NOT nlohmann_json_FOUND)
  halotherm_missing("nlohmann-json" "nlohmann-json3-dev" "spack install nlohmann-json, or -DCMAKE_PREFIX_PATH=<prefix>")
endif()

if(HALOTHERM_BUILD_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    halotherm_missing("GoogleTest" "libgtest-dev" "load its module, or go without tests: -DHALOTHERM_BUILD_TESTS=OFF")
  endif()
endif()

if(missing)
  message(FATAL_ERROR "Halotherm needs what this machine does not have, or what CMake cannot find:${missing}\n"
                      "With root or sudo, scripts/setup installs everything. See docs/installation.md.")
endif()
message(STATUS "MPI ${MPI_CXX_VERSION}: ${MPI_CXX_LIBRARIES}")
message(STATUS "HDF5 ${HDF5_VERSION}, parallel")

include(Kokkos)
