// SPDX-License-Identifier: MIT
// The HDF5 library: set-up, versions, and failures as exceptions with HDF5's own reason.
#pragma once

#include "comm/mpi/error.hpp"

#include <hdf5.h>

#include <concepts>
#include <string>

namespace halotherm::io {

/// The file library in use: "HDF5 1.10.8 (parallel)".
std::string library_versions();

namespace hdf5 {

/// Call it before MPI begins and before any file is opened. It disables plug-ins (filters, drivers,
/// connectors), which are programs that the environment names and an input file starts. It also
/// keeps HDF5 from closing, at the end of the program or of MPI, what could not be closed before:
/// HDF5 would try again to write what a disk refused, and crash or never return.
void set_up_library();

/// A failed call of HDF5: the action and HDF5's reason, with exit code input_output.
class CallError : public comm::Error {
 public:
  CallError(const std::string& action, const std::string& reason)
      : Error(comm::ExitCode::input_output, {action, reason, "check the file system"}) {}
};

/// Keeps HDF5 from printing its error stack while the object lives; exceptions carry the texts.
class QuietErrors {
 public:
  QuietErrors();
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Why the last HDF5 call failed, in one line: the operating system's reason if there is one, else
/// HDF5's innermost message.
std::string last_error();

/// Returns `result`, or throws CallError if it is negative. `action` states what failed, such as
/// "cannot create the data set /T in 'run.h5'".
template <std::signed_integral Result>
Result checked(Result result, const std::string& action) {
  if (result < 0) throw CallError(action, last_error());
  return result;
}

}  // namespace hdf5

}  // namespace halotherm::io
