// SPDX-License-Identifier: MIT
// The options of `run --dry-run` that describe a machine which is not there.
#pragma once

#include "app/run/allocation.hpp"

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace halotherm::app {

/// Adds the options to `run`, which stores them in `request` as it parses.
void add_allocation_options(CLI::App& run, AllocationRequest& request);

/// Throws comm::Error (usage) for options that cannot stand together. `dry_run`, `restarts`:
/// whether these options are given.
void check_allocation_options(const AllocationRequest& request, bool dry_run, bool restarts);

/// Bytes: "80GB", "512 GiB", "1e12". Throws comm::Error (usage), naming the option.
std::int64_t parse_bytes(const std::string& option, const std::string& text);

}  // namespace halotherm::app
