// SPDX-License-Identifier: MIT
#include "app/results/restart_state.hpp"

#include "app/domain/geometry.hpp"
#include "app/results/checkpoint_trial.hpp"
#include "app/results/inputs.hpp"
#include "app/results/output_directory.hpp"
#include "comm/mpi/error.hpp"
#include "io/field/checkpoint_reading.hpp"
#include "io/field/dataset.hpp"
#include "io/files/durable_file.hpp"
#include "solver/field/regrid.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace fs = std::filesystem;

namespace {

/// What a key of the configuration means to a restart.
enum class Change { harmless, physics, grid };

Change change_of(const std::string& key) {
  if (key.ends_with(".made_by")) return Change::harmless;
  const auto section = key.substr(0, key.find_first_of(".["));
  if (section == "grid") return Change::grid;
  for (const auto* harmless : {"title", "parallel", "output", "watchdog"}) {
    if (section == harmless) return Change::harmless;
  }
  if (key == "time.end" || key == "time.steps") return Change::harmless;
  return Change::physics;
}

/// Whether a run of another value of the key would not leave the same files behind, step by step.
bool shows_in_results(const std::string& key) {
  for (const auto* hidden :
       {"title", "parallel", "watchdog", "output.directory", "output.checkpoint", "output.writer",
        "output.hints", "output.on_failure"}) {
    if (key.starts_with(hidden)) return false;
  }
  return true;
}

std::string joined(const std::vector<std::string>& keys) {
  std::string text;
  for (const auto& key : keys) text += (text.empty() ? "" : ", ") + key;
  return text;
}

/// What differs, as far as it may.
struct Changes {
  bool grid = false;
  bool physics = false;
  bool results = false;
};

/// Whether a field of the checkpoint's grid can become one of the configuration's.
bool convertible(const io::CheckpointInfo& info, const Config& config) {
  const auto shape = shape_of(make_grid(config.grid));
  if (shape.dimensions != info.grid.dimensions ||
      !solver::Regrid::between(info.grid.cells, shape.cells))
    return false;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(shape.dimensions); ++axis) {
    const double old_extent = info.grid.spacing[axis] * info.grid.cells[axis],
                 extent = shape.spacing[axis] * shape.cells[axis];
    if (shape.lower[axis] != info.grid.lower[axis] ||
        std::abs(extent - old_extent) > 1e-12 * extent)
      return false;
  }
  return true;
}

Changes check_fit(const fs::path& file, const io::CheckpointInfo& info, const Config& config,
                  const RestartRequest& request) {
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
    throw comm::Error(comm::ExitCode::usage, file.string() + " does not fit the configuration (" +
                                                 why + ": " + joined(keys) + ") " + remedy);
  };
  if (!grid.empty() && !request.convert) {
    refuse(grid, "another grid",
           "set these keys as the checkpoint has them, take over its field by --convert, or start "
           "without --restart");
  }
  if (!grid.empty() && !convertible(info, config)) {
    refuse(grid, "another domain, or cells that are no whole multiples or fractions of its cells",
           "choose the same corners and such numbers of cells");
  }
  if (!physics.empty() && !request.allow_changes) {
    refuse(physics, "changed since it was written",
           "change them back, or go on with the new values by --allow-changes");
  }
  return {!grid.empty(), !physics.empty(), results};
}

void check_output_directory(const OutputDirectory& directory, bool may_hold_results) {
  io::make_folder(directory.path());
  if (may_hold_results || !directory.has_results()) return;
  throw comm::Error(comm::ExitCode::usage,
                    directory.path().string() +
                        " already holds a run's results (a fresh run, or one from a checkpoint of "
                        "elsewhere, would replace them) go "
                        "on with it by --restart latest, replace it by --overwrite, or choose "
                        "another output.directory");
}

/// Out of the way of every later restart, and kept for whoever wants to know what happened to it.
void leave_out(const comm::Communicator& world, const fs::path& file, const std::string& reason,
               const io::Log& log) {
  std::string place;
  try {
    if (world.is_root()) place = "now " + io::rename_damaged(file).string();
  } catch (const comm::Error& failure) {
    place = std::string("left where it is: ") + failure.what();
  }
  log.line("warning        " + reason + " [" + place + "]");
}

io::CheckpointInfo read_info(const comm::Communicator& world, const fs::path& file) {
  try_checkpoint(world, file);
  return io::read_checkpoint_info(world, file);
}

/// Makes the first file of `candidates` that says of itself that it is a checkpoint the start; the
/// others become older ones. Those before it are set aside. If none is good all stay, since it may
/// be the disk that cannot be read now.
bool take_first_good(const comm::Communicator& world, std::vector<fs::path> candidates,
                     RestartState& start, const io::Log& log) {
  std::vector<std::pair<fs::path, std::string>> bad;
  while (!candidates.empty()) {
    const auto file = candidates.front();
    candidates.erase(candidates.begin());
    try {
      start = {file, read_info(world, file), false, candidates};
      for (const auto& [damaged, reason] : bad) leave_out(world, damaged, reason, log);
      return true;
    } catch (const comm::CollectiveError& error) {
      if (error.code() != comm::ExitCode::input_output) throw;
      bad.emplace_back(file, error.what());
    }
  }
  for (const auto& [file, reason] : bad) log.line("warning        " + reason);
  return false;
}

