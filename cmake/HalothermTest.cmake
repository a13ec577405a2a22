# SPDX-License-Identifier: MIT
# How tests are registered. Families are folders of tests/ and ctest labels.
include(CheckCXXSourceRuns)

file(STRINGS ${PROJECT_SOURCE_DIR}/scripts/one_machine.env HALOTHERM_TEST_ENVIRONMENT REGEX "^[A-Z]")
file(STRINGS ${PROJECT_SOURCE_DIR}/scripts/one_rank.env HALOTHERM_ONE_RANK_ENVIRONMENT REGEX "^[A-Z]")
if(Kokkos_ENABLE_CUDA)
  list(FILTER HALOTHERM_TEST_ENVIRONMENT EXCLUDE REGEX "^OMPI_MCA_pml=")  # GPUs may need the networks of clusters, even on one host
endif()
if(HALOTHERM_SANITIZE MATCHES address)
  # leaks are looked for with ptrace, which some containers forbid; the program then fails although it is right
  set(CMAKE_REQUIRED_FLAGS -fsanitize=address)
  check_cxx_source_runs("int main() {}" HALOTHERM_LEAK_CHECK_WORKS)
  # the slow unwinder: the fast one loses callers in libraries without frame pointers, whose leaks could then not be told from ours
  # and without interception of __tls_get_addr, after which gcc 12's leak check may crash ("Tracer caught signal 11"), always or
  # never by where plugins of MPI happen to lie in memory
  set(asan_options fast_unwind_on_malloc=0:intercept_tls_get_addr=0)
  if(NOT HALOTHERM_LEAK_CHECK_WORKS)
    string(APPEND asan_options :detect_leaks=0)
  endif()
  list(APPEND HALOTHERM_TEST_ENVIRONMENT ASAN_OPTIONS=${asan_options})
  unset(CMAKE_REQUIRED_FLAGS)
  list(APPEND HALOTHERM_TEST_ENVIRONMENT LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/leaks.supp:print_suppressions=0
       UBSAN_OPTIONS=print_stacktrace=1)
endif()
set(HALOTHERM_MPIEXEC_FLAGS "" CACHE STRING "Further flags for mpiexec in tests")
set(HALOTHERM_PYTHON /usr/bin/python3 CACHE FILEPATH "Python with h5py, numpy and VTK, for tests")

# The MPI-IO libraries of an Open MPI besides the one that it takes by itself, as variants of a test: NAME:VARIABLE=VALUE.
set(HALOTHERM_MPI_IO_VARIANTS "")
cmake_path(GET MPIEXEC_EXECUTABLE PARENT_PATH mpi_programs)
find_program(HALOTHERM_OMPI_INFO ompi_info HINTS ${mpi_programs})
if(HALOTHERM_OMPI_INFO)
  execute_process(COMMAND ${HALOTHERM_OMPI_INFO} --parsable OUTPUT_VARIABLE components ERROR_QUIET)
  if(components MATCHES "mca:io:(romio[0-9]*):")
    list(APPEND HALOTHERM_MPI_IO_VARIANTS romio:OMPI_MCA_io=${CMAKE_MATCH_1})
  else()
    message(STATUS "Open MPI without ROMIO: files are tested with OMPIO only")
  endif()
endif()

function(halotherm_set_test_properties name family timeout processors)
  set_tests_properties(${name} PROPERTIES
    LABELS "${family}" TIMEOUT ${timeout} PROCESSORS ${processors} ENVIRONMENT "${HALOTHERM_TEST_ENVIRONMENT};${ARGN}")
  if(Kokkos_ENABLE_CUDA)
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK gpu)  # timings and memory of tests side by side would disturb each other
  endif()
endfunction()

# halotherm_launcher(VARIABLE RANKS)
# what a program of RANKS ranks is started with: Open MPI needs no launcher for one, which takes a third of the time of its mpirun
function(halotherm_launcher variable ranks)
  set(${variable} ${MPIEXEC_EXECUTABLE} ${HALOTHERM_MPIEXEC_FLAGS} ${MPIEXEC_NUMPROC_FLAG} ${ranks})
  if(ranks EQUAL 1 AND HALOTHERM_OMPI_INFO AND NOT HALOTHERM_MPIEXEC_FLAGS)
    set(${variable} env ${HALOTHERM_ONE_RANK_ENVIRONMENT})
  endif()
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()

