// SPDX-License-Identifier: MIT
// Help and the version, before anything starts.
#pragma once

namespace halotherm::app {

/// Prints help or the version, if that is all that the command line asks for, without the start of
/// MPI, which takes most of the time. False in a job of several ranks, of which one prints, and
/// where the text cannot be written. Local.
bool has_printed_help(int argc, char** argv);

}  // namespace halotherm::app
