// SPDX-License-Identifier: MIT
#include "app/cli/options.hpp"

#include "app/cli/allocation_options.hpp"
#include "app/cli/measurement_options.hpp"
#include "app/config/config.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/error_text.hpp"
#include "comm/system/version.hpp"
#include "io/text/message_text.hpp"
#include "io/text/number_text.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

namespace halotherm::app {

namespace {

constexpr auto description =
    "Halotherm solves the heat equation on clusters of GPUs and CPUs.\n"
    "One YAML file describes the problem; `halotherm config --defaults` lists every key.";

constexpr auto exit_status =
    "\nExit status: 0 done, 1 internal, 2 usage or configuration, 3 numerics, 4 input or output,\n"
    "5 a check failed, 75 stopped early with a good checkpoint (docs/exit_codes.md).";

[[noreturn]] void refuse(const comm::ErrorText& text) {
  throw comm::Error(comm::ExitCode::usage, text);
}

double parse_walltime(const std::string& text) {
  const auto seconds = io::parse_duration(text);
  if (seconds && real_seconds.contain(*seconds)) return *seconds;
  refuse({"halotherm run: --walltime is '" + comm::shortened(text, 60) + "'",
          "must be a time" + real_seconds.to_text() + " s",
          "give seconds, or a duration such as 90s, 30min, 1h30min"});
}

std::string footer_of(const std::vector<std::string>& examples) {
  return fmt::format("Examples:\n  {}\n", fmt::join(examples, "\n  "));
}

/// The parser; it stores the parsed values in `options`.
class CommandLine {
 public:
  explicit CommandLine(Options& options) : app(description, "halotherm"), options_(options) {
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("halotherm ") + version + " (" + commit + ", " +
                                          build_preset + ")");
    app.footer(footer_of({"halotherm config --defaults > my.yaml",
                          "halotherm check configs/quickstart.yaml",
                          "mpirun -n 2 halotherm run configs/quickstart.yaml",
                          "mpirun -n 8 halotherm run configs/quickstart.yaml --restart latest",
                          "halotherm run --help"}) +
               exit_status);
    add_run();
    add_check();
    add_config();
    add_measurements();
    add_import(app, options_.import, [&] { options_.command = Options::Command::import; });
    add("info", Options::Command::info, "print version, libraries, and the devices of this job",
        {"halotherm info", "mpirun -n 4 halotherm info"});
  }

  CLI::App app;

 private:
  CLI::App& add(const std::string& name, Options::Command command, const std::string& help,
                const std::vector<std::string>& examples) {
    auto& added = *app.add_subcommand(name, help);
    added.preparse_callback([this, command](std::size_t) { options_.command = command; });
    added.footer(footer_of(examples));
    return added;
  }

