// SPDX-License-Identifier: MIT
// A verification as text and as JSON.
#pragma once

#include "app/verify/judgement.hpp"
#include "comm/machine/environment.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// Tables of all claims, the failed ones by themselves, and the verdict; without a last line end.
std::string verify_text(const VerifyRecord& record);

/// Keys: docs/verification.md.
std::string verify_json(const VerifyRecord& record, const comm::Places& places);

}  // namespace halotherm::app
