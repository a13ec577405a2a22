# SPDX-License-Identifier: MIT
# halotherm_muparser: muParser, whose syntax formulas have, as the reference of their tests where it is installed.
include_guard(GLOBAL)
find_library(MUPARSER_LIBRARY muparser)
find_path(MUPARSER_INCLUDE_DIR muParser.h)
add_library(halotherm_muparser INTERFACE)
if(MUPARSER_LIBRARY AND MUPARSER_INCLUDE_DIR)
  target_include_directories(halotherm_muparser SYSTEM INTERFACE ${MUPARSER_INCLUDE_DIR})
  target_link_libraries(halotherm_muparser INTERFACE ${MUPARSER_LIBRARY})
  target_compile_definitions(halotherm_muparser INTERFACE HALOTHERM_HAS_MUPARSER)
else()
  message(STATUS "No muParser (libmuparser-dev): formulas are not compared with it")
endif()
