// SPDX-License-Identifier: MIT
#include "app/results/compatibility.hpp"

#include "app/config/writer.hpp"
#include "app/domain/geometry.hpp"
#include "app/integrate/integrator.hpp"
#include "comm/mpi/error.hpp"
#include "io/files/checksum.hpp"
#include "solver/field/regrid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace {

/// The effect of a changed configuration key on a restart.
enum class Change { harmless, physics, grid };

Change change_of(const std::string& key) {
  if (key.ends_with(".made_by")) return Change::harmless;
  const auto section = key.substr(0, key.find_first_of(".["));
  if (section == "grid") return Change::grid;
  for (const auto* harmless : {"title", "parallel", "output", "watchdog"}) {
    if (section == harmless) return Change::harmless;
  }
  for (const auto* harmless :
       {"time.end", "time.steps", "time.tolerance", "time.fused_steps", "time.submitted_steps"}) {
    if (key == harmless) return Change::harmless;
  }
  return Change::physics;
}

/// Whether another value of the key changes the files that a run writes.
bool shows_in_results(const std::string& key) {
  for (const auto* hidden :
       {"title", "parallel", "watchdog", "output.directory", "output.checkpoint", "output.writer",
        "output.hints", "output.on_failure", "time.fused_steps", "time.submitted_steps"}) {
    if (key.starts_with(hidden)) return false;
  }
  return true;
}

/// Whether a field on the checkpoint's grid can be converted to the configuration's grid.
bool convertible(const io::CheckpointInfo& info, const Config& config) {
  const auto shape = shape_of(make_grid(config));
  if (shape.dimensions != info.grid.dimensions ||
      !solver::Regrid::between(info.grid.cells, shape.cells))
    return false;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(shape.dimensions); ++axis) {
    const double old_extent = info.grid.spacing[axis] * info.grid.cells[axis],
                 extent = shape.spacing[axis] * shape.cells[axis];
    if (!shape.even(axis) || !info.grid.even(axis) || shape.lower[axis] != info.grid.lower[axis] ||
        std::abs(extent - old_extent) > 1e-12 * extent)
      return false;
  }
  return true;
}

/// The only key whose data set a restart does not read.
constexpr const char* initial_key = "initial.temperature";

const io::InputChecksum* find(const std::vector<io::InputChecksum>& inputs,
                              const std::string& key) {
  const auto found = std::ranges::find(inputs, key, &io::InputChecksum::key);
  return found == inputs.end() ? nullptr : &*found;
}

/// The key with its data set: "materials.die.conductivity (/k of chip.h5)".
std::string named(const Config& config, const std::string& key) {
  for (const auto& [path, quantity] : quantities_on_cells(config)) {
    const auto* data = std::get_if<FileDataset>(&quantity);
    if (path == key && data != nullptr)
      return key + " (" + data->dataset + " of " + data->file.string() + ")";
  }
  return key;
}

/// The keys whose data sets have other checksums than the checkpoint records.
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

void compare(const Config& config, const std::vector<io::InputChecksum>& read,
             RestartState& restart, const io::Log& log) {
  const std::string beginning = "inputs         not compared with those of the run before (";
  if (read.empty()) return;
  if (!restart.info.knows_inputs)
    return log.line(beginning + "its checkpoint, of an older format, has no checksums of them)");
  if (restart.info.grid.cells != make_grid(config).cells)
    return log.line(beginning + "they are of another grid)");
  const auto changed = differing(config, read, restart.info);
  if (changed.empty()) return;
  if (!restart.changes_allowed) {
    throw comm::CollectiveError(
        comm::ExitCode::usage,
        {restart.checkpoint->string() + " does not fit the input files",
         "changed since it was written: " + changed,
         "put the old values back, or go on with the new ones by --allow-changes"});
  }
  restart.repeats = false;
  log.line("inputs         changed since the checkpoint was written: " + changed);
}

}  // namespace

void require_fields(const std::filesystem::path& file, const io::CheckpointInfo& info,
                    const std::vector<comm::Quantity>& quantities) {
  if (info.fields == quantities) return;
  const auto names = [](const std::vector<comm::Quantity>& fields) {
    std::vector<std::string> texts;
    for (const auto& field : fields)
      texts.push_back(fmt::format("{} [{}]", field.name, field.unit));
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  throw comm::Error(
      comm::ExitCode::usage,
      {file.string() + " does not fit time.integrator",
       "it holds the fields " + names(info.fields) + ", and this run keeps " + names(quantities),
       "set the integrator that wrote it, or start without --restart"});
}

RestartChanges check_fit(const std::filesystem::path& file, const io::CheckpointInfo& info,
                         const Config& config, const RestartRequest& request) {
  require_fields(file, info, Integrator<double>::quantities());
  std::vector<std::string> grid;
  std::vector<std::string> physics;
  bool results = false;
  for (const auto& key : differing_keys(info.config, to_yaml(config))) {
    if (change_of(key) == Change::grid) grid.push_back(key);
    if (change_of(key) == Change::physics) physics.push_back(key);
    results = results || shows_in_results(key);
  }
  const auto refuse = [&](const std::vector<std::string>& keys, const std::string& why,
                          const std::string& remedy) {
    throw comm::Error(comm::ExitCode::usage,
                      {file.string() + " does not fit the configuration",
                       fmt::format("{}: {}", why, fmt::join(keys, ", ")), remedy});
  };
  if (!grid.empty() && !request.convert) {
    refuse(grid, "another grid",
           "set these keys as the checkpoint has them, convert its field by --convert, or start "
           "without --restart");
  }
  if (!grid.empty() && !convertible(info, config)) {
    refuse(grid, "another domain, or cells that are no whole multiples or fractions of its cells",
           "choose the same corners and whole multiples or fractions of the cells, of equal width");
  }
  if (!physics.empty() && !request.allow_changes) {
    refuse(physics, "changed since it was written",
           "change them back, or go on with the new values by --allow-changes");
  }
  return {.grid = !grid.empty(), .results = results};
}

void compare_inputs(const Config& config, RestartState& restart,
                    std::vector<io::InputChecksum>& inputs, const io::Log& log) {
  if (!restart.checkpoint) return;
  compare(config, inputs, restart, log);
  const auto* initial = find(restart.info.inputs, initial_key);
  const auto changed = differing_keys(restart.info.config, to_yaml(config));
  const bool same_initial =
      std::ranges::none_of(changed, [](const auto& key) { return key.starts_with("initial."); });
  if (initial != nullptr && same_initial) inputs.push_back(*initial);
}

}  // namespace halotherm::app