# halotherm_test(FAMILY unit|mpi|verification|regression SUITE HaloExchange SOURCE halo_exchange_test.cpp RANKS 1 2 3 4 8 [TIMEOUT s])
# adds the source to the one test program and registers, for each number of ranks, a ctest FAMILY/SUITE/npN of all tests whose suite
# is SUITE (parametrised and typed ones are named PREFIX/SUITE and SUITE/TYPE). Unit tests take RANKS 1. Each of VARIANTS, as
# NAME:VARIABLE=VALUE, registers them once more as FAMILY/SUITE/NAME/npN, with that variable in the environment.
function(halotherm_test)
  cmake_parse_arguments(TEST "" "FAMILY;SUITE;SOURCE;TIMEOUT" "RANKS;VARIANTS" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 120)
  endif()
  if(HALOTHERM_SANITIZE)
    math(EXPR TEST_TIMEOUT "4 * ${TEST_TIMEOUT}")
  endif()
  get_target_property(known halotherm_tests SOURCES)
  cmake_path(ABSOLUTE_PATH TEST_SOURCE OUTPUT_VARIABLE source)
  if(NOT source IN_LIST known)
    target_sources(halotherm_tests PRIVATE ${source})
  endif()
  if(HALOTHERM_SANITIZE)
    # minutes, in which sanitizers see no other code than with one rank and the most of up to four
    list(REMOVE_ITEM TEST_RANKS 7 8)
    if(4 IN_LIST TEST_RANKS)
      list(REMOVE_ITEM TEST_RANKS 2 3)
    elseif(3 IN_LIST TEST_RANKS)
      list(REMOVE_ITEM TEST_RANKS 2)
    endif()
    if(TEST_FAMILY STREQUAL unit)
      list(REMOVE_ITEM TEST_RANKS 1)  # halotherm_register_unit_shards
      set_property(GLOBAL APPEND PROPERTY HALOTHERM_UNIT_SUITES ${TEST_SUITE})
    endif()
  endif()
  foreach(variant IN LISTS TEST_VARIANTS ITEMS ":")
    string(REGEX MATCH "^([^:]*):(.*)$" parts "${variant}")
    set(below ${CMAKE_MATCH_1})
    set(setting ${CMAKE_MATCH_2})
    foreach(ranks IN LISTS TEST_RANKS)
      halotherm_launcher(launcher ${ranks})
      set(name ${TEST_FAMILY}/${TEST_SUITE})
      cmake_path(APPEND name ${below} np${ranks})
      add_test(NAME ${name}
        COMMAND ${launcher} $<TARGET_FILE:halotherm_tests> --gtest_filter=${TEST_SUITE}.*:${TEST_SUITE}/*:*/${TEST_SUITE}.*:*/${TEST_SUITE}/*)
      # one thread a rank: what is tested with threads says so itself
      halotherm_set_test_properties(${name} ${TEST_FAMILY} ${TEST_TIMEOUT} ${ranks} OMP_NUM_THREADS=1 ${setting})
    endforeach()
  endforeach()
endfunction()

# halotherm_register_unit_shards(COUNT)
# registers, with sanitizers, the unit tests of one rank as COUNT ctests: starting MPI takes some seconds there, most tests milliseconds.
function(halotherm_register_unit_shards count)
  get_property(suites GLOBAL PROPERTY HALOTHERM_UNIT_SUITES)
  set(filters "")
  foreach(suite IN LISTS suites)
    list(APPEND filters ${suite}.* ${suite}/* */${suite}.* */${suite}/*)
  endforeach()
  list(JOIN filters ":" filter)
  math(EXPR last "${count} - 1")
  foreach(shard RANGE ${last})
    set(name unit/shard${shard}/np1)
    halotherm_launcher(launcher 1)
    add_test(NAME ${name} COMMAND ${launcher} $<TARGET_FILE:halotherm_tests> --gtest_filter=${filter})
    halotherm_set_test_properties(${name} unit 1200 1 OMP_NUM_THREADS=1 GTEST_TOTAL_SHARDS=${count} GTEST_SHARD_INDEX=${shard})
  endforeach()
endfunction()

# halotherm_script_test(FAMILY faults NAME cut_host SCRIPT cut_host.py RANKS 4 [TIMEOUT s] [CONFIGURATION long] [ARGUMENTS ...])
# registers ctest FAMILY/NAME, which runs a script (Python if it ends in .py, else an executable) with the program in $HALOTHERM, the
# launcher in $MPIEXEC and the project's folder in $HALOTHERM_SOURCE_DIR. RANKS: the most ranks that it starts at once. With a
# CONFIGURATION it is left out unless that is asked for: ctest -C long.
function(halotherm_script_test)
  cmake_parse_arguments(TEST "" "FAMILY;NAME;SCRIPT;TIMEOUT;RANKS;CONFIGURATION" "ARGUMENTS" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 120)
  endif()
  if(NOT TEST_RANKS)
    set(TEST_RANKS 1)
  endif()
  set(interpreter "")
  if(TEST_SCRIPT MATCHES "\\.py$")
    set(interpreter ${HALOTHERM_PYTHON} -B)  # -B: no __pycache__ in the source tree
  endif()
  cmake_path(ABSOLUTE_PATH TEST_SCRIPT OUTPUT_VARIABLE script)
  set(name ${TEST_FAMILY}/${TEST_NAME})
  add_test(NAME ${name} COMMAND ${interpreter} ${script} ${TEST_ARGUMENTS} CONFIGURATIONS ${TEST_CONFIGURATION})
  halotherm_set_test_properties(${name} ${TEST_FAMILY} ${TEST_TIMEOUT} ${TEST_RANKS} OMP_NUM_THREADS=1
    HALOTHERM=$<TARGET_FILE:halotherm> MPIEXEC=${MPIEXEC_EXECUTABLE} HALOTHERM_SOURCE_DIR=${PROJECT_SOURCE_DIR})
endfunction()

# halotherm_compile_fail(NAME communicator_copy SOURCE communicator_copy.cpp EXPECT "use of deleted function")
# registers ctest compile_fail/NAME: the source must not compile, for the reason that EXPECT (a regular expression) finds in the
# compiler's message, and it must compile with -DCORRECT, so that nothing but the offending line can be the reason.
function(halotherm_compile_fail)
  cmake_parse_arguments(TEST "" "NAME;SOURCE;EXPECT" "" ${ARGN})
  if(Kokkos_ENABLE_CUDA)
    return()  # what is forbidden does not depend on the device
  endif()
  set(target compile_fail_${TEST_NAME})
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${TEST_SOURCE})  # never built: gives the test its compile command
  target_link_libraries(${target} PRIVATE halotherm_app)
  set(name compile_fail/${TEST_NAME})
  cmake_path(ABSOLUTE_PATH TEST_SOURCE OUTPUT_VARIABLE source)
  add_test(NAME ${name}
    COMMAND ${HALOTHERM_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/compile_fail/must_not_compile.py
            ${PROJECT_BINARY_DIR}/compile_commands.json ${source} ${TEST_EXPECT})
  halotherm_set_test_properties(${name} compile_fail 120 1)
endfunction()
