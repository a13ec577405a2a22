// SPDX-License-Identifier: MIT
// Texts of a forecast.
#pragma once

#include "app/run/forecast.hpp"

#include <string>

namespace halotherm::app {

/// The number of steps and their duration as lines of text, with a warning beyond a day and one if
/// fewer ranks would be faster.
std::string to_string(const Forecast& forecast);

/// The line for the start of a run, without its end and without advice on the number of ranks,
/// which the end of the run gives from measurements.
std::string expectation_text(Forecast forecast);

/// "3.5 s", "2.1 h", "12 days".
std::string span_text(double seconds);
/// "12.3 us", "4.56 ms".
std::string step_text(double seconds);

/// Predicted time of a step on `fewer` ranks instead of `ranks` [s]; one rank has no exchange.
/// Pure.
double step_on_fewer(const StepCost& cost, int ranks, int fewer);

/// "1 rank would be faster: about 12 us a step, where 2 take 14.3 us, of which …", if that is clear
/// from the cost; else empty. Pure.
std::string fewer_ranks_text(const StepCost& cost, int ranks);

}  // namespace halotherm::app
