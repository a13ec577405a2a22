// SPDX-License-Identifier: MIT
// The options of the commands that measure and verify: bench, probe, scale and verify.
#pragma once

#include "app/bench/bench.hpp"
#include "app/probe/probe.hpp"
#include "app/scale/scale.hpp"
#include "app/verify/verify.hpp"

namespace CLI {
class App;
}

namespace halotherm::app {

/// Each adds its options to the command, which stores them in `options` as it parses.
void add_bench_options(CLI::App& command, BenchOptions& options);
void add_probe_options(CLI::App& command, ProbeOptions& options);
void add_scale_options(CLI::App& command, ScaleOptions& options);
void add_verify_options(CLI::App& command, VerifyOptions& options);

}  // namespace halotherm::app
