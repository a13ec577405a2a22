// SPDX-License-Identifier: MIT
#include "app/start.hpp"

#include "app/checkpoint_trial.hpp"
#include "app/problem.hpp"
#include "comm/error.hpp"
#include "io/dataset.hpp"
#include "solver/regrid.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace fs = std::filesystem;

fs::path checkpoint_folder(const Config& config) {
  return config.output.directory / "checkpoints";
}
fs::path field_folder(const Config& config) {
  return config.output.directory / "fields";
}

namespace {

/// What a key of the configuration means to a restart.
enum class Change { harmless, physics, grid };

Change change_of(const std::string& key) {
  const auto section = key.substr(0, key.find_first_of(".["));
  if (section == "grid") return Change::grid;
  for (const auto* harmless : {"title", "initial", "parallel", "output", "watchdog"}) {
    if (section == harmless) return Change::harmless;
  }
  if (key == "time.end" || key == "time.steps") return Change::harmless;
  return Change::physics;
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
};

/// Whether a field of the checkpoint's grid can become one of the configuration's.
bool convertible(const io::CheckpointInfo& info, const Config& config) {
  const auto shape = shape_of(make_grid(config.grid));
  if (shape.dimensions != info.grid.dimensions || !solver::Regrid::between(info.grid.cells, shape.cells)) return false;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(shape.dimensions); ++axis) {
    const double old_extent = info.grid.spacing[axis] * info.grid.cells[axis], extent = shape.spacing[axis] * shape.cells[axis];
    if (shape.lower[axis] != info.grid.lower[axis] || std::abs(extent - old_extent) > 1e-12 * extent) return false;
  }
  return true;
}

Changes check_fit(const fs::path& file, const io::CheckpointInfo& info, const Config& config, const Options& options) {
  std::vector<std::string> grid;
  std::vector<std::string> physics;
  for (const auto& key : differing_keys(info.config, to_yaml(config))) {
    if (change_of(key) == Change::grid) grid.push_back(key);
    if (change_of(key) == Change::physics) physics.push_back(key);
  }
  const auto refuse = [&](const std::vector<std::string>& keys, const std::string& why, const std::string& remedy) {
    throw comm::Error(comm::ExitCode::usage,
                      file.string() + " does not fit the configuration (" + why + ": " + joined(keys) + ") " + remedy);
  };
  if (!grid.empty() && !options.convert) {
    refuse(grid, "another grid",
           "set these keys as the checkpoint has them, take over its field by --convert, or start without --restart");
  }
  if (!grid.empty() && !convertible(info, config)) {
    refuse(grid, "another domain, or cells that are no whole multiples or fractions of its cells",
           "choose the same corners and such numbers of cells");
  }
  if (!physics.empty() && !options.allow_changes) {
    refuse(physics, "changed since it was written", "change them back, or go on with the new values by --allow-changes");
  }
  return {!grid.empty(), !physics.empty()};
}

/// A changed run must not leave checkpoints of the old one that look like its own future.
void check_no_later(const comm::Communicator& world, const Config& config, const Start& start) {
  const auto all = io::checkpoints_in(world, checkpoint_folder(config));
  if (all.empty() || io::read_checkpoint_info(world, all.front()).step <= start.step()) return;
  throw comm::CollectiveError(comm::ExitCode::usage,
                              all.front().string() +
                                  " is of a later step than the restart (it belongs to the run without the changes) choose "
                                  "another output.directory, or restart from the latest");
}

/// Files and folders that a run makes in its output directory.
std::vector<fs::path> results_in(const Config& config) {
  std::vector<fs::path> found;
  const auto& directory = config.output.directory;
  for (const auto* name : {"checkpoints", "fields", "diagnostics.csv", "report.json"}) {
    if (fs::exists(directory / name)) found.push_back(directory / name);
  }
  return found;
}

void check_output_directory(const Config& config, bool overwrite) {
  std::error_code failure;
  fs::create_directories(config.output.directory, failure);
  if (failure) {
    throw comm::Error(comm::ExitCode::input_output, "cannot make the output directory " + config.output.directory.string() + " (" +
                                                        failure.message() + ") choose another output.directory");
  }
  if (!overwrite && !results_in(config).empty()) {
    throw comm::Error(comm::ExitCode::usage,
                      config.output.directory.string() +
                          " already holds a run's results (a fresh run would replace them) go on with it by --restart "
                          "latest, replace it by --overwrite, or choose another output.directory");
  }
}

/// Moved out of the way of every later restart, and kept for whoever wants to know what happened to it.
void set_aside(const comm::Communicator& world, const fs::path& file, const std::string& reason, const io::Log& log) {
  std::string name = file.string() + ".damaged";
  if (world.is_root()) {
    std::error_code failure;
    fs::rename(file, name, failure);
    if (failure) name = "left where it is: " + failure.message();
  }
  log.line("warning        " + reason + " [now " + name + "]");
}

io::CheckpointInfo read_info(const comm::Communicator& world, const fs::path& file) {
  try_checkpoint(world, file);
  return io::read_checkpoint_info(world, file);
}

/// Makes the first file of `candidates` that says of itself that it is a checkpoint the start; the others become older ones. Those
/// before it are set aside. If none is good all stay, since it may be the disk that cannot be read now.
bool take_first_good(const comm::Communicator& world, std::vector<fs::path> candidates, Start& start, const io::Log& log) {
  std::vector<std::pair<fs::path, std::string>> bad;
  while (!candidates.empty()) {
    const auto file = candidates.front();
    candidates.erase(candidates.begin());
    try {
      start = {file, read_info(world, file), false, candidates};
      for (const auto& [damaged, reason] : bad) set_aside(world, damaged, reason, log);
      return true;
    } catch (const comm::CollectiveError& error) {
      if (error.code() != comm::ExitCode::input_output) throw;
      bad.emplace_back(file, error.what());
    }
  }
  for (const auto& [file, reason] : bad) log.line("warning        " + reason);
  return false;
}

