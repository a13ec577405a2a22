// SPDX-License-Identifier: MIT
// Something that may crash, in a process of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace halotherm::comm {

/// Runs a program, silently, and waits for it; kills it after `limit` seconds. Gives "" if it ended
/// with 0, else how it ended: "signal 11 (Segmentation fault)", "exit code 1", "no answer within 30
/// s". `passes`: which of this process' environment variables ("NAME=value") it gets; `extra` come
/// in addition.
std::string outcome_of(
    const std::vector<std::string>& command, double limit,
    const std::function<bool(const std::string&)>& passes = [](const std::string&) { return true; },
    const std::vector<std::string>& extra = {});

}  // namespace halotherm::comm
