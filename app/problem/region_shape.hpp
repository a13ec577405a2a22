// SPDX-License-Identifier: MIT
// The shape of a region: which positions are inside.
#pragma once

#include "app/config/config.hpp"

#include <array>
#include <limits>

namespace halotherm::app {

/// A box, cylinder, sphere or layer as ends along each axis and a radius across some of them. A
/// region without one of these contains every position.
class RegionShape {
 public:
  explicit RegionShape(const RegionConfig& region);

  /// Whether it has ends or a radius.
  bool limited() const { return limited_; }
  /// Whether it contains any position with this coordinate [m].
  bool reaches(int axis, double coordinate) const;
  /// Whether a position [m] is inside, if `reaches` is true along each axis.
  bool contains(double x, double y, double z) const;

 private:
  struct Along {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    double center = 0;
    bool radial = false;  ///< whether the distance to the centre counts
  };
  void set_radius(const std::vector<double>& center, double radius, int without);

  std::array<Along, 3> along_;
  double radius_ = 0;
  bool limited_ = false;
};

}  // namespace halotherm::app
