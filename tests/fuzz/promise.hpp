// SPDX-License-Identifier: MIT
// How a target says that the code under test broke a promise.
#pragma once

#include "comm/mpi/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace halotherm::fuzz {

[[noreturn]] inline void broken(const std::string& promise) {
  std::fprintf(stderr, "broken promise: %s\n", promise.c_str());
  std::abort();
}

inline void promise(bool kept, const std::string& what) {
  if (!kept) broken(what);
}

/// Whether `work` ends without an error. Only a comm::Error of this code may come out of it; any
/// other exception ends the process.
template <class Work>
bool accepted(comm::ExitCode code, Work&& work) {
  try {
    work();
    return true;
  } catch (const comm::Error& error) {
    promise(error.code() == code, "an error has the wrong exit code: " + std::string(error.what()));
    return false;
  }
}

}  // namespace halotherm::fuzz
