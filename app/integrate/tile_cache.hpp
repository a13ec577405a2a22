// SPDX-License-Identifier: MIT
// A cache on disk of the fastest tiles that earlier runs measured.
#pragma once

#include "comm/device/tile.hpp"
#include "comm/mpi/communicator.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace halotherm::app {

/// A small JSON file, halotherm/tiles.json in the user's cache folder (XDG_CACHE_HOME, or
/// ~/.cache). It only saves time: if it is missing, unreadable or from another version, tiles are
/// measured again, and if it cannot be written, the next run measures again.
class TileCache {
 public:
  /// Collective: rank 0 reads the file and broadcasts it.
  explicit TileCache(const comm::Communicator& world, std::filesystem::path file = default_file());

  std::optional<comm::Tile> find(const std::string& key) const;
  /// Collective: rank 0 adds the tiles that any rank measured to the file.
  void add(const comm::Communicator& world, const std::string& key,
           const std::optional<comm::Tile>& found);

  /// Empty where there is no home folder.
  static std::filesystem::path default_file();

 private:
  std::filesystem::path file_;
  std::map<std::string, comm::Tile> tiles_;
};

}  // namespace halotherm::app
