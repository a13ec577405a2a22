# SPDX-License-Identifier: MIT
# The source archive of Kokkos, from wherever it can be had. Its checksum decides, not its origin.

# Where Debian and Ubuntu keep the same archive, under the mirrors that apt is configured with.
function(halotherm_source_pools result)
  set(urls "")
  find_program(APT_GET apt-get)
  if(APT_GET)
    execute_process(COMMAND ${APT_GET} indextargets --format "$(REPO_URI)"
                    OUTPUT_VARIABLE mirrors ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REPLACE "\n" ";" mirrors "${mirrors}")
    list(REMOVE_DUPLICATES mirrors)
    list(FILTER mirrors EXCLUDE REGEX security)  # holds no such source
    foreach(mirror IN LISTS mirrors)
      string(REGEX REPLACE "/$" "" mirror "${mirror}")
      foreach(component main universe)
        list(APPEND urls ${mirror}/pool/${component}/k/kokkos/kokkos_${KOKKOS_VERSION}.orig.tar.gz)
      endforeach()
    endforeach()
  endif()
  set(${result} "${urls}" PARENT_SCOPE)
endfunction()

# RESULT: empty, or why `file` is not the archive
function(halotherm_check_archive result file)
  set(${result} "" PARENT_SCOPE)
  if(NOT EXISTS ${file})
    set(${result} "there is no such file" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 ${file} sum)
  if(NOT sum STREQUAL KOKKOS_SHA256)
    set(${result} "wrong checksum, SHA-256 ${sum}" PARENT_SCOPE)
  endif()
endfunction()

# RESULT: empty, or why `url` could not be fetched into `file`. One byte is asked for first, because CMake's time limits do not tell a
# host that does not answer (10 s are enough to know) from a slow line.
function(halotherm_download result url file)
  file(DOWNLOAD ${url} STATUS status TIMEOUT 10 HTTPHEADER "Range: bytes=0-0")
  list(GET status 0 failed)
  if(NOT failed)
    file(DOWNLOAD ${url} ${file} STATUS status TIMEOUT 300 INACTIVITY_TIMEOUT 30)
    list(GET status 0 failed)
  endif()
  if(failed)
    list(GET status 1 reason)
  else()
    halotherm_check_archive(reason ${file})
  endif()
  set(${result} "${reason}" PARENT_SCOPE)
endfunction()

# The same through apt, which knows its own proxies and kinds of mirrors.
function(halotherm_download_as_apt result url file)
  find_program(APT_HELPER apt-helper PATHS /usr/lib/apt NO_DEFAULT_PATH)
  mark_as_advanced(APT_HELPER)
  if(APT_HELPER)
    execute_process(COMMAND ${APT_HELPER} -o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10
                            download-file ${url} ${file}
                    TIMEOUT 300 RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(APT_HELPER AND NOT failed)
    halotherm_check_archive(reason ${file})
  else()
    halotherm_download(reason ${url} ${file})
  endif()
  set(${result} "${reason}" PARENT_SCOPE)
endfunction()

# RESULT: the path of the archive. Order: KOKKOS_ARCHIVE, what an earlier call fetched, the upstream release, the distribution's pool.
function(halotherm_fetch_kokkos result)
  set(wanted "kokkos-${KOKKOS_VERSION}.tar.gz (SHA-256 ${KOKKOS_SHA256})")
  if(KOKKOS_ARCHIVE)
    halotherm_check_archive(reason ${KOKKOS_ARCHIVE})
    if(reason)
      message(FATAL_ERROR "KOKKOS_ARCHIVE=${KOKKOS_ARCHIVE} cannot be used: ${reason}. It must be ${wanted}.")
    endif()
    set(${result} ${KOKKOS_ARCHIVE} PARENT_SCOPE)
    return()
  endif()

  set(file ${HALOTHERM_DEPENDENCIES_DIR}/kokkos-${KOKKOS_VERSION}.tar.gz)
  set(${result} ${file} PARENT_SCOPE)
  halotherm_check_archive(reason ${file})
  if(NOT reason)
    return()
  endif()

  halotherm_source_pools(pools)
  set(tried "")
  foreach(url https://github.com/kokkos/kokkos/releases/download/${KOKKOS_VERSION}/kokkos-${KOKKOS_VERSION}.tar.gz ${pools})
    message(STATUS "Fetching Kokkos ${KOKKOS_VERSION}: ${url}")
    if(url IN_LIST pools)
      halotherm_download_as_apt(reason ${url} ${file}.part)
    else()
      halotherm_download(reason ${url} ${file}.part)
    endif()
    if(NOT reason)
      file(RENAME ${file}.part ${file})
      return()
    endif()
    message(STATUS "  not from there: ${reason}")
    string(APPEND tried "\n  ${url}\n      ${reason}")
  endforeach()
  file(REMOVE ${file}.part)
  message(FATAL_ERROR "Kokkos ${KOKKOS_VERSION} is not installed and could not be fetched. Tried:\n"
    "  an installed Kokkos 5.0 or newer (CMAKE_PREFIX_PATH, Kokkos_ROOT)\n  KOKKOS_ARCHIVE\n      not set${tried}\n"
    "What to do: install Kokkos and set Kokkos_ROOT=<prefix>; or fetch ${wanted} "
    "where there is a network, bring it here and set KOKKOS_ARCHIVE=<file>; or set https_proxy.")
endfunction()
