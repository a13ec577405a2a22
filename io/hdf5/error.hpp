// SPDX-License-Identifier: MIT
// HDF5's failures as exceptions with HDF5's own reason.
#pragma once

#include "comm/mpi/error.hpp"

#include <hdf5.h>

#include <string>

namespace halotherm::io::hdf5 {

/// To be called before MPI begins and before any file is opened. No plug-in is loaded (filter,
/// driver, connector): it is a program that the environment names and that an input file starts.
/// And HDF5 does not close, at the program's end or when MPI ends, what it could not close before:
/// it would try again to write what a disk did not take, and crash or never come to an end.
void set_up_library();

/// A call of HDF5 that failed: "<action> (<HDF5's reason>)".
class CallError : public comm::Error {
 public:
  CallError(const std::string& action, const std::string& reason)
      : Error(comm::ExitCode::input_output, action + " (" + reason + ")"), reason_(reason) {}
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// Keeps HDF5 from printing its error stack for as long as it lives; the texts go into exceptions
/// instead.
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

/// Why the last HDF5 call failed, in one line: the innermost message and the operating system's
/// reason where there is one.
std::string last_error();

/// Gives `result` back, or throws CallError if it is negative. `action` says what could not be
/// done, such as "cannot create the data set /T in 'run.h5'".
hid_t checked(hid_t result, const std::string& action);
herr_t checked(herr_t result, const std::string& action);

}  // namespace halotherm::io::hdf5
