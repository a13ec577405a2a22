// SPDX-License-Identifier: MIT
#include "io/hdf5/error.hpp"

#include <cstdlib>

namespace halotherm::io::hdf5 {

void set_up_library() {
  // the library loads what these name as it starts, or fails where it may not
  unsetenv("HDF5_VOL_CONNECTOR");
  unsetenv("HDF5_DRIVER");
  // a parallel HDF5 that is initialized while MPI runs has MPI_Finalize close everything; the other
  // call is about exit
  H5dont_atexit();
  H5open();
  H5PLset_loading_state(0);
}

QuietErrors::QuietErrors() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietErrors::~QuietErrors() {
  H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

namespace {

herr_t keep_innermost(unsigned depth, const H5E_error2_t* error, void* text) {
  if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

/// HDF5 writes "..., errno = 28, error message = 'No space left on device', ..." among much else.
std::string system_reason(const std::string& text) {
  static const std::string opening = "error message = '";
  const auto begin = text.find(opening);
  if (begin == std::string::npos) return {};
  const auto end = text.find('\'', begin + opening.size());
  return text.substr(begin + opening.size(),
                     end == std::string::npos ? end : end - begin - opening.size());
}

template <class Result>
Result check(Result result, const std::string& action) {
  if (result < 0) throw CallError(action, last_error());
  return result;
}

}  // namespace

std::string last_error() {
  std::string innermost;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &innermost);
  auto reason = system_reason(innermost);
  if (!reason.empty()) return reason;
  return innermost.empty() ? "HDF5 gives no reason" : "HDF5: " + innermost;
}

hid_t checked(hid_t result, const std::string& action) {
  return check(result, action);
}
herr_t checked(herr_t result, const std::string& action) {
  return check(result, action);
}

}  // namespace halotherm::io::hdf5
