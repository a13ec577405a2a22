// SPDX-License-Identifier: MIT
#include "app/options.hpp"

#include "comm/error.hpp"
#include "comm/version.hpp"
#include "io/message_text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace halotherm::app {

namespace {

constexpr const char* description =
    "Halotherm solves the heat equation on clusters of GPUs and CPUs.\n"
    "One YAML file says what to compute; every key is listed by: halotherm config --defaults";

constexpr const char* footer =
    "Examples:\n"
    "  halotherm check configs/quickstart.yaml\n"
    "  mpirun -n 2 halotherm run configs/quickstart.yaml\n"
    "  mpirun -n 4 halotherm run configs/quickstart.yaml --set time.end=30 --set 'grid.cells=[64, 64, 64]'\n"
    "  mpirun -n 8 halotherm run configs/quickstart.yaml --restart latest\n"
    "\n"
    "Exit status: 0 done, 1 internal, 2 usage or configuration, 3 numerics, 4 input or output, 5 a check failed,\n"
    "75 stopped early with a good checkpoint (docs/exit_codes.md).";

struct CommandLine {
  explicit CommandLine(Options& options) : app(description, "halotherm") {
    app.footer(footer);
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("halotherm ") + version + " (" + commit + ", " + build_preset + ")");
    add_run(options);
    add_check(options);
    add_config();
    info = app.add_subcommand("info", "say what this Halotherm was built with and on which devices it would run");
  }

  CLI::App app;
  CLI::App *run = nullptr, *check = nullptr, *config = nullptr, *info = nullptr;
  bool defaults = false, schema = false;

 private:
  static void add_config_file(CLI::App& command, Options& options) {
    command.add_option("CONFIG", options.config, "the YAML file")->required();
    command
        .add_option("--set", options.overrides, "set a key as if the file had it, for example --set time.end=5; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
  }

  void add_run(Options& options) {
    run = app.add_subcommand("run", "run a simulation");
    add_config_file(*run, options);
    run->add_option("--restart", options.restart,
                    "go on from a checkpoint: its file, or 'latest' for the newest of the output directory")
        ->type_name("FILE|latest");
    run->add_flag("--allow-changes", options.allow_changes,
                  "go on although keys of material, source, boundary or time differ from the checkpoint's");
    run->add_flag("--overwrite", options.overwrite, "replace the results of another run that stand in the output directory");
    run->add_flag("--dry-run", options.dry_run, "report decomposition, memory and messages; compute and write nothing");
  }

  void add_check(Options& options) {
    check = app.add_subcommand("check", "check a configuration, and do nothing else");
    add_config_file(*check, options);
  }

  void add_config() {
    config = app.add_subcommand("config", "print what configurations can say");
    auto* group = config->add_option_group("what")->require_option(1);
    group->add_flag("--defaults", defaults, "every key with its default, unit and range, as a YAML file to start from");
    group->add_flag("--schema", schema, "the same as a JSON Schema, for editors");
  }
};

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

void add_option_names(const CLI::App& app, std::vector<std::string>& names) {
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const auto* group : app.get_subcommands({})) {
    if (group->get_name().empty()) add_option_names(*group, names);
  }
}

/// What is left over is the word to blame, where there is one; CLI11 knows nothing of nearest words.
[[noreturn]] void explain(const CLI::ParseError& error, const CommandLine& line) {
  const auto commands = line.app.get_subcommands();
  const CLI::App& command = commands.empty() ? line.app : *commands.front();
  const std::string shown = commands.empty() ? "" : command.get_name() + ": ";
  const auto left = line.app.remaining(true);
  std::string text = shown + error.what();
  if (!left.empty()) {
    const auto word = left.front().substr(0, left.front().find('='));
    std::vector<std::string> known;
    if (commands.empty() && !word.starts_with("-")) known = command_names(line.app);
    if (word.starts_with("-")) add_option_names(command, known);
    text = shown + "\"" + word + "\" is not known here";
    if (commands.empty()) text += " (the commands are run, check, config, info)";
    if (const auto near = io::nearest(word, known)) text += " did you mean " + *near + "?";
  }
  throw comm::Error(comm::ExitCode::usage,
                    text + "; see halotherm " + (commands.empty() ? "" : command.get_name() + " ") + "--help");
}

Options::Command command_of(const CommandLine& line) {
  using Command = Options::Command;
  if (*line.run) return Command::run;
  if (*line.check) return Command::check;
  if (*line.info) return Command::info;
  return line.defaults ? Command::config_defaults : Command::config_schema;
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  CommandLine line(options);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    options.text_to_print = line.app.help();
    return options;
  } catch (const CLI::CallForVersion& version_text) {
    options.text_to_print = std::string(version_text.what()) + "\n";
    return options;
  } catch (const CLI::ParseError& error) {
    explain(error, line);
  }
  options.command = command_of(line);
  if (options.allow_changes && !options.restart) {
    throw comm::Error(comm::ExitCode::usage,
                      "halotherm run: --allow-changes is given without --restart (only a restart compares "
                      "configurations) add --restart latest or remove it");
  }
  if (options.restart && options.overwrite) {
    throw comm::Error(comm::ExitCode::usage,
                      "halotherm run: --overwrite is given with --restart (a restart goes on with the results that "
                      "stand there) remove one of the two");
  }
  return options;
}

}  // namespace halotherm::app
