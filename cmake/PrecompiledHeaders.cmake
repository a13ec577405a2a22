# SPDX-License-Identifier: MIT
# Headers of others whose parsing takes most of a small file's compile time are parsed once a target.
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON goes without them. nvcc does not know any.

# halotherm_precompile(TARGET HEADERS...)
function(halotherm_precompile target)
  if(Kokkos_ENABLE_CUDA)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # or ccache would not know what it stores
  endif()
endfunction()