  void add_config_file(CLI::App& command, const char* help = "the YAML file") {
    command.add_option("CONFIG", options_.config, help)->required();
    command
        .add_option("--set", options_.overrides,
                    "override a key of the file, for example --set time.end=5; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
  }

  void add_run() {
    auto& run = add("run", Options::Command::run, "run a simulation",
                    {"mpirun -n 2 halotherm run configs/quickstart.yaml",
                     "mpirun -n 4 halotherm run configs/quickstart.yaml --set time.end=30 --set "
                     "'grid.cells=[64, 64, 64]' --overwrite",
                     "mpirun -n 8 halotherm run configs/quickstart.yaml --restart latest "
                     "--walltime 1h30min",
                     "mpirun -n 4 halotherm run big.yaml --dry-run",
                     "halotherm run big.yaml --dry-run --ranks 8192 --ranks-per-node 4 "
                     "--gpu-memory 80GB"});
    run.footer(run.get_footer() + exit_status);
    add_config_file(run);
    run.add_option(
           "--restart", options_.restart.from,
           "continue from a checkpoint: a file; 'latest', the newest good one of the output "
           "directory; or 'auto', the same if there is one, else a fresh start. Later "
           "results are set aside")
        ->type_name("FILE|latest|auto");
    run.add_option_function<std::string>(
           "--walltime",
           [this](const std::string& text) { options_.walltime = parse_walltime(text); },
           "stop within this real time, with a checkpoint and exit status 75: seconds, or a "
           "duration such as 90s, 30min, 2h")
        ->type_name("DURATION");
    run.add_flag("--allow-changes", options_.restart.allow_changes,
                 "continue although material, source, initial field, boundary, time or input "
                 "files differ from the checkpoint's");
    run.add_flag("--convert", options_.restart.convert,
                 "continue from a checkpoint of another precision, or of the same domain with "
                 "whole multiples or fractions of its cells along each axis");
    run.add_flag("--overwrite", options_.restart.overwrite,
                 "remove the results of another run from the output directory; other files stay");
    run.add_flag("--dry-run", options_.dry_run,
                 "report partition, memory, messages and expected time; compute and write nothing");
    add_allocation_options(run, options_.allocation);
  }

  void add_check() {
    auto& check = add("check", Options::Command::check,
                      "check a configuration, or a checkpoint and its checksums",
                      {"halotherm check configs/quickstart.yaml --set time.end=5min",
                       "halotherm check configs/chip.yaml --materials materials.nc",
                       "mpirun -n 4 halotherm check "
                       "results/quickstart/checkpoints/checkpoint_0000000858.h5"});
    add_config_file(check, "the YAML file, or a checkpoint's HDF5 file");
    check.add_option("--materials", options_.materials,
                     "also write the material of each cell to this netCDF file");
  }

  void add_config() {
    auto& config =
        add("config", Options::Command::config_defaults, "print every key of a configuration",
            {"halotherm config --defaults > my.yaml",
             "halotherm config --schema > halotherm.schema.json"});
    auto* group = config.add_option_group("what")->require_option(1);
    group->add_flag_callback(
        "--defaults", [] {},
        "every key with its default, unit and range, as a YAML file to start from");
    group->add_flag_callback(
        "--schema", [this] { options_.command = Options::Command::config_schema; },
        "the same as a JSON Schema, for editors");
  }

  void add_measurements() {
    add_bench_options(
        add("bench", Options::Command::bench,
            "measure the speed of the solver's parts and the limits of this machine",
            {"halotherm bench --json bench.json",
             "mpirun -n 2 halotherm bench --cells 512 --cells 1000,777,513 --precision float32"}),
        options_.bench);
    add_probe_options(
        add("probe", Options::Command::probe,
            "test the exchange between the ranks of this job: correctness, path and speed",
            {"mpirun -n 4 halotherm probe",
             "mpirun -n 4 halotherm probe --expect nvlink --json probe.json",
             "srun -N 2 --ntasks-per-node=4 halotherm probe --expect 20"}),
        options_.probe);
    auto& scale = add(
        "scale", Options::Command::scale,
        "measure how a problem scales over the ranks of this job, and report what limits it",
        {"mpirun -n 4 halotherm scale --strong configs/benchmark.yaml --json strong.json",
         "mpirun -n 4 halotherm scale --weak configs/benchmark.yaml --repeats 9 --csv weak.csv"});
    add_config_file(scale);
    add_scale_options(scale, options_.scale);
    add_verify_options(
        add("verify", Options::Command::verify,
            "prove that this program gives right answers on this machine: orders of accuracy, "
            "exact solutions, ghost cells, one answer; exit with 5 if a claim fails",
            {"halotherm verify --quick", "mpirun -n 2 halotherm verify --json verify.json"}),
        options_.verify);
  }

  Options& options_;
};

void add_option_names(const CLI::App& app, std::vector<std::string>& names) {
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const auto* group : app.get_subcommands({})) {
    if (group->get_name().empty()) add_option_names(*group, names);
  }
}

/// Reports the first word that CLI11 could not use, if any, with the nearest valid one.
[[noreturn]] void explain(const CLI::ParseError& error, const CommandLine& line) {
  const auto commands = line.app.get_subcommands();
  const CLI::App& command = commands.empty() ? line.app : *commands.front();
  const auto name = commands.empty() ? "halotherm" : "halotherm " + command.get_name();
  const auto left = line.app.remaining(true);
  if (left.empty()) refuse({name + ": " + error.what(), "", "see " + name + " --help"});
  const auto word = left.front().substr(0, left.front().find('='));
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    add_option_names(command, known);
  } else if (commands.empty()) {
    for (const auto* some : line.app.get_subcommands({})) known.push_back(some->get_name());
  }
  const auto near = io::nearest(word, known);
  refuse({name + ": \"" + word + "\" is not known here",
          commands.empty()
              ? "the commands are run, check, config, bench, probe, scale, verify, import, info"
              : "",
          near ? "did you mean " + *near + "?" : "see " + name + " --help"});
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  CommandLine line(options);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    line.app.exit(help_or_version, text);
    options.command = Options::Command::help_or_version;
    options.text_to_print = text.str();
  } catch (const CLI::ParseError& error) {
    explain(error, line);
  }
  const auto& restart = options.restart;
  const bool from_newest = restart.from == "latest" || restart.from == "auto";
  if (restart.allow_changes && !restart.from)
    refuse({"halotherm run: --allow-changes is given without --restart",
            "only a restart compares configurations", "add --restart latest or remove it"});
  if (restart.convert && (!restart.from || from_newest))
    refuse({"halotherm run: --convert is given without a checkpoint's file",
            "results of two grids do not go into one folder",
            "name the file by --restart FILE, and an output.directory of its own"});
  if (restart.overwrite && from_newest)
    refuse({"halotherm run: --overwrite is given with --restart", "which needs the results",
            "remove one of them"});
  check_allocation_options(options.allocation, options.dry_run, restart.from.has_value());
  return options;
}

}  // namespace halotherm::app
