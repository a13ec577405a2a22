// SPDX-License-Identifier: MIT
#include "io/distribution/scatter.hpp"

#include "io/distribution/file_order.hpp"

#include <algorithm>

namespace halotherm::io {

namespace {

/// A run of a block's cells along one axis, and what is to be added to their index to have that in
/// the data set.
struct Run {
  int begin = 0, end = 0;
  int shift = 0;
};

std::vector<Run> runs(const comm::Box& block, int axis, int cells, bool periodic) {
  std::vector<Run> parts;
  const int lower = periodic ? block.lower[axis] : std::max(block.lower[axis], 0);
  const int upper = periodic ? block.upper[axis] : std::min(block.upper[axis], cells);
  for (int begin = lower; begin < upper;) {
    const int place = ((begin % cells) + cells) % cells;
    const int end = std::min(upper, begin + cells - place);
    parts.push_back({begin, end, place - begin});
    begin = end;
  }
  return parts;
}

/// Copies some cells from one box's values to another's; both contain them.
template <class Real>
void copy_cells(const comm::Box& cells, const Real* from, const comm::Box& from_box, Real* to,
                const comm::Box& to_box) {
  const int i = cells.lower[0];
  for (int k = cells.lower[2]; k < cells.upper[2]; ++k) {
    for (int j = cells.lower[1]; j < cells.upper[1]; ++j) {
      std::copy_n(from + offset_in(from_box, i, j, k), cells.extent(0),
                  to + offset_in(to_box, i, j, k));
    }
  }
}

/// The slowest axis along which there is something to cut.
int slowest_axis(const comm::Int3& extent) {
  return extent[2] > 1 ? 2 : extent[1] > 1 ? 1 : 0;
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
      rounds_(static_cast<std::size_t>(bricks_.rounds())) {
  for (std::size_t n = 0; n < blocks.size() && bricks_.reads(rank); ++n) {
    const auto parts = parts_of(blocks[n], periodic);
    const auto other = static_cast<int>(n);
    for (int round = 0; round < rounds(); ++round) {
      auto& [own, outgoing, incoming] = rounds_[static_cast<std::size_t>(round)];
      add_share(other, bricks_.of(rank, round), parts, other == rank ? own : outgoing);
    }
  }
  const auto parts = parts_of(block_, periodic);
  for (const int reader : bricks_.readers()) {
    for (int round = 0; round < rounds() && reader != rank; ++round) {
      add_share(reader, bricks_.of(reader, round), parts,
                rounds_[static_cast<std::size_t>(round)].incoming);
    }
  }
}

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
        parts.push_back(
            {comm::shifted({{x.begin, y.begin, z.begin}, {x.end, y.end, z.end}}, shift), shift});
      }
    }
  }
  return parts;
}

template <class Real>
void Scatter<Real>::add_share(int rank, const comm::Box& brick, const std::vector<Part>& parts,
                              std::vector<Share>& shares) {
  Share share{rank, {}, 0};
  for (const auto& [stored, shift] : parts) {
    const auto common = comm::intersection(stored, brick);
    if (common.empty()) continue;
    share.parts.push_back({common, shift});
    share.values += common.size();
  }
  if (share.values > 0) shares.push_back(std::move(share));
}

/// Disjoint boxes within the brick that hold all cells that are wanted, ascending along the slowest
/// axis.
template <class Real>
std::vector<comm::Box> Scatter<Real>::boxes_to_read(int round) const {
  const auto brick = bricks_.of(rank_, round);
  if (everything_) return brick.empty() ? std::vector<comm::Box>{} : std::vector{brick};
  const int axis = slowest_axis(bricks_.extent());
  std::vector<comm::Box> wanted, boxes;
  for (const auto* shares : {&round_at(round).own, &round_at(round).outgoing}) {
    for (const auto& share : *shares) {
      for (const auto& part : share.parts) {
        wanted.push_back(to_whole_grains(part.stored, grain_, brick));
      }
    }
  }
  std::ranges::sort(wanted, {}, [axis](const comm::Box& box) { return box.lower[axis]; });
  for (const auto& box : wanted) {
    if (boxes.empty() || box.lower[axis] > boxes.back().upper[axis]) {
      boxes.push_back(box);
    } else {
      boxes.back() = around(boxes.back(), box);
    }
  }
  return boxes;
}

