// SPDX-License-Identifier: MIT
#pragma once

#include "app/config/config.hpp"
#include "app/config/writer.hpp"
#include "tests/fuzz/promise.hpp"

namespace halotherm::fuzz {

/// Whoever restarts reads what was written of a configuration: it must be accepted, and give the
/// same text again.
inline void must_come_back(const app::Config& config) {
  const auto written = app::to_yaml(config);
  std::string again;
  const bool read = accepted(comm::ExitCode::usage, [&] {
    again = app::to_yaml(app::parse_config(written, "written.yaml", {}));
  });
  promise(read, "what is written of a configuration is accepted:\n" + written);
  promise(again == written, "what is written of a configuration gives the same again:\n" + written +
                                "\nagain:\n" + again);
  promise(app::differing_keys(written, again).empty(),
          "equal configurations have no differing keys:\n" + written);
}

}  // namespace halotherm::fuzz
