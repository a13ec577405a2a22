// SPDX-License-Identifier: MIT
#include "comm/tile.hpp"

#include "comm/execution.hpp"
#include "comm/meters.hpp"

#include <algorithm>

namespace halotherm::comm {

namespace {

constexpr int warp = 32;

int pieces(int whole, int part) {
  return (whole + part - 1) / part;
}

/// The largest multiple of `step` from `origin` that is not above `index`.
int aligned_below(int index, int origin, int step) {
  const int distance = (index - origin) % step;
  return index - (distance < 0 ? distance + step : distance);
}

}  // namespace

Tile default_tile(std::int64_t bytes) {
  if constexpr (!kernels_run_on_host) return {};
  const bool in_memory = bytes > last_level_cache_bytes();
  return {.slab = 64, .streaming = in_memory};
}

std::vector<Tile> tile_candidates(const Box& box) {
  std::vector<Tile> tiles;
  if constexpr (kernels_run_on_host) {
    for (const bool streaming : {false, true}) {
      for (const int slab : {24, 48, 64, 96, 128, 1 << 20}) tiles.push_back({.slab = slab, .streaming = streaming});
    }
  } else {
    for (const int rows : {2, 4, 1}) {
      for (const int planes : {4, 8, 16}) {
        for (const int slab : {256, 512, 1 << 20}) tiles.push_back({.rows = rows, .planes = planes, .slab = slab});
      }
    }
  }
  // what would be cut alike is tried once
  const int rows = box.extent(1);
  const int planes = box.extent(2);
  for (auto& tile : tiles) {
    if (tile.slab >= rows) tile.slab = rows;
    if (planes == 1) tile.planes = 1;
  }
  std::vector<Tile> different;
  for (const auto& tile : tiles) {
    if (std::ranges::find(different, tile) == different.end()) different.push_back(tile);
  }
  return different;
}

std::string to_string(const Tile& tile) {
  if constexpr (kernels_run_on_host) {
    return "blocks of " + std::to_string(tile.slab) + " rows" + (tile.streaming ? ", streaming stores" : "");
  }
  return std::to_string(tile.rows) + (tile.rows == 1 ? " row" : " rows") + " x " + std::to_string(tile.planes) +
         (tile.planes == 1 ? " plane" : " planes") + " a thread, slabs of " + std::to_string(tile.slab) + " rows";
}

TileCut::TileCut(const Box& box, const Tile& tile, int width, int aligned)
    : box_(box), first_(aligned_below(box.lower[0], aligned, width)), width_(width), rows_(tile.rows), planes_(tile.planes) {
  const int packs = pieces(box.upper[0] - first_, width);
  lanes_ = 1;
  while (lanes_ < std::min(packs, warp)) lanes_ *= 2;  // narrow boxes: several rows share a warp
  columns_ = pieces(packs, lanes_);
  const int band = threads / lanes_ * rows_;
  bands_ = pieces(box.extent(1), band);
  slab_bands_ = std::clamp(tile.slab / band, 1, bands_);
  layers_ = pieces(box.extent(2), planes_);
}

}  // namespace halotherm::comm
