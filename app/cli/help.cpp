// SPDX-License-Identifier: MIT
#include "app/cli/help.hpp"

#include "app/cli/options.hpp"
#include "comm/mpi/error.hpp"

#include <cstdlib>
#include <iostream>

namespace halotherm::app {

namespace {

/// Whether mpirun or srun has started this process.
bool is_in_job() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(variable) != nullptr) return true;
  }
  return false;
}

}  // namespace

bool has_printed_help(int argc, char** argv) {
  if (is_in_job()) return false;
  try {
    const auto options = parse_options(argc, argv);
    if (options.command != Options::Command::help_or_version) return false;
    if (std::cout << options.text_to_print << std::endl) return true;
    std::cout.clear();
    return false;  // is reported as all failures of the output are
  } catch (const comm::Error&) {
    return false;  // is reported as all errors are
  }
}

}  // namespace halotherm::app
