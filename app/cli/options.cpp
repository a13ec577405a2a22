// SPDX-License-Identifier: MIT
#include "app/cli/options.hpp"

#include "app/cli/scale_options.hpp"
#include "app/config/config.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/version.hpp"
#include "io/text/message_text.hpp"
#include "io/text/number_text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

namespace halotherm::app {

namespace {

constexpr const char* description =
    "Halotherm solves the heat equation on clusters of GPUs and CPUs.\n"
    "One YAML file says what to compute; every key is listed by: halotherm config --defaults";

constexpr const char* exit_status =
    "\nExit status: 0 done, 1 internal, 2 usage or configuration, 3 numerics, 4 input or output, 5 "
    "a check failed,\n"
    "75 stopped early with a good checkpoint (docs/exit_codes.md).";

/// What a command's help ends with; "" is the program's own.
std::string footer_of(const std::string& command) {
  static const std::map<std::string, std::vector<const char*>> examples{
      {"",
       {"halotherm config --defaults > my.yaml", "halotherm check configs/quickstart.yaml",
        "mpirun -n 2 halotherm run configs/quickstart.yaml",
        "mpirun -n 8 halotherm run configs/quickstart.yaml --restart latest",
        "halotherm run --help"}},
      {"run",
       {"mpirun -n 2 halotherm run configs/quickstart.yaml",
        "mpirun -n 4 halotherm run configs/quickstart.yaml --set time.end=30 --set "
        "'grid.cells=[64, 64, 64]' --overwrite",
        "mpirun -n 8 halotherm run configs/quickstart.yaml --restart latest --walltime 1h30min",
        "mpirun -n 4 halotherm run big.yaml --dry-run"}},
      {"check",
       {"halotherm check configs/quickstart.yaml",
        "halotherm check configs/quickstart.yaml --set time.end=5min",
        "mpirun -n 4 halotherm check results/quickstart/checkpoints/checkpoint_0000000858.h5"}},
      {"config",
       {"halotherm config --defaults > my.yaml",
        "halotherm config --schema > halotherm.schema.json"}},
      {"bench",
       {"halotherm bench --json bench.json",
        "mpirun -n 2 halotherm bench --cells 512 --cells 1000,777,513 --precision float32"}},
      {"probe",
       {"mpirun -n 4 halotherm probe",
        "mpirun -n 4 halotherm probe --expect nvlink --json probe.json",
        "srun -N 2 --ntasks-per-node=4 halotherm probe --expect 20"}},
      {"scale",
       {"mpirun -n 4 halotherm scale --strong configs/benchmark.yaml --json strong.json",
        "mpirun -n 4 halotherm scale --weak configs/benchmark.yaml --repeats 9 --csv weak.csv",
        "halotherm scale --predict 8,16 --from strong.json"}},
      {"info", {"halotherm info", "mpirun -n 4 halotherm info"}}};
  std::string text = "Examples:\n";
  for (const auto* line : examples.at(command)) text += "  " + std::string(line) + "\n";
  return text + (command.empty() || command == "run" ? exit_status : "");
}

struct CommandLine {
  explicit CommandLine(Options& options) : app(description, "halotherm") {
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("halotherm ") + version + " (" + commit + ", " +
                                          build_preset + ")");
    add_run(options);
    add_check(options);
    add_config();
    add_bench(options.bench);
    add_probe(options.probe);
    add_scale(options);
    info = app.add_subcommand(
        "info", "say what this Halotherm was built with and on which devices it would run");
    app.footer(footer_of(""));
    for (auto* command : app.get_subcommands({})) command->footer(footer_of(command->get_name()));
  }

  CLI::App app;
  CLI::App *run = nullptr, *check = nullptr, *config = nullptr, *bench = nullptr, *probe = nullptr,
           *scale = nullptr, *info = nullptr;
  bool defaults = false, schema = false;
  std::vector<std::string> grids;          ///< as given to --cells
  std::optional<std::string> expectation;  ///< as given to --expect
  std::optional<std::string> walltime;     ///< as given to --walltime
  ScaleCommandLine scale_line;

