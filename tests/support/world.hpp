// SPDX-License-Identifier: MIT
#pragma once

#include "comm/machine/environment.hpp"

namespace halotherm::test {

/// All ranks of the test program.
const comm::Communicator& world();

}  // namespace halotherm::test