template <class Real>
std::int64_t Scatter<Real>::values_of(const std::vector<Share>& shares) {
  std::int64_t values = 0;
  for (const auto& share : shares) values += share.values;
  return values;
}

template <class Real>
std::int64_t Scatter<Real>::buffered_values() const {
  std::int64_t most = 0;
  for (int round = 0; round < rounds(); ++round) {
    most = std::max(most, bricks_.of(rank_, round).size() + values_of(round_at(round).outgoing) +
                              values_of(round_at(round).incoming));
  }
  return most;
}

template <class Real>
void Scatter<Real>::prepare(bool everything, const comm::Int3& grain) {
  everything_ = everything;
  grain_ = grain;
  std::int64_t read = 0, outgoing = 0, incoming = 0;
  for (int round = 0; round < rounds(); ++round) {
    std::int64_t values = 0;
    for (const auto& box : boxes_to_read(round)) values += box.size();
    read = std::max(read, values);
    outgoing = std::max(outgoing, values_of(round_at(round).outgoing));
    incoming = std::max(incoming, values_of(round_at(round).incoming));
  }
  brick_.resize(static_cast<std::size_t>(read));
  sent_.resize(static_cast<std::size_t>(outgoing));
  received_.resize(static_cast<std::size_t>(incoming));
}

template <class Real>
auto Scatter<Real>::slabs(int round) -> const std::vector<Slab>& {
  slabs_.clear();
  std::span<Real> room(brick_);
  for (const auto& box : boxes_to_read(round)) {
    const auto values = static_cast<std::size_t>(box.size());
    slabs_.push_back({box, room.first(values)});
    room = room.subspan(values);
  }
  return slabs_;
}

template <class Real>
auto Scatter<Real>::slab_with(const comm::Box& cells) const -> const Slab& {
  return *std::ranges::find_if(
      slabs_, [&](const Slab& slab) { return comm::intersection(slab.box, cells) == cells; });
}

template <class Real>
void Scatter<Real>::send(int round, comm::PendingMessages& messages) {
  std::span<Real> room(received_);
  for (const auto& share : round_at(round).incoming) {
    messages.receive(share.rank,
                     std::as_writable_bytes(room.first(static_cast<std::size_t>(share.values))));
    room = room.subspan(static_cast<std::size_t>(share.values));
  }
  room = sent_;
  for (const auto& share : round_at(round).outgoing) {
    auto* to = room.data();
    for (const auto& [stored, shift] : share.parts) {
      const auto& slab = slab_with(stored);
      copy_cells(stored, slab.values.data(), slab.box, to, stored);
      to += stored.size();
    }
    messages.send(share.rank, std::as_bytes(room.first(static_cast<std::size_t>(share.values))));
    room = room.subspan(static_cast<std::size_t>(share.values));
  }
}

template <class Real>
void Scatter<Real>::unpack(int round, std::span<Real> block) {
  for (const auto& share : round_at(round).own) {
    for (const auto& [stored, shift] : share.parts) {
      const auto& slab = slab_with(stored);
      copy_cells(stored, slab.values.data(), slab.box, block.data(), comm::shifted(block_, shift));
    }
  }
  const Real* from = received_.data();
  for (const auto& share : round_at(round).incoming) {
    for (const auto& [stored, shift] : share.parts) {
      copy_cells(stored, from, stored, block.data(), comm::shifted(block_, shift));
      from += stored.size();
    }
  }
}

template class Scatter<float>;
template class Scatter<double>;

}  // namespace halotherm::io
