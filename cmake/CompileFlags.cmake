# SPDX-License-Identifier: MIT
# halotherm_flags: what every target of the project is compiled with.
add_library(halotherm_flags INTERFACE)
target_include_directories(halotherm_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)

# One answer on every path: a*b + c must round the same in the interior's kernel, in the shell's and on the host, and a compiler
# that is free to contract it into fma does so differently from one inlined copy to the next. So no contraction, and none of
# -ffast-math's reassociation either; fma is written out where it is wanted (docs/adr/0003-one-answer.md).
set(flags -ffp-contract=off)
set(device_flags "")
if(Kokkos_ENABLE_CUDA)
  # nvcc compiles what links Kokkos and nothing else: Kokkos' launcher gives it the commands that define KOKKOS_DEPENDENCE. What is
  # for nvcc only therefore comes with Kokkos, as its own -arch does; the host's compiler refuses such flags.
  set(device_flags --fmad=false)
  target_compile_options(Kokkos::kokkos INTERFACE ${device_flags})
  # {fmt} checks formats while it compiles; version 9 does so by itself with other compilers only
  target_compile_definitions(halotherm_flags INTERFACE FMT_USE_CONSTEXPR=1)
endif()

if(HALOTHERM_NATIVE)
  list(APPEND flags -march=native)
endif()
if(HALOTHERM_SANITIZE)
  list(APPEND flags -fsanitize=${HALOTHERM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(halotherm_flags INTERFACE -fsanitize=${HALOTHERM_SANITIZE})
endif()
if(HALOTHERM_BOUNDS_CHECK)
  target_compile_definitions(halotherm_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()
string(JOIN " " HALOTHERM_BUILD_FLAGS ${CMAKE_CXX_FLAGS} ${flags} ${device_flags})

list(APPEND flags -Wall -Wextra)
if(NOT Kokkos_ENABLE_CUDA)  # the host compiler sees nvcc's rewritten code, which shadows and is not pedantic
  list(APPEND flags -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  list(APPEND flags -Wno-restrict)  # false alarms about std::string (GCC bug 105651)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # "GCC ivdep": clang looks at run time whether iterations are independent. Functions that only builds for GPUs call are no mistake.
  list(APPEND flags -Wno-unknown-pragmas -Wno-unneeded-internal-declaration)
endif()
if(HALOTHERM_WARNINGS_AS_ERRORS)
  list(APPEND flags -Werror)
endif()
target_compile_options(halotherm_flags INTERFACE ${flags})

# GCC 12 sees copies of lengths beyond any object in std::string's inlined replace and append, where texts are put together
# (GCC bugs 105329 and 105651); older and newer ones do not. Only for targets of that kind: kernels keep these warnings.
function(halotherm_hush_text_warnings)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
    endforeach()
  endif()
endfunction()
