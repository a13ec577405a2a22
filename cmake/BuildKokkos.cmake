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

# Unpacks Kokkos into WORK and configures it there, to be installed under PREFIX. RESULT: the folder of its sources.
function(halotherm_configure_kokkos result work prefix options)
  halotherm_fetch_kokkos(archive)
  file(REMOVE_RECURSE ${work} ${prefix})
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${work}/unpacked)
  file(GLOB source LIST_DIRECTORIES true ${work}/unpacked/*)  # the one folder in it, whose name depends on who packed it
  set(${result} ${source} PARENT_SCOPE)
  if(HALOTHERM_CUDA)
    set(kokkos_compiler ${source}/bin/nvcc_wrapper)
    set(ENV{NVCC_WRAPPER_DEFAULT_COMPILER} ${CMAKE_CXX_COMPILER})
  endif()
  set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "${CMAKE_CXX_COMPILER_LAUNCHER}")
  halotherm_run_logged(${prefix}.log "Configuring Kokkos"
    ${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${CMAKE_GENERATOR} -DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}
    -DCMAKE_CXX_COMPILER=${kokkos_compiler} -DCMAKE_INSTALL_PREFIX=${prefix} ${options})
endfunction()

# RESULT: where find_package finds Kokkos: the prefix under which it is installed; or, for HALOTHERM_KOKKOS=headers, its build folder,
# configured and not built, which is enough to compile with and not to link.
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

  if(HALOTHERM_KOKKOS STREQUAL "headers")
    string(APPEND prefix .headers)
    if(NOT EXISTS ${prefix}.build/complete)
      halotherm_configure_kokkos(source ${prefix}.build ${prefix} "${options}")
      file(TOUCH ${prefix}.build/complete)
    endif()
    file(GLOB source LIST_DIRECTORIES true ${prefix}.build/unpacked/*)
    set(Kokkos_COMPILE_LAUNCHER ${source}/bin/kokkos_launch_compiler CACHE FILEPATH "Of the Kokkos that is not installed" FORCE)
    set(Kokkos_NVCC_WRAPPER ${source}/bin/nvcc_wrapper CACHE FILEPATH "Of the Kokkos that is not installed" FORCE)
    set(${result} ${prefix}.build/build PARENT_SCOPE)
    return()
  endif()
  message(STATUS "Building Kokkos ${KOKKOS_VERSION}, once for these options (half a minute; three with CUDA) ...")
  set(work ${prefix}.build)
  halotherm_configure_kokkos(source ${work} ${prefix} "${options}")
  halotherm_run_logged(${prefix}.log "Building Kokkos" ${CMAKE_COMMAND} --build ${work}/build --parallel --target install)
  file(REMOVE_RECURSE ${work})
  file(TOUCH ${prefix}/complete)
endfunction()