RestartState find_checkpoint(const comm::Communicator& world, const Config& config,
                             const std::string& restart, const io::Log& log) {
  if (restart != "latest" && restart != "auto")
    return {restart, read_info(world, restart), false, {}};
  RestartState start;
  const auto folder = OutputDirectory(config.output.directory).checkpoints();
  const auto candidates = io::checkpoints_in(world, folder);
  if (take_first_good(world, candidates, start, log) || (restart == "auto" && candidates.empty()))
    return start;
  throw comm::CollectiveError(comm::ExitCode::input_output,
                              candidates.empty()
                                  ? "no checkpoint in " + folder.string() +
                                        " (nothing to restart from) start without --restart"
                                  : "no good checkpoint in " + folder.string() +
                                        " (none of those there can be read) check the disk, or "
                                        "start anew by --overwrite without --restart");
}

/// Refuses to replace results.
void check_fresh_directory(const comm::Communicator& world, const OutputDirectory& directory,
                           bool may_hold_results) {
  comm::agree(world, [&] {
    if (world.is_root()) check_output_directory(directory, may_hold_results);
  });
}

/// The output directory's own checkpoint, at which its results lead up to now.
void check_own(const OutputDirectory& directory, const RestartRequest& request,
               RestartState& start) {
  const auto refuse = [&](const std::string& text) {
    throw comm::Error(
        comm::ExitCode::usage,
        start.checkpoint->string() + " lies in this run's own output directory (" + text);
  };
  if (start.converted)
    refuse(
        "its grid differs, and two grids do not go into one folder) choose another "
        "output.directory");
  if (request.overwrite)
    refuse("a restart goes on with the results that stand there) leave out --overwrite");
  if (directory.has_checkpoint_after(start.step())) start.repeats = false;
}

void check_restart(const comm::Communicator& world, const Config& config,
                   const RestartRequest& request, RestartState& start) {
  const auto changes = comm::agreed(
      world, [&] { return check_fit(*start.checkpoint, start.info, config, request); });
  const OutputDirectory directory(config.output.directory);
  start.converted = changes.grid;
  start.changes_allowed = request.allow_changes;
  start.overwrite = request.overwrite;
  start.repeats = !changes.results;
  start.elsewhere = world.any(world.is_root() && !directory.holds(*start.checkpoint));
  if (start.elsewhere) {
    check_fresh_directory(world, directory, request.overwrite);
  } else {
    comm::agree(world, [&] {
      if (world.is_root()) check_own(directory, request, start);
    });
  }
}

/// Collective. This rank's block out of a checkpoint of another grid or precision.
template <class Real>
std::vector<Real> converted(const comm::Communicator& world, const Config& config,
                            const comm::Box& owned, const RestartState& start) {
  const auto grid = make_grid(config.grid);
  const auto regrid = *solver::Regrid::between(start.info.grid.cells, grid.cells);
  io::verify_checkpoint(world, *start.checkpoint, start.info);
  const auto old = io::read_dataset(world, *start.checkpoint, "/T", start.info.grid,
                                    regrid.source(owned), {0, 0, 0});
  std::vector<Real> values;
  for (const double value : regrid.values(owned, old)) values.push_back(static_cast<Real>(value));
  return values;
}

}  // namespace

RestartState choose_restart_state(const comm::Communicator& world, const Config& config,
                                  const RestartRequest& request, const io::Log& log) {
  const OutputDirectory directory(config.output.directory);
  RestartState start;
  if (request.from) start = find_checkpoint(world, config, *request.from, log);
  if (start.checkpoint) {
    check_restart(world, config, request, start);
    return start;
  }
  start.overwrite = request.overwrite;
  check_fresh_directory(world, directory, request.overwrite || request.from == "auto");
  return start;
}

template <class Real>
std::vector<Real> read_restart_field(const comm::Communicator& world, const Config& config,
                                     const RestartRequest& request, const comm::Box& owned,
                                     RestartState& start, const io::Log& log) {
  if (!start.checkpoint) return {};
  std::vector<Real> values(static_cast<std::size_t>(owned.size()));
  for (;;) {
    try {
      if (start.converted) {
        values = converted<Real>(world, config, owned, start);
      } else {
        io::read_checkpoint<Real>(world, *start.checkpoint, start.info, owned, values);
      }
      log.line("restart        from " + start.checkpoint->string() + ", step " +
               std::to_string(start.step()) +
               (start.converted ? ", converted to this grid and precision" : ""));
      return values;
    } catch (const comm::CollectiveError& error) {
      if (error.code() != comm::ExitCode::input_output ||
          request.from == start.checkpoint->string())
        throw;
      const auto damaged = *start.checkpoint;
      if (!take_first_good(world, start.older, start, log)) throw;
      leave_out(world, damaged, error.what(), log);
      check_restart(world, config, request, start);
    }
  }
}

std::string make_room(const Config& config, const RestartState& start) {
  const OutputDirectory directory(config.output.directory);
  directory.make(config.output.fields.every || config.output.fields.steps);
  if (start.goes_on() && !start.elsewhere)
    return start.repeats ? "" : directory.set_aside(start.step());
  if (!start.overwrite) return directory.set_aside(std::nullopt);
  directory.remove_results();
  return "";
}

#define HALOTHERM_INSTANTIATE(Real)                                                       \
  template std::vector<Real> read_restart_field(const comm::Communicator&, const Config&, \
                                                const RestartRequest&, const comm::Box&,  \
                                                RestartState&, const io::Log&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::app
