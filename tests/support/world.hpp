// SPDX-License-Identifier: MIT
#pragma once

#include "comm/environment.hpp"

namespace halotherm::tests {

/// All ranks of the test program.
const comm::Communicator& world();

}  // namespace halotherm::tests
