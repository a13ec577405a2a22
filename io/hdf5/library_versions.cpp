// SPDX-License-Identifier: MIT
#include "io/hdf5/library_versions.hpp"

#include <hdf5.h>
#include <muParser.h>

namespace halotherm::io {

std::string library_versions() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return "HDF5 " + std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(release) + " (parallel), muParser " + mu::Parser().GetVersion(mu::pviBRIEF);
}

}  // namespace halotherm::io
