// SPDX-License-Identifier: MIT
// The command `halotherm import`: its options, and the configuration that it makes.
#pragma once

#include "app/import/hotspot_conversion.hpp"
#include "app/import/stack.hpp"

#include <filesystem>
#include <functional>

namespace CLI {
class App;
}

namespace halotherm::app {

struct ImportOptions {
  enum class Format { hotspot, ice };

  Format format = Format::ice;
  std::filesystem::path stack;  ///< of 3D-ICE
  HotspotFiles hotspot;
  bool steady = false;
};

/// Adds the command, which stores its options in `options` and calls `chosen`.
void add_import(CLI::App& app, ImportOptions& options, const std::function<void()>& chosen);

/// Reads the files. Local. Throws comm::Error (usage).
Stack import_stack(const ImportOptions& options);

}  // namespace halotherm::app
