// SPDX-License-Identifier: MIT
#include "app/results/inputs.hpp"

#include "app/domain/geometry.hpp"
#include "comm/mpi/error.hpp"
#include "io/files/checksum.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

/// The only key whose data set a restart does not read.
constexpr const char* initial_key = "initial.temperature";

const io::InputChecksum* find(const std::vector<io::InputChecksum>& inputs,
                              const std::string& key) {
  const auto found = std::ranges::find(inputs, key, &io::InputChecksum::key);
  return found == inputs.end() ? nullptr : &*found;
}

/// "material.conductivity (/k of chip.h5)".
std::string named(const Config& config, const std::string& key) {
  for (const auto& [path, quantity] : quantities_on_cells(config)) {
    const auto* data = std::get_if<FileDataset>(quantity);
    if (path == key && data != nullptr)
      return key + " (" + data->dataset + " of " + data->file.string() + ")";
  }
  return key;
}

/// The data sets that both know and that differ.
std::string differing(const Config& config, const std::vector<io::InputChecksum>& read,
                      const io::CheckpointInfo& info) {
  std::string text;
  for (const auto& input : read) {
    const auto* old = find(info.inputs, input.key);
    if (old != nullptr && old->checksum != input.checksum)
      text += (text.empty() ? "" : ", ") + named(config, input.key);
  }
  return text;
}

void compare(const Config& config, const std::vector<io::InputChecksum>& read, RestartState& start,
             const io::Log& log) {
  const std::string beginning = "inputs         not compared with those of the run before (";
  if (read.empty()) return;
  if (!start.info.knows_inputs)
    return log.line(beginning + "its checkpoint, of an older format, has no checksums of them)");
  if (start.info.grid.cells != make_grid(config.grid).cells)
    return log.line(beginning + "they are of another grid)");
  const auto changed = differing(config, read, start.info);
  if (changed.empty()) return;
  if (!start.changes_allowed) {
    throw comm::CollectiveError(
        comm::ExitCode::usage,
        start.checkpoint->string() +
            " does not fit the input files (changed since it was written: " + changed +
            ") put the old values back, or go on with the new ones by --allow-changes");
  }
  start.repeats = false;
  log.line("inputs         changed since the checkpoint was written: " + changed);
}

}  // namespace

void compare_inputs(const Config& config, RestartState& start,
                    std::vector<io::InputChecksum>& inputs, const io::Log& log) {
  if (!start.checkpoint) return;
  compare(config, inputs, start, log);
  const auto* initial = find(start.info.inputs, initial_key);
  const auto changed = differing_keys(start.info.config, to_yaml(config));
  const bool same_initial =
      std::ranges::none_of(changed, [](const auto& key) { return key.starts_with("initial."); });
  if (initial != nullptr && same_initial) inputs.push_back(*initial);
}

}  // namespace halotherm::app
