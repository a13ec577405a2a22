// SPDX-License-Identifier: MIT
#include "app/start.hpp"

#include "comm/error.hpp"

#include <algorithm>
#include <set>

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

/// Whether the physics has changed, if it may.
bool check_fit(const fs::path& file, const io::CheckpointInfo& info, const Config& config, bool allow_changes) {
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
  if (!grid.empty()) refuse(grid, "another grid", "set these keys as the checkpoint has them, or start without --restart");
  if (!physics.empty() && !allow_changes) {
    refuse(physics, "changed since it was written", "change them back, or go on with the new values by --allow-changes");
  }
  return !physics.empty();
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

/// Makes the first file of `candidates` that says of itself that it is a checkpoint the start; the others become older ones.
bool take_first_good(const comm::Communicator& world, std::vector<fs::path> candidates, Start& start, const io::Log& log) {
  while (!candidates.empty()) {
    const auto file = candidates.front();
    candidates.erase(candidates.begin());
    try {
      start = {file, io::read_checkpoint_info(world, file), candidates};
      return true;
    } catch (const comm::CollectiveError& error) {
      if (error.code() != comm::ExitCode::input_output) throw;
      set_aside(world, file, error.what(), log);
    }
  }
  return false;
}

Start find_checkpoint(const comm::Communicator& world, const Config& config, const std::string& restart, const io::Log& log) {
  if (restart != "latest" && restart != "auto") return {restart, io::read_checkpoint_info(world, restart), {}};
  Start start;
  const auto folder = checkpoint_folder(config);
  if (take_first_good(world, io::checkpoints_in(world, folder), start, log) || restart == "auto") return start;
  throw comm::CollectiveError(comm::ExitCode::input_output,
                              "no good checkpoint in " + folder.string() + " (nothing to restart from) start without --restart");
}

void check_start(const comm::Communicator& world, const Config& config, const Options& options, const Start& start) {
  const bool changed = comm::agreed(world, [&] { return check_fit(*start.checkpoint, start.info, config, options.allow_changes); });
  if (changed) check_no_later(world, config, start);
}

}  // namespace

Start choose_start(const comm::Communicator& world, const Config& config, const Options& options, const io::Log& log) {
  Start start;
  if (options.restart) start = find_checkpoint(world, config, *options.restart, log);
  if (start.checkpoint) {
    check_start(world, config, options, start);
    return start;
  }
  // without a good checkpoint, what an automatic restart would replace is lost already
  const bool overwrite = options.overwrite || options.restart == "auto";
  comm::agree(world, [&] {
    if (world.is_root()) check_output_directory(config, overwrite);
  });
  return start;
}

template <class Real>
std::vector<Real> read_start(const comm::Communicator& world, const Config& config, const Options& options, const comm::Box& owned,
                             Start& start, const io::Log& log) {
  if (!start.checkpoint) return {};
  std::vector<Real> values(static_cast<std::size_t>(owned.size()));
  for (;;) {
    try {
      io::read_checkpoint<Real>(world, *start.checkpoint, start.info, owned, values);
      log.line("restart        from " + start.checkpoint->string() + ", step " + std::to_string(start.step()));
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
