// SPDX-License-Identifier: MIT
#include "comm/device/tile.hpp"

#include "comm/device/execution.hpp"
#include "comm/device/lanes.hpp"

#include <algorithm>

namespace halotherm::comm {

namespace {

int parts_of(int whole, int part) {
  return (whole + part - 1) / part;
}

/// The largest multiple of `step` from `origin` that is not above `index`.
int aligned_below(int index, int origin, int step) {
  const int distance = (index - origin) % step;
  return index - (distance < 0 ? distance + step : distance);
}

}  // namespace

std::string to_string(const Tile& tile) {
  const auto planes = std::to_string(tile.planes) + (tile.planes == 1 ? " plane" : " planes");
  const auto slab = std::to_string(tile.slab) + " rows";
  if constexpr (kernels_run_on_host) {
    const auto stores = tile.non_temporal ? ", non-temporal stores" : "";
    return "blocks of " + slab + " x " + planes + stores;
  }
  return std::to_string(tile.rows) + (tile.rows == 1 ? " row x " : " rows x ") + planes +
         " per thread, slabs of " + slab;
}

TileGrid::TileGrid(const Box& box, const Tile& tile, int width, int aligned)
    : box_(box),
      first_(aligned_below(box.lower[0], aligned, width)),
      width_(static_cast<unsigned>(width)),
      rows_(static_cast<unsigned>(tile.rows)),
      planes_(static_cast<unsigned>(tile.planes)) {
  const int packs = parts_of(box.upper[0] - first_, width);
  // several rows share a warp in narrow boxes, several warps share a row in boxes of few rows
  const auto rows_beyond = [&] { return (threads >> lane_bits_) * tile.rows > box.extent(1); };
  while ((1 << lane_bits_) < std::min(packs, threads) &&
         ((1 << lane_bits_) < warp_size || rows_beyond()))
    ++lane_bits_;
  const int band = (threads >> lane_bits_) * tile.rows;
  columns_ = static_cast<unsigned>(parts_of(packs, 1 << lane_bits_));
  bands_ = static_cast<unsigned>(parts_of(box.extent(1), band));
  slab_bands_ = std::clamp(static_cast<unsigned>(tile.slab / band), 1u, bands_);
  layers_ = static_cast<unsigned>(parts_of(box.extent(2), tile.planes));
  teams_a_slab_ = columns_ * slab_bands_ * layers_;
}

}  // namespace halotherm::comm
