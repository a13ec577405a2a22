// SPDX-License-Identifier: MIT
#include "app/cli/allocation_options.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/error_text.hpp"
#include "io/text/number_text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace halotherm::app {

namespace {

constexpr int most_ranks = 1 << 24;
constexpr double most_bytes = 1e18;

[[noreturn]] void refuse(const comm::ErrorText& text) {
  throw comm::Error(comm::ExitCode::usage, text);
}

constexpr std::array<std::pair<std::string_view, double>, 9> units{{{"KiB", 0x1p10},
                                                                    {"MiB", 0x1p20},
                                                                    {"GiB", 0x1p30},
                                                                    {"TiB", 0x1p40},
                                                                    {"kB", 1e3},
                                                                    {"MB", 1e6},
                                                                    {"GB", 1e9},
                                                                    {"TB", 1e12},
                                                                    {"B", 1}}};

void add_memory(CLI::App& run, const std::string& name, std::optional<std::int64_t>& slot,
                const std::string& help) {
  run.add_option_function<std::string>(
         name, [name, &slot](const std::string& text) { slot = parse_bytes(name, text); }, help)
      ->type_name("SIZE");
}

}  // namespace

std::int64_t parse_bytes(const std::string& option, const std::string& text) {
  std::string_view number = text;
  double unit = 1;
  for (const auto& [name, bytes] : units) {
    if (!number.ends_with(name)) continue;
    number.remove_suffix(name.size());
    unit = bytes;
    break;
  }
  while (number.ends_with(' ')) number.remove_suffix(1);
  const auto value = io::parse_number(number);
  const double bytes = value ? std::round(*value * unit) : 0;
  if (bytes >= 1 && bytes <= most_bytes) return static_cast<std::int64_t>(bytes);
  refuse({"halotherm run: " + option + " is '" + comm::shortened(text, 60) + "'",
          "must be a size from 1 B to 1e18 B",
          "give bytes, or a number with a unit such as 80GB or 512GiB"});
}

void add_allocation_options(CLI::App& run, AllocationRequest& request) {
  run.add_option("--ranks", request.ranks,
                 "with --dry-run, on one process: what the run would need on so many ranks")
      ->check(CLI::Range(1, most_ranks))
      ->type_name("N");
  run.add_option("--ranks-per-node", request.ranks_per_node,
                 "with --ranks: those on each node; the last node may have fewer")
      ->check(CLI::Range(1, most_ranks))
      ->type_name("N");
  add_memory(run, "--gpu-memory", request.gpu_memory,
             "with --ranks: each rank has a GPU with this memory; exit with 2 if it is too small");
  add_memory(run, "--node-memory", request.node_memory,
             "with --ranks: each node has this memory beside its GPUs; exit with 2 if it is too "
             "small");
  run.add_option("--model", request.model,
                 "with --ranks: predict the time by this file, written by "
                 "scripts/predict_scaling.py --json")
      ->type_name("FILE");
  run.add_option("--json", request.json, "with --ranks: also write everything to this file")
      ->type_name("FILE");
}

void check_allocation_options(const AllocationRequest& request, bool dry_run, bool restarts) {
  if (request.ranks == 0) {
    const std::pair<const char*, bool> given[] = {
        {"--ranks-per-node", request.ranks_per_node > 0},
        {"--gpu-memory", request.gpu_memory.has_value()},
        {"--node-memory", request.node_memory.has_value()},
        {"--model", request.model.has_value()},
        {"--json", request.json.has_value()}};
    const auto* first = std::ranges::find_if(given, &std::pair<const char*, bool>::second);
    if (first == std::end(given)) return;
    refuse({std::string("halotherm run: ") + first->first + " is given without --ranks",
            "it describes a machine that a dry run is asked about",
            "add --dry-run --ranks N, or remove it"});
  }
  if (!dry_run)
    refuse({"halotherm run: --ranks is given without --dry-run",
            "a run has the ranks that mpirun or srun starts",
            "add --dry-run, or start it by mpirun -n " + std::to_string(request.ranks)});
  if (request.ranks_per_node == 0)
    refuse({"halotherm run: --ranks is given without --ranks-per-node",
            "what travels between nodes depends on it", "add --ranks-per-node M"});
  if (restarts)
    refuse({"halotherm run: --restart is given with --ranks",
            "the steps and files of a whole run are counted", "remove one of them"});
}

}  // namespace halotherm::app