Start find_checkpoint(const comm::Communicator& world, const Config& config, const std::string& restart, const io::Log& log) {
  if (restart != "latest" && restart != "auto") return {restart, read_info(world, restart), false, {}};
  Start start;
  const auto folder = checkpoint_folder(config);
  const auto candidates = io::checkpoints_in(world, folder);
  if (take_first_good(world, candidates, start, log) || (restart == "auto" && candidates.empty())) return start;
  throw comm::CollectiveError(
      comm::ExitCode::input_output,
      candidates.empty() ? "no checkpoint in " + folder.string() + " (nothing to restart from) start without --restart"
                         : "no good checkpoint in " + folder.string() +
                               " (none of those there can be read) check the disk, or start anew by --overwrite without --restart");
}

/// Refuses to replace results.
void check_fresh_directory(const comm::Communicator& world, const Config& config, bool overwrite) {
  comm::agree(world, [&] {
    if (world.is_root()) check_output_directory(config, overwrite);
  });
}

/// Overwriting the only checkpoint of the old grid would leave nothing to come back to.
void check_elsewhere(const comm::Communicator& world, const fs::path& file, const Config& config) {
  comm::agree(world, [&] {
    std::error_code none;
    if (!world.is_root() || !fs::equivalent(fs::absolute(file).parent_path(), checkpoint_folder(config), none)) return;
    throw comm::Error(comm::ExitCode::usage, file.string() +
                                                 " lies in this run's own output directory (its grid differs, and two "
                                                 "grids do not go into one folder) choose another output.directory");
  });
}

void check_start(const comm::Communicator& world, const Config& config, const Options& options, Start& start) {
  const auto changes = comm::agreed(world, [&] { return check_fit(*start.checkpoint, start.info, config, options); });
  start.converted = changes.grid;
  if (start.converted) {
    check_elsewhere(world, *start.checkpoint, config);
    check_fresh_directory(world, config, options.overwrite);
  } else if (changes.physics) {
    check_no_later(world, config, start);
  }
}

/// Collective. This rank's block out of a checkpoint of another grid or precision.
template <class Real>
std::vector<Real> converted(const comm::Communicator& world, const Config& config, const comm::Box& owned, const Start& start) {
  const auto grid = make_grid(config.grid);
  const auto regrid = *solver::Regrid::between(start.info.grid.cells, grid.cells);
  io::verify_checkpoint(world, *start.checkpoint, start.info);
  const auto old = io::read_dataset(world, *start.checkpoint, "/T", start.info.grid, regrid.source(owned), {0, 0, 0});
  std::vector<Real> values;
  for (const double value : regrid.values(owned, old)) values.push_back(static_cast<Real>(value));
  return values;
}

}  // namespace

Start choose_start(const comm::Communicator& world, const Config& config, const Options& options, const io::Log& log) {
  Start start;
  if (options.restart) start = find_checkpoint(world, config, *options.restart, log);
  if (start.checkpoint) {
    check_start(world, config, options, start);
    return start;
  }
  // without a checkpoint, what an automatic restart would replace is lost already
  check_fresh_directory(world, config, options.overwrite || options.restart == "auto");
  return start;
}

template <class Real>
std::vector<Real> read_start(const comm::Communicator& world, const Config& config, const Options& options, const comm::Box& owned,
                             Start& start, const io::Log& log) {
  if (!start.checkpoint) return {};
  std::vector<Real> values(static_cast<std::size_t>(owned.size()));
  for (;;) {
    try {
      if (start.converted) {
        values = converted<Real>(world, config, owned, start);
      } else {
        io::read_checkpoint<Real>(world, *start.checkpoint, start.info, owned, values);
      }
      log.line("restart        from " + start.checkpoint->string() + ", step " + std::to_string(start.step()) +
               (start.converted ? ", converted to this grid and precision" : ""));
      return values;
    } catch (const comm::CollectiveError& error) {
      if (error.code() != comm::ExitCode::input_output || options.restart == start.checkpoint->string()) throw;
      const auto damaged = *start.checkpoint;
      if (!take_first_good(world, start.older, start, log)) throw;
      set_aside(world, damaged, error.what(), log);
      check_start(world, config, options, start);
    }
  }
}

void remove_results(const Config& config) {
  for (const auto& path : results_in(config)) fs::remove_all(path);
}

template <class Real>
std::vector<Real> initial_temperature(const Config& config, const Block<Real>& block) {
  std::vector<Real> values(static_cast<std::size_t>(block.owned.size()));
  const auto sampled = block.sampler.cells("initial.temperature", config.initial_temperature, block.owned, Range::any);
  if (const auto* number = std::get_if<double>(&sampled)) {
    std::ranges::fill(values, static_cast<Real>(*number));
  } else {
    std::ranges::transform(std::get<std::vector<double>>(sampled), values.begin(),
                           [](double value) { return static_cast<Real>(value); });
  }
  return values;
}

#define HALOTHERM_INSTANTIATE(Real)                                                                                         \
  template std::vector<Real> read_start(const comm::Communicator&, const Config&, const Options&, const comm::Box&, Start&, \
                                        const io::Log&);                                                                    \
  template std::vector<Real> initial_temperature(const Config&, const Block<Real>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::app
