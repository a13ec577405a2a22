// SPDX-License-Identifier: MIT
// The division of a box among the threads of a wavefront.
#pragma once

#include "solver/waves/step_wave.hpp"

#include <algorithm>
#include <cstdint>

namespace halotherm::solver {

/// Parts along the axis of the wave, dealt out as the planes of a field's allocation, each in
/// strips of rows whose planes stay in caches.
template <class Update, class Real>
class WaveStrips {
 public:
  using Wave = StepWave<Update, Real>;

  WaveStrips(const Update& update, int steps, const comm::Box& box, int threads)
      : update_(update), steps_(steps), box_(box) {
    // thin parts would compute more around them than in them
    layers_ = std::clamp(box.extent(along) / (fewest_planes * steps), 1, threads);
    const int rows = along > 1 ? box.extent(1) : 1;
    columns_ = std::clamp(threads / layers_, 1, std::max(1, rows / (fewest_rows * steps)));
    const int rows_a_column = (rows + columns_ - 1) / columns_;
    strips_ = (rows_a_column + rows_that_fit() - 1) / rows_that_fit();
    const auto all = std::int64_t{sizeof(Real)} * 2 * box.size();
    non_temporal_ = all > comm::last_level_cache_bytes() / 2;
  }

  int pieces() const { return layers_ * columns_; }

  void sweep(int piece) const {
    const auto part = [&](int axis, int n, int of) {
      return box_.lower[axis] + static_cast<int>(std::int64_t{box_.extent(axis)} * n / of);
    };
    auto strip = box_;
    const int layer = piece / columns_, column = piece % columns_;
    strip.lower[along] = part(along, layer, layers_);
    strip.upper[along] = part(along, layer + 1, layers_);
    const auto largest = needed_cells(tallest(strip), update_.sides, Update::dimensions, steps_);
    PlaneRings<Real> rings(largest, Update::dimensions, steps_ - 1);
    typename Wave::Faces faces(update_.medium, largest, steps_);
    const int all = columns_ * strips_;
    for (int n = column * strips_; n < (column + 1) * strips_; ++n) {
      if constexpr (along > 1) {
        strip.lower[1] = part(1, n, all);
        strip.upper[1] = part(1, n + 1, all);
      }
      if (!strip.empty()) Wave(update_, steps_, strip, rings, faces, non_temporal_).run();
    }
    if (non_temporal_) non_temporal_stores_end();
  }

 private:
  static constexpr int along = Wave::along;
  /// Parts and strips have at least so many planes and rows for each step.
  static constexpr int fewest_planes = 4, fewest_rows = 4;
  /// Of a thread's rings and the planes that it loads and stores [bytes].
  static constexpr std::int64_t most_bytes = 3 << 20;

  /// The rows of a strip whose planes fit in caches.
  int rows_that_fit() const {
    constexpr int some = 64;
    auto sample = box_;
    if constexpr (along > 1) sample.upper[1] = sample.lower[1] + some;
    const auto bytes = PlaneRings<Real>::bytes_of(sample, Update::dimensions) * steps_ +
                       Wave::Faces::bytes_of(sample, steps_);
    return std::max(fewest_rows * steps_, static_cast<int>(some * most_bytes / bytes));
  }
  /// A box with as many rows as any strip has.
  comm::Box tallest(comm::Box strip) const {
    if constexpr (along > 1) {
      const int all = columns_ * strips_;
      strip.upper[1] = strip.lower[1] + (box_.extent(1) + all - 1) / all + 2 * steps_;
    }
    return strip;
  }

  Update update_;
  int steps_;
  comm::Box box_;
  int layers_;   ///< along the axis of the wave
  int columns_;  ///< along y
  int strips_;   ///< of a column
  bool non_temporal_;
};

}  // namespace halotherm::solver
