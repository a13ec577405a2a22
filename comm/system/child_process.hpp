// SPDX-License-Identifier: MIT
// Runs work that may crash in a process of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace halotherm::comm {

/// Runs a program without input and output. Blocks until it ends, and kills it after `limit`
/// seconds. Returns "" for exit code 0, else the outcome: "signal 11 (Segmentation fault)", "exit
/// code 1", "no answer within 30 s", "cannot be started: No such file or directory". `passes`
/// selects the variables of this process' environment ("NAME=value") that the program inherits;
/// `extra` are added to them.
std::string outcome_of(
    const std::vector<std::string>& command, double limit,
    const std::function<bool(const std::string&)>& passes = [](const std::string&) { return true; },
    const std::vector<std::string>& extra = {});

/// The outcome of `attempt`, which calls `outcome_of`; where there is no answer, as on a node that
/// is busy for a while, that of a second attempt.
std::string outcome_of_two(const std::function<std::string()>& attempt);

}  // namespace halotherm::comm
