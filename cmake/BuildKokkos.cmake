# SPDX-License-Identifier: MIT
# Builds and installs Kokkos under HALOTHERM_DEPENDENCIES_DIR, in a folder named after its options, so that presets with the same
# options share it and a deleted build folder does not cost it.
include(FetchKokkos)

function(halotherm_run_logged log doing)
  execute_process(COMMAND ${ARGN} OUTPUT_FILE ${log} ERROR_FILE ${log} RESULT_VARIABLE failed)
  if(failed)
    execute_process(COMMAND tail -n 30 ${log})
    message(FATAL_ERROR "${doing} failed; the whole log is ${log}")
  endif()
endfunction()

# RESULT: the prefix under which Kokkos is installed
function(halotherm_build_kokkos result options)
  string(SHA256 key "${kokkos_compiler} ${CMAKE_CXX_COMPILER_VERSION} ${NVCC} ${options}")
  string(SUBSTRING ${key} 0 10 key)
  set(prefix ${HALOTHERM_DEPENDENCIES_DIR}/kokkos-${KOKKOS_VERSION}-${key})
  set(${result} ${prefix} PARENT_SCOPE)
  file(MAKE_DIRECTORY ${HALOTHERM_DEPENDENCIES_DIR})
  # two presets may be configured at the same time
  file(LOCK ${HALOTHERM_DEPENDENCIES_DIR}/lock GUARD FUNCTION)
  if(EXISTS ${prefix}/complete)
    return()
  endif()

  halotherm_fetch_kokkos(archive)
  set(work ${prefix}.build)
  file(REMOVE_RECURSE ${work} ${prefix})
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${work}/unpacked)
  file(GLOB source LIST_DIRECTORIES true ${work}/unpacked/*)  # the one folder in it, whose name depends on who packed it
  if(HALOTHERM_CUDA)
    set(kokkos_compiler ${source}/bin/nvcc_wrapper)
    set(ENV{NVCC_WRAPPER_DEFAULT_COMPILER} ${CMAKE_CXX_COMPILER})
  endif()
  message(STATUS "Building Kokkos ${KOKKOS_VERSION}, once for these options (half a minute; three with CUDA) ...")
  halotherm_run_logged(${prefix}.log "Configuring Kokkos"
    ${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${CMAKE_GENERATOR} -DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}
    -DCMAKE_CXX_COMPILER=${kokkos_compiler} -DCMAKE_INSTALL_PREFIX=${prefix} ${options})
  halotherm_run_logged(${prefix}.log "Building Kokkos" ${CMAKE_COMMAND} --build ${work}/build --parallel --target install)
  file(REMOVE_RECURSE ${work})
  file(TOUCH ${prefix}/complete)
endfunction()
