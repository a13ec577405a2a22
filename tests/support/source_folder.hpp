// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace halotherm::test {

/// The project's own folder, where configs/ and tests/data/ lie.
std::filesystem::path source_folder();

}  // namespace halotherm::test
