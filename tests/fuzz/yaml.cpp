// SPDX-License-Identifier: MIT
#include "tests/fuzz/resolved.hpp"
#include "tests/fuzz/targets.hpp"

void halotherm::fuzz::yaml(std::string_view bytes) {
  const std::string text(bytes);
  accepted(comm::ExitCode::usage,
           [&] { must_come_back(app::parse_config(text, "fuzz.yaml", {})); });
  // a restart compares its configuration with the text that a checkpoint holds
  accepted(comm::ExitCode::usage, [&] {
    app::differing_keys(text, "grid: {cells: [16, 8], upper: [2, 1]}\ntitle: other\n");
  });
}
