// SPDX-License-Identifier: MIT
// Texts of a bottleneck.
#pragma once

#include "app/measure/bottleneck.hpp"

#include <string>

namespace halotherm::app {

/// "latency", as name_of(cause) says; or "none", "within noise", "unexplained".
std::string verdict_name(const Bottleneck& bottleneck);

/// The verdict in a line, and under it the arithmetic and what to do, each line indented by two
/// blanks.
std::string to_string(const Bottleneck& bottleneck, ScaleKind kind, const ScaleFacts& reference,
                      const ScaleFacts& facts);

/// A text that states the smallest share of its cores' time that a rank got, and possible reasons.
std::string shared_processor_text(double share);

}  // namespace halotherm::app
