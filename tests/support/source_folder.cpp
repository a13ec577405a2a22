// SPDX-License-Identifier: MIT
#include "tests/support/source_folder.hpp"

namespace halotherm::test {

std::filesystem::path source_folder() {
  return HALOTHERM_SOURCE_DIR;
}

}  // namespace halotherm::test
