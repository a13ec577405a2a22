// SPDX-License-Identifier: MIT
// Versions of the libraries that read and write files.
#pragma once

#include <string>

namespace halotherm::io {

/// The file libraries in use: "HDF5 1.10.8 (parallel), muParser 2.3.4".
std::string library_versions();

}  // namespace halotherm::io
