// SPDX-License-Identifier: MIT
// Wavefronts on CPUs: strips of rows, one thread each, through whose planes the stages of a
// computation follow each other by a plane, so that what they exchange stays in the second-level
// cache.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/partition/box.hpp"
#include "solver/linear/sweep_value.hpp"

#include <cstddef>
#include <vector>

namespace halotherm::solver {

/// Floats, all 0 at first, in memory that a thread keeps for its next ones: new pages of the system
/// cost more than what strips compute.
class ThreadFloats {
 public:
  explicit ThreadFloats(std::size_t count);
  ~ThreadFloats();
  ThreadFloats(const ThreadFloats&) = delete;
  ThreadFloats& operator=(const ThreadFloats&) = delete;

  float* data() { return values_.data(); }

 private:
  std::vector<float> values_;
};

/// Rows of floats in a thread's memory, all 0 at first, by global indices.
class StripRows {
 public:
  /// `planes` planes, each of the rows and columns of a box and of one more on both sides.
  StripRows(const comm::Box& box, int planes)
      : first_(box.lower[0] - 1),
        first_row_(box.lower[1] - 1),
        row_(rounded(box.extent(0) + 2)),
        plane_(row_ * (box.extent(1) + 2)),
        values_(static_cast<std::size_t>(plane_ * planes)) {}

  /// The cell 0 of a row, which may lie before the row's first one.
  float* row(int plane, int j) {
    return values_.data() + (plane_ * plane + row_ * (j - first_row_) - first_);
  }

 private:
  static std::ptrdiff_t rounded(int cells) {
    constexpr std::ptrdiff_t line = 16;
    return (cells + line - 1) / line * line;
  }

  int first_, first_row_;
  std::ptrdiff_t row_, plane_;
  ThreadFloats values_;
};

/// Rows of a field around a row, by index along x.
struct StarRows {
  const float *here, *south, *north, *below, *above;

  SweepStar at(int i) const {
    return {here[i], here[i - 1], here[i + 1], south[i], north[i], below[i], above[i]};
  }
};

/// The planes that stages of a wavefront hand on, three of each stage. Cells that no stage has set,
/// such as those beyond a side of the domain, are 0.
class StagePlanes {
 public:
  /// Of the cells of a box, which does not reach beyond sides of the domain.
  StagePlanes(const comm::Box& whole, int stages)
      : whole_(whole), zeros_(3 * stages), rows_(whole, zeros_ + 1) {}

  /// The cell 0 of a row.
  float* row(int stage, int j, int k) { return rows_.row(plane_of(stage, k), j); }
  StarRows around(int stage, int j, int k) {
    return {row(stage, j, k), row(stage, j - 1, k), row(stage, j + 1, k), row(stage, j, k - 1),
            row(stage, j, k + 1)};
  }
  /// Planes that it has.
  static constexpr int planes(int stages) { return 3 * stages + 1; }

 private:
  int plane_of(int stage, int k) const {
    if (k < whole_.lower[2] || k >= whole_.upper[2]) return zeros_;
    return 3 * stage + (k - whole_.lower[2]) % 3;
  }

  comm::Box whole_;
  int zeros_;  ///< a plane beyond sides
  StripRows rows_;
};

/// A box in parts: strips of rows that fit in half of a second-level cache, and layers of planes
/// where there are fewer strips than threads.
class Strips {
 public:
  /// `bytes`: that a wavefront keeps of a row; `around`: rows on either side of a strip that it
  /// keeps too; `threads`: that share the parts.
  Strips(const comm::Box& box, std::int64_t bytes, int around, int threads);

  int count() const { return strips_ * layers_; }
  comm::Box part(int n) const;

 private:
  comm::Box box_;
  int strips_, layers_;
};

namespace detail {

template <class Body>
struct VisitStrip {
  Strips strips;
  Body body;
  void operator()(int n) const { body(strips.part(n)); }
};

}  // namespace detail

/// Calls `body(part)` for each part. On CPUs; asynchronous on `space`.
template <class Body>
void for_each_strip(const comm::Space& space, const char* label, const Strips& strips,
                    const Body& body) {
  using Policy =
      Kokkos::RangePolicy<comm::Space, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;
  Kokkos::parallel_for(label, Policy(space, 0, strips.count()),
                       detail::VisitStrip<Body>{strips, body});
}

}  // namespace halotherm::solver