 private:
  static CLI::Option* add_config_file(CLI::App& command, Options& options,
                                      const char* help = "the YAML file") {
    auto* file = command.add_option("CONFIG", options.config, help)->required();
    command
        .add_option(
            "--set", options.overrides,
            "set a key as if the file had it, for example --set time.end=5; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    return file;
  }

  void add_run(Options& options) {
    run = app.add_subcommand("run", "run a simulation");
    add_config_file(*run, options);
    run->add_option("--restart", options.restart.from,
                    "go on from a checkpoint: its file (later results are set aside), 'latest' for "
                    "the newest good one of the output "
                    "directory, or 'auto' for that one if there is any and a fresh start if not "
                    "(results are set aside)")
        ->type_name("FILE|latest|auto");
    run->add_option(
           "--walltime", walltime,
           "end in time with a checkpoint and exit status 75: seconds, or such as 90s, 30min, 2h")
        ->type_name("DURATION");
    run->add_flag("--allow-changes", options.restart.allow_changes,
                  "go on although keys of material, source, initial field, boundary or time, or "
                  "the input files, differ from the "
                  "checkpoint's");
    run->add_flag("--convert", options.restart.convert,
                  "go on from a checkpoint of another precision, or of the same domain cut into "
                  "other cells: whole multiples or "
                  "fractions along each axis");
    run->add_flag(
        "--overwrite", options.restart.overwrite,
        "remove the results of another run that stand in the output directory; other files stay");
    run->add_flag("--dry-run", options.dry_run,
                  "report partition, memory and messages; compute and write nothing");
  }

  void add_check(Options& options) {
    check = app.add_subcommand(
        "check",
        "check a configuration, or a checkpoint with all its checksums, and do nothing else");
    add_config_file(*check, options, "the YAML file, or a checkpoint's HDF5 file");
  }

  void add_bench(BenchOptions& options) {
    bench = app.add_subcommand(
        "bench", "measure how fast this machine runs the solver's parts, and what it could reach");
    bench
        ->add_option("--cells", grids,
                     "a grid of every rank: N, NX,NY or NX,NY,NZ; may be repeated")
        ->type_name("N[,N[,N]]")
        ->allow_extra_args(false);
    bench->add_option("--precision", options.precisions, "float64 or float32; may be repeated")
        ->check(CLI::IsMember({"float64", "float32"}))
        ->allow_extra_args(false);
    bench
        ->add_option("--repeats", options.repeats,
                     "measurements of which the median counts, 5 if not given")
        ->check(CLI::Range(1, 1000));
    bench->add_option("--json", options.json, "write everything to this file, too")
        ->type_name("FILE");
    bench
        ->add_option("--directory", options.directory,
                     "folder in which a checkpoint is written and removed: results/bench")
        ->type_name("FOLDER");
  }

  void add_probe(ProbeOptions& options) {
    probe = app.add_subcommand(
        "probe",
        "check the exchange between these ranks: does it work, by which way, as fast as it should");
    probe->add_option("--json", options.json, "write everything to this file, too")
        ->type_name("FILE");
    probe
        ->add_option("--expect", expectation,
                     "fail with 5 unless each node's GPUs are joined by NVLink, nodes by RDMA, or "
                     "every pair reaches these GB/s")
        ->type_name("nvlink|rdma|GB/s");
    probe
        ->add_option("--pairs", options.pairs,
                     "most pairs of ranks that are measured, 64 if not given")
        ->check(CLI::Range(1, 1000000));
  }

  void add_scale(Options& options) {
    scale = app.add_subcommand(
        "scale",
        "measure how a problem scales over the ranks of this job, and name what limits it");
    add_config_file(*scale, options)->required(false);
    scale_line.add(*scale, options.scale, options.predict);
  }

  void add_config() {
    config = app.add_subcommand("config", "print what configurations can say");
    auto* group = config->add_option_group("what")->require_option(1);
    group->add_flag("--defaults", defaults,
                    "every key with its default, unit and range, as a YAML file to start from");
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

/// What is left over is the word to blame, where there is one; CLI11 knows nothing of nearest
/// words.
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
    if (commands.empty())
      text += " (the commands are run, check, config, bench, probe, scale, info)";
    if (const auto near = io::nearest(word, known)) text += " did you mean " + *near + "?";
  }
  throw comm::Error(
      comm::ExitCode::usage,
      text + "; see halotherm " + (commands.empty() ? "" : command.get_name() + " ") + "--help");
}

/// "512" is a cube.
comm::Int3 parse_grid(const std::string& text) {
  std::vector<int> extents;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    int extent = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), extent);
    if (error != std::errc() || end != part.data() + part.size() || extent < 4 || extent > 1 << 30)
      extents.resize(4);
    extents.push_back(extent);
  }
  if (extents.empty() || extents.size() > 3) {
    throw comm::Error(comm::ExitCode::usage, "halotherm bench: --cells " + text +
                                                 " is no grid (it takes one to three whole numbers "
                                                 "from 4 on, as in 512 or 1000,777,513)");
  }
  if (extents.size() == 1) return {extents[0], extents[0], extents[0]};
  return {extents[0], extents[1], extents.size() > 2 ? extents[2] : 1};
}

Options::Command command_of(const CommandLine& line) {
  using Command = Options::Command;
  if (*line.run) return Command::run;
  if (*line.check) return Command::check;
  if (*line.bench) return Command::bench;
  if (*line.probe) return Command::probe;
  if (*line.scale) return Command::scale;
  if (*line.info) return Command::info;
  return line.defaults ? Command::config_defaults : Command::config_schema;
}

double parse_walltime(const std::string& text) {
  const auto seconds = io::parse_duration(text);
  if (seconds && real_seconds.contain(*seconds)) return *seconds;
  throw comm::Error(comm::ExitCode::usage, "halotherm run: --walltime is '" +
                                               io::shortened(text, 60) + "' (must be a time" +
                                               real_seconds.to_text() +
                                               " s) give seconds, or such as 90s, 30min, 1h30min");
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
  for (const auto& grid : line.grids) options.bench.cells.push_back(parse_grid(grid));
  if (line.walltime) options.walltime = parse_walltime(*line.walltime);
  if (line.expectation) options.probe.expectation = parse_expectation(*line.expectation);
  if (*line.scale) line.scale_line.finish(!options.config.empty(), options.scale, options.predict);
  if (options.restart.allow_changes && !options.restart.from) {
    throw comm::Error(
        comm::ExitCode::usage,
        "halotherm run: --allow-changes is given without --restart (only a restart compares "
        "configurations) add --restart latest or remove it");
  }
  if (options.restart.convert && (!options.restart.from || *options.restart.from == "latest" ||
                                  *options.restart.from == "auto")) {
    throw comm::Error(
        comm::ExitCode::usage,
        "halotherm run: --convert is given without a checkpoint's file (results of two grids do "
        "not go into one "
        "folder) name the file by --restart FILE, and an output.directory of its own");
  }
  if (options.restart.overwrite &&
      (options.restart.from == "latest" || options.restart.from == "auto")) {
    throw comm::Error(comm::ExitCode::usage,
                      "halotherm run: --overwrite is given with --restart (a restart goes on with "
                      "the results that "
                      "stand there) remove one of the two");
  }
  return options;
}

}  // namespace halotherm::app
