// SPDX-License-Identifier: MIT
#include "app/config/config.hpp"

#include "app/config/checks.hpp"
#include "app/config/quantity_reader.hpp"
#include "app/config/reader.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"
#include "io/files/file_descriptor.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <system_error>

namespace halotherm::app {

namespace {

constexpr std::size_t most_bytes = io::YamlLimits::bytes;

/// Reads at most one byte more than the limit; the parser refuses the excess. Only regular files
/// are read, because a pipe or a device could block for ever.
std::string read_file(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& problem, const std::string& reason,
                          const std::string& remedy) {
    throw comm::Error(comm::ExitCode::usage, {file.string() + ": " + problem, reason, remedy});
  };
  const auto fail = [&](int reason) {
    refuse("cannot be read", std::generic_category().message(reason),
           "name a YAML file such as configs/quickstart.yaml");
  };
  const io::FileDescriptor descriptor(file, O_RDONLY | O_NONBLOCK);
  if (!descriptor.is_open()) fail(errno);
  if (const auto kind = descriptor.kind(); kind != "a regular file")
    refuse("is " + kind, "a configuration is one YAML file", "name a regular file");
  std::string text(std::min(static_cast<std::size_t>(descriptor.size()), most_bytes + 1), '\0');
  try {
    descriptor.read(std::as_writable_bytes(std::span(text)), 0);
  } catch (const comm::Error&) {
    fail(errno);
  }
  return text;
}

}  // namespace

bool RegionConfig::cuts_out() const {
  return material == void_material || std::ranges::any_of(materials, [](const auto& of_label) {
           return of_label.second == void_material;
         });
}

bool Config::has_void() const {
  return std::ranges::any_of(regions, &RegionConfig::cuts_out);
}

Config parse_config(const std::string& text, const std::string& name,
                    const std::vector<std::string>& overrides) {
  io::YamlReader yaml(text, name);
  for (const auto& assignment : overrides) yaml.set(assignment);
  Config config = read_config(yaml);
  check_combinations(config, yaml);
  yaml.finish();
  convert_to_kelvin(config);
  config.folder = std::filesystem::path(name).parent_path();
  return config;
}

Config load_config(const comm::Communicator& world, const std::filesystem::path& file,
                   const std::vector<std::string>& overrides) {
  const comm::Activity activity("reading '" + file.string() + "'");
  std::string text;
  std::optional<comm::CollectiveError> failure;
  if (world.is_root()) {
    try {
      text = read_file(file);
    } catch (const comm::Error& error) {
      failure.emplace(error.code(), error.text());
    }
  }
  comm::rethrow_of_root(world, failure);
  text = world.broadcast(text);
  return comm::agreed(world, [&] { return parse_config(text, file.string(), overrides); });
}

}  // namespace halotherm::app
