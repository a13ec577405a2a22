# SPDX-License-Identifier: MIT
# Run as a script: fills in comm/system/version.hpp.in. A source tree without git has no commit to name.
set(HALOTHERM_COMMIT unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(HALOTHERM_COMMIT ${described})
  endif()
endif()
configure_file(${SOURCE_DIR}/comm/system/version.hpp.in ${OUTPUT} @ONLY)
