// SPDX-License-Identifier: MIT
// What is fuzzed: everything that reads what users give. A target takes any bytes and returns;
// where the code under test breaks a promise, the process ends with a message, which the fuzzer or
// the replay reports together with the bytes.
#pragma once

#include <string_view>

namespace halotherm::fuzz {

/// The bytes as a configuration. What is accepted must come back the same from the YAML that is
/// written of it.
void yaml(std::string_view bytes);

/// The bytes as a formula in x, y, z and t, evaluated at ordinary and at extreme places.
void expression(std::string_view bytes);

/// A good configuration, changed by the bytes as one --set.
void overrides(std::string_view bytes);

/// The bytes as a checkpoint; its field is read if it is not large. MPI must be there.
void checkpoint(std::string_view bytes);

}  // namespace halotherm::fuzz
