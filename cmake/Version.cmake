# SPDX-License-Identifier: MIT
# generated/comm/system/version.hpp. The commit is asked for at every build, since a configuration outlives commits; the header is only
# touched when it changes.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(JOIN " " HALOTHERM_BUILD_FLAGS
       ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE} ${CMAKE_CXX_FLAGS_${build_type}} ${HALOTHERM_BUILD_FLAGS})
set(write_version ${CMAKE_COMMAND}
    -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
    -D OUTPUT=${PROJECT_BINARY_DIR}/generated/comm/system/version.hpp
    -D PROJECT_VERSION=${PROJECT_VERSION}
    -D HALOTHERM_PRESET=${HALOTHERM_PRESET}
    -D HALOTHERM_BUILD_FLAGS=${HALOTHERM_BUILD_FLAGS}
    -P ${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake)
execute_process(COMMAND ${write_version} COMMAND_ERROR_IS_FATAL ANY)
add_custom_target(halotherm_version COMMAND ${write_version} VERBATIM
                  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/comm/system/version.hpp
                  COMMENT "Asking git which commit this is")
add_dependencies(halotherm_flags halotherm_version)
