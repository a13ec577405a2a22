// SPDX-License-Identifier: MIT
#include "app/cli/import_options.hpp"

#include "app/import/ice_conversion.hpp"

#include <CLI/CLI.hpp>

namespace halotherm::app {

namespace {

void add_hotspot(CLI::App& command, ImportOptions& options) {
  auto& hotspot = *command.add_subcommand("hotspot", "a chip in its package, from HotSpot's files");
  hotspot.preparse_callback(
      [&options](std::size_t) { options.format = ImportOptions::Format::hotspot; });
  auto& files = options.hotspot;
  hotspot.add_option("CONFIG", files.config, "the configuration (.config)")->required();
  hotspot.add_option("--powers", files.powers, "the power trace (.ptrace)")
      ->required()
      ->type_name("FILE");
  auto* plan = hotspot.add_option_group("plan")->require_option(1);
  plan->add_option("--floorplan", files.floorplan, "the floorplan of a single die (.flp)")
      ->type_name("FILE");
  plan->add_option("--layers", files.layers, "the layers of a stack (.lcf)")->type_name("FILE");
  hotspot.add_option("--materials", files.materials, "the materials (.materials)")
      ->type_name("FILE");
  hotspot.add_flag("--steady", options.steady,
                   "the steady state for the means of the powers, instead of the trace");
  hotspot.footer(
      "Examples:\n  halotherm import hotspot example.config --floorplan ev6.flp --powers "
      "gcc.ptrace > chip.yaml\n");
}

}  // namespace

void add_import(CLI::App& app, ImportOptions& options, const std::function<void()>& chosen) {
  auto& command =
      *app.add_subcommand("import", "print a problem of another program as a configuration");
  command.require_subcommand(1);
  command.preparse_callback([chosen](std::size_t) { chosen(); });
  add_hotspot(command, options);
  auto& ice = *command.add_subcommand("3dice", "a stack of dies, from 3D-ICE's files");
  ice.preparse_callback([&options](std::size_t) { options.format = ImportOptions::Format::ice; });
  ice.add_option("STACK", options.stack, "the stack description (.stk)")->required();
  ice.footer("Examples:\n  halotherm import 3dice stack.stk > stack.yaml\n");
  command.footer("Examples:\n  halotherm import 3dice stack.stk > stack.yaml\n");
}

Stack import_stack(const ImportOptions& options) {
  return options.format == ImportOptions::Format::ice
             ? import_ice(options.stack)
             : import_hotspot(options.hotspot, options.steady);
}

}  // namespace halotherm::app
