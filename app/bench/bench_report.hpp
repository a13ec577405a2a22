// SPDX-License-Identifier: MIT
// Text and JSON of bench.
#pragma once

#include "app/bench/bench.hpp"

#include <string>

namespace halotherm::app {

/// Why a row or a ceiling is unreliable: its copies ran far below the grid's best ones, they
/// varied, or other programs used the cores. Empty if nothing disturbed it.
std::string disturbance(double copy, double best_copy, double processor);
std::string disturbance(const BenchCeiling& ceiling);
/// A row whose copies stay below this share of the grid's best is measured again, then marked.
inline constexpr double undisturbed = 0.9;

std::string bench_heading(const BenchRecord& record);
std::string bench_line(const BenchCeiling& ceiling);
std::string bench_line(const BenchRow& row);
std::string bench_json(const BenchRecord& record);

}  // namespace halotherm::app
