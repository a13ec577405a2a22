// SPDX-License-Identifier: MIT
#include "io/distribution/scatter.hpp"

#include <algorithm>

namespace halotherm::io {

namespace {

/// Indices of a block along one axis, and what to add to them to get those of the data set.
struct Run {
  int begin = 0, end = 0;
  int shift = 0;
};

std::vector<Run> runs(const comm::Box& block, int axis, int cells, bool periodic) {
  std::vector<Run> found;
  const int lower = periodic ? block.lower[axis] : std::max(block.lower[axis], 0);
  const int upper = periodic ? block.upper[axis] : std::min(block.upper[axis], cells);
  for (int begin = lower; begin < upper;) {
    const int place = ((begin % cells) + cells) % cells;
    const int end = std::min(upper, begin + cells - place);
    found.push_back({begin, end, place - begin});
    begin = end;
  }
  return found;
}

comm::Box around(const comm::Box& a, const comm::Box& b) {
  comm::Box both;
  for (int axis = 0; axis < 3; ++axis) {
    both.lower[axis] = std::min(a.lower[axis], b.lower[axis]);
    both.upper[axis] = std::max(a.upper[axis], b.upper[axis]);
  }
  return both;
}

comm::Box to_whole_grains(comm::Box box, const comm::Int3& grain, const comm::Box& within) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto upper =
        (std::int64_t{box.upper[axis]} + grain[axis] - 1) / grain[axis] * grain[axis];
    box.lower[axis] = box.lower[axis] / grain[axis] * grain[axis];
    box.upper[axis] = static_cast<int>(std::min<std::int64_t>(upper, within.upper[axis]));
  }
  return comm::intersection(box, within);
}

}  // namespace

template <class Real>
Scatter<Real>::Scatter(Bricks bricks, const std::vector<comm::Box>& blocks, int rank,
                       const comm::Int3& periodic)
    : bricks_(std::move(bricks)),
      rank_(rank),
      block_(blocks[static_cast<std::size_t>(rank)]),
      exchange_(bricks_.rounds()) {
  for (int other = 0; other < static_cast<int>(blocks.size()) && bricks_.reads(rank); ++other) {
    const auto parts = parts_of(blocks[static_cast<std::size_t>(other)], periodic);
    for (int round = 0; round < rounds(); ++round) {
      auto& list = other == rank ? exchange_.in(round).own : exchange_.in(round).outgoing;
      exchange_.add(other, bricks_.of(rank, round), parts, list);
    }
  }
  const auto parts = parts_of(block_, periodic);
  for (const int reader : bricks_.readers()) {
    for (int round = 0; round < rounds() && reader != rank; ++round)
      exchange_.add(reader, bricks_.of(reader, round), parts, exchange_.in(round).incoming);
  }
}

/// The cells of the data set that a block needs.
template <class Real>
auto Scatter<Real>::parts_of(const comm::Box& block, const comm::Int3& periodic) const
    -> std::vector<Part> {
  const auto& cells = bricks_.extent();
  std::vector<Part> parts;
  if (block.empty()) return parts;
  for (const auto& z : runs(block, 2, cells[2], periodic[2] != 0)) {
    for (const auto& y : runs(block, 1, cells[1], periodic[1] != 0)) {
      for (const auto& x : runs(block, 0, cells[0], periodic[0] != 0)) {
        const comm::Int3 shift{x.shift, y.shift, z.shift};
        const comm::Box box{{x.begin, y.begin, z.begin}, {x.end, y.end, z.end}};
        parts.push_back({comm::shifted(box, shift), shift});
      }
    }
  }
  return parts;
}

/// Disjoint boxes within the brick that hold all cells needed of it, ascending along its slowest
/// axis.
template <class Real>
std::vector<comm::Box> Scatter<Real>::boxes_to_read(int round) const {
  const auto brick = bricks_.of(rank_, round);
  if (brick.empty()) return {};
  if (everything_) return {brick};
  const auto& extent = bricks_.extent();
  const int slowest = extent[2] > 1 ? 2 : extent[1] > 1 ? 1 : 0;
  std::vector<comm::Box> needed, boxes;
  for (const auto* list : {&exchange_.in(round).own, &exchange_.in(round).outgoing}) {
    for (const auto& transfer : *list) {
      for (const auto& part : transfer.parts)
        needed.push_back(to_whole_grains(part.cells, grain_, brick));
    }
  }
  std::ranges::sort(needed, {}, [slowest](const comm::Box& box) { return box.lower[slowest]; });
  for (const auto& box : needed) {
    if (boxes.empty() || box.lower[slowest] > boxes.back().upper[slowest]) {
      boxes.push_back(box);
    } else {
      boxes.back() = around(boxes.back(), box);
    }
  }
  return boxes;
}

template <class Real>
std::int64_t Scatter<Real>::buffered_values() const {
  std::int64_t most = 0;
  for (int round = 0; round < rounds(); ++round)
    most = std::max(most, bricks_.of(rank_, round).size() + exchange_.buffered_values(round));
  return most;
}

template <class Real>
void Scatter<Real>::prepare(bool everything, const comm::Int3& grain) {
  everything_ = everything;
  grain_ = grain;
  std::int64_t most = 0;
  for (int round = 0; round < rounds(); ++round) {
    std::int64_t values = 0;
    for (const auto& box : boxes_to_read(round)) values += box.size();
    most = std::max(most, values);
  }
  brick_.resize(static_cast<std::size_t>(most));
  exchange_.prepare();
}

template <class Real>
auto Scatter<Real>::boxes(int round) -> const std::vector<BoxValues<Real>>& {
  boxes_.clear();
  std::span<Real> room(brick_);
  for (const auto& box : boxes_to_read(round)) {
    const auto values = static_cast<std::size_t>(box.size());
    boxes_.push_back({box, room.first(values)});
    room = room.subspan(values);
  }
  return boxes_;
}

template <class Real>
BoxValues<const Real> Scatter<Real>::values_around(const comm::Box& cells) const {
  const auto& [box, values, skip] = *std::ranges::find_if(
      boxes_, [&](const auto& one) { return comm::intersection(one.box, cells) == cells; });
  return {box, values};
}

template <class Real>
void Scatter<Real>::send(int round, comm::PendingMessages& messages) {
  exchange_.pack(round, [&](const comm::Box& cells) { return values_around(cells); });
  exchange_.send(round, messages);
}

template <class Real>
void Scatter<Real>::unpack(int round, std::span<Real> block) {
  exchange_.unpack(
      round, [&](const comm::Box& cells) { return values_around(cells); },
      [&](const comm::Int3& shift) {
        return BoxValues<Real>{comm::shifted(block_, shift), block};
      });
}

template class Scatter<float>;
template class Scatter<double>;

}  // namespace halotherm::io
