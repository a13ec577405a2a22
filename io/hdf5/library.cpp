// SPDX-License-Identifier: MIT
#include "io/hdf5/library.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace halotherm::io {

std::string library_versions() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("HDF5 {}.{}.{} (parallel)", major, minor, release);
}

namespace hdf5 {

void set_up_library() {
  // the library loads what these name as it starts, or fails where it may not
  unsetenv("HDF5_VOL_CONNECTOR");
  unsetenv("HDF5_DRIVER");
  // a parallel HDF5 initialized while MPI runs closes everything in MPI_Finalize; dont_atexit
  // concerns the end of the program
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

/// The reason within "..., errno = 28, error message = 'No space left on device', ...".
std::string system_reason(const std::string& text) {
  static const std::string opening = "error message = '";
  const auto begin = text.find(opening);
  if (begin == std::string::npos) return {};
  const auto end = text.find('\'', begin + opening.size());
  return text.substr(begin + opening.size(),
                     end == std::string::npos ? end : end - begin - opening.size());
}

}  // namespace

std::string last_error() {
  std::string innermost;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &innermost);
  auto reason = system_reason(innermost);
  if (!reason.empty()) return reason;
  return innermost.empty() ? "HDF5 gives no reason" : "HDF5: " + innermost;
}

}  // namespace hdf5

}  // namespace halotherm::io
