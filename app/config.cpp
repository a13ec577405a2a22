// SPDX-License-Identifier: MIT
#include "app/config.hpp"

#include "app/config_reader.hpp"
#include "comm/activity.hpp"
#include "comm/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace halotherm::app {

namespace {

constexpr std::size_t most_bytes = io::YamlLimits::bytes;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& text) {
  throw comm::Error(comm::ExitCode::usage, file.string() + ": " + text);
}

/// The file's text; never more than one byte above the limit, which the parser then refuses.
std::string read_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    refuse(file, "is a directory (a configuration is one YAML file) name the file in it");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text(most_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || (stream.fail() && !stream.eof())) {
    refuse(file, "cannot be read (" + std::string(std::strerror(errno)) + ") name a YAML file such as configs/quickstart.yaml");
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

}  // namespace

Config parse_config(const std::string& text, const std::string& name, const std::vector<std::string>& overrides) {
  io::YamlReader yaml(text, name);
  for (const auto& assignment : overrides) yaml.set(assignment);
  Config config = ConfigReader(yaml).read();
  check_combinations(config, yaml);
  yaml.finish();
  config.folder = std::filesystem::path(name).parent_path();
  return config;
}

std::string read_shared_file(const comm::Communicator& world, const std::filesystem::path& file) {
  std::string text, complaint;
  if (world.is_root()) {
    try {
      text = read_file(file);
    } catch (const comm::Error& error) {
      complaint = error.what();
    }
  }
  complaint = world.broadcast(complaint);
  if (!complaint.empty()) throw comm::CollectiveError(comm::ExitCode::usage, complaint);
  return world.broadcast(text);
}

Config load_config(const comm::Communicator& world, const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  const comm::Activity activity("reading '" + file.string() + "'");
  const auto text = read_shared_file(world, file);
  return comm::agreed(world, [&] { return parse_config(text, file.string(), overrides); });
}

}  // namespace halotherm::app
