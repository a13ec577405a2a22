// SPDX-License-Identifier: MIT
#include "app/results/restart_state.hpp"

#include "app/domain/geometry.hpp"
#include "app/results/checkpoint_trial.hpp"
#include "app/results/compatibility.hpp"
#include "app/results/output_directory.hpp"
#include "comm/mpi/error.hpp"
#include "io/field/checkpoint_reading.hpp"
#include "io/field/dataset.hpp"
#include "io/files/durable_file.hpp"
#include "solver/field/regrid.hpp"

namespace halotherm::app {

namespace fs = std::filesystem;

namespace {

/// Renames a damaged checkpoint, so that no restart finds it, and logs the reason.
void set_damaged_aside(const comm::Communicator& world, const fs::path& file,
                       const std::string& reason, const io::Log& log) {
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

/// Takes the first file of `candidates` with valid metadata as the restart state; later candidates
/// become its older ones, and earlier ones are set aside as damaged. If none is valid, all stay
/// where they are, because the disk may be the cause.
bool take_first_good(const comm::Communicator& world, std::vector<fs::path> candidates,
                     RestartState& restart, const io::Log& log) {
  std::vector<std::pair<fs::path, std::string>> bad;
  while (!candidates.empty()) {
    const auto file = candidates.front();
    candidates.erase(candidates.begin());
    try {
      restart = {file, read_info(world, file), false, candidates};
      for (const auto& [damaged, reason] : bad) set_damaged_aside(world, damaged, reason, log);
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
                             const std::string& from, const io::Log& log) {
  if (from != "latest" && from != "auto") return {from, read_info(world, from), false, {}};
  RestartState restart;
  const auto folder = OutputDirectory(config.output.directory).checkpoints();
  const auto candidates = io::checkpoints_in(world, folder);
  if (take_first_good(world, candidates, restart, log) || (from == "auto" && candidates.empty()))
    return restart;
  const comm::ErrorText none{"no checkpoint in " + folder.string(), "nothing to restart from",
                             "start without --restart"};
  const comm::ErrorText none_good{"no good checkpoint in " + folder.string(), "none can be read",
                                  "check the disk, or start anew by --overwrite without --restart"};
  throw comm::CollectiveError(comm::ExitCode::input_output, candidates.empty() ? none : none_good);
}

/// Collective. Creates the directory; throws CollectiveError (usage) if it holds results and must
/// not.
void check_fresh_directory(const comm::Communicator& world, const OutputDirectory& directory,
                           bool may_hold_results) {
  comm::agree(world, [&] {
    if (!world.is_root()) return;
    io::make_folder(directory.path());
    if (may_hold_results || !directory.has_results()) return;
    throw comm::Error(comm::ExitCode::usage,
                      {directory.path().string() + " already holds a run's results",
                       "this run would replace them",
                       "continue that run by --restart latest, replace them by --overwrite, or "
                       "choose another output.directory"});
  });
}

/// Checks a restart from a checkpoint in the run's own output directory.
void check_own(const OutputDirectory& directory, const RestartRequest& request,
               RestartState& restart) {
  const auto refuse = [&](const std::string& reason, const std::string& remedy) {
    throw comm::Error(comm::ExitCode::usage,
                      {restart.checkpoint->string() + " lies in this run's own output directory",
                       reason, remedy});
  };
  if (restart.converted)
    refuse("its grid differs, and a folder holds one grid only", "choose another output.directory");
  if (request.overwrite)
    refuse("a restart continues the results in that directory", "leave out --overwrite");
  if (directory.has_checkpoint_after(restart.step())) restart.repeats = false;
}

void check_restart(const comm::Communicator& world, const Config& config,
                   const RestartRequest& request, RestartState& restart) {
  const auto changes = comm::agreed(
      world, [&] { return check_fit(*restart.checkpoint, restart.info, config, request); });
  const OutputDirectory directory(config.output.directory);
  restart.converted = changes.grid;
  restart.changes_allowed = request.allow_changes;
  restart.overwrite = request.overwrite;
  restart.repeats = !changes.results;
  restart.elsewhere = world.any(world.is_root() && !directory.holds(*restart.checkpoint));
  if (restart.elsewhere) {
    check_fresh_directory(world, directory, request.overwrite);
  } else {
    comm::agree(world, [&] {
      if (world.is_root()) check_own(directory, request, restart);
    });
  }
}

/// Collective. Reads this rank's block from a checkpoint with another grid or precision.
template <class Real>
std::vector<Real> converted(const comm::Communicator& world, const Config& config,
                            const comm::Box& owned, const RestartState& restart) {
  const auto grid = make_grid(config);
  const auto regrid = *solver::Regrid::between(restart.info.grid.cells, grid.cells);
  io::verify_checkpoint(world, *restart.checkpoint, restart.info);
  std::vector<Real> values;
  for (const auto& field : restart.info.fields) {
    const auto old = io::read_dataset(world, *restart.checkpoint, "/" + field.name,
                                      restart.info.grid, regrid.source(owned), {0, 0, 0});
    for (const double value : regrid.values(owned, old)) values.push_back(static_cast<Real>(value));
  }
  return values;
}

}  // namespace

std::optional<io::CheckpointInfo> info_of_restart(const comm::Communicator& world,
                                                  const Config& config,
                                                  const RestartRequest& request,
                                                  const io::Log& log) {
  if (!request.from) return std::nullopt;
  const auto restart = find_checkpoint(world, config, *request.from, log);
  if (!restart.checkpoint) return std::nullopt;
  return restart.info;
}

RestartState choose_restart_state(const comm::Communicator& world, const Config& config,
                                  const RestartRequest& request, const io::Log& log) {
  const OutputDirectory directory(config.output.directory);
  RestartState restart;
  if (request.from) restart = find_checkpoint(world, config, *request.from, log);
  if (restart.checkpoint) {
    check_restart(world, config, request, restart);
    return restart;
  }
  restart.overwrite = request.overwrite;
  check_fresh_directory(world, directory, request.overwrite || request.from == "auto");
  return restart;
}

template <class Real>
std::vector<Real> read_restart_field(const comm::Communicator& world, const Config& config,
                                     const RestartRequest& request, const comm::Box& owned,
                                     RestartState& restart, const io::Log& log) {
  if (!restart.checkpoint) return {};
  std::vector<Real> values;
  for (;;) {
    try {
      if (restart.converted) {
        values = converted<Real>(world, config, owned, restart);
      } else {
        values.resize(restart.info.fields.size() * static_cast<std::size_t>(owned.size()));
        io::read_checkpoint<Real>(world, *restart.checkpoint, restart.info, owned, values);
      }
      log.line("restart        from " + restart.checkpoint->string() + ", step " +
               std::to_string(restart.step()) +
               (restart.converted ? ", converted to this grid and precision" : ""));
      return values;
    } catch (const comm::CollectiveError& error) {
      if (error.code() != comm::ExitCode::input_output ||
          request.from == restart.checkpoint->string())
        throw;
      const auto damaged = *restart.checkpoint;
      if (!take_first_good(world, restart.older, restart, log)) throw;
      set_damaged_aside(world, damaged, error.what(), log);
      check_restart(world, config, request, restart);
    }
  }
}

std::string make_room(const Config& config, const RestartState& restart) {
  const OutputDirectory directory(config.output.directory);
  directory.make(config.output.fields.every || config.output.fields.steps);
  if (restart.goes_on() && !restart.elsewhere)
    return restart.repeats ? "" : directory.set_aside(restart.step());
  if (!restart.overwrite) return directory.set_aside(std::nullopt);
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
