// SPDX-License-Identifier: MIT
#include "app/integrate/tile_cache.hpp"

#include "comm/system/version.hpp"
#include "io/files/durable_file.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace halotherm::app {

namespace {

using Json = nlohmann::json;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

Json to_json(const std::map<std::string, comm::Tile>& tiles) {
  Json json = Json::object();
  for (const auto& [key, t] : tiles) {
    json[key] = {
        {"rows", t.rows}, {"planes", t.planes}, {"slab", t.slab}, {"streaming", t.non_temporal}};
  }
  return json;
}

/// What cannot be understood is left out.
std::map<std::string, comm::Tile> tiles_of(const std::string& text) {
  std::map<std::string, comm::Tile> tiles;
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("version", "") != version || !json.contains("tiles"))
    return tiles;
  for (const auto& [key, entry] : json["tiles"].items()) {
    const comm::Tile tile{entry.value("rows", 0), entry.value("planes", 0), entry.value("slab", 0),
                          entry.value("streaming", false)};
    if (tile.rows > 0 && tile.planes > 0 && tile.slab > 0) tiles[key] = tile;
  }
  return tiles;
}

}  // namespace

std::filesystem::path TileCache::default_file() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache != nullptr && *cache != 0)
    return std::filesystem::path(cache) / "halotherm" / "tiles.json";
  if (home != nullptr && *home != 0)
    return std::filesystem::path(home) / ".cache" / "halotherm" / "tiles.json";
  return {};
}

TileCache::TileCache(const comm::Communicator& world, std::filesystem::path file)
    : file_(std::move(file)) {
  std::string text;
  if (world.is_root() && !file_.empty()) text = text_of(file_);
  try {
    tiles_ = tiles_of(world.broadcast(text));
  } catch (const Json::exception&) {
    tiles_.clear();  // right JSON of a wrong shape
  }
}

std::optional<comm::Tile> TileCache::find(const std::string& key) const {
  const auto found = tiles_.find(key);
  return found == tiles_.end() ? std::nullopt : std::optional(found->second);
}

void TileCache::add(const comm::Communicator& world, const std::string& key,
                    const std::optional<comm::Tile>& found) {
  std::map<std::string, comm::Tile> mine;
  if (found) mine[key] = *found;
  for (const auto& text : world.gather(to_json(mine).dump())) {
    for (const auto& [other_key, tile] :
         tiles_of(Json{{"version", version}, {"tiles", Json::parse(text)}}.dump())) {
      tiles_[other_key] = tile;
    }
  }
  if (!world.is_root() || file_.empty()) return;
  try {
    std::filesystem::create_directories(file_.parent_path());
    io::write_text_file(file_,
                        Json{{"version", version}, {"tiles", to_json(tiles_)}}.dump(1) + "\n");
  } catch (const std::exception&) {
    // a read-only home costs the next run a measurement, nothing else
  }
}

}  // namespace halotherm::app
