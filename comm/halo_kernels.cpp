// SPDX-License-Identifier: MIT
#include "comm/halo_kernels.hpp"

#include <algorithm>

namespace halotherm::comm {

namespace {

template <class Real>
struct PackCells {
  GridView<const Real> field;
  Real* buffer[BoxList::capacity];
  PackCells(const GridView<const Real>& the_field, const Messages<Real>& messages) : field(the_field) {
    std::ranges::copy(messages.buffers, buffer);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int message, std::int64_t n, int i, int j, int k) const {
    buffer[message][n] = field(i, j, k);
  }
};

template <class Real>
struct UnpackCells {
  GridView<Real> field;
  const Real* buffer[BoxList::capacity];
  UnpackCells(const GridView<Real>& the_field, const Messages<const Real>& messages) : field(the_field) {
    std::ranges::copy(messages.buffers, buffer);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int message, std::int64_t n, int i, int j, int k) const {
    field(i, j, k) = buffer[message][n];
  }
};

}  // namespace

BoxList boxes_of(const std::vector<HaloMessage>& messages, Box HaloMessage::*which) {
  std::vector<Box> boxes;
  for (const auto& message : messages) boxes.push_back(message.*which);
  return BoxList(boxes);
}

template <class Real>
void pack(const Space& space, const GridView<const Real>& field, const Messages<Real>& messages) {
  for_each_cell_of(space, "halo pack", messages.boxes, PackCells<Real>(field, messages), messages.gate);
}

template <class Real>
void unpack(const Space& space, const GridView<Real>& field, const Messages<const Real>& messages) {
  for_each_cell_of(space, "halo unpack", messages.boxes, UnpackCells<Real>(field, messages), messages.gate);
}

template <class Real>
void exchange(const Space& space, const GridView<Real>& field, const Messages<Real>& sent, const Messages<const Real>& received) {
  launch_gated(space, "halo exchange", cells_behind(sent.gate, sent.boxes, PackCells<Real>(field, sent)),
               cells_behind(received.gate, received.boxes, UnpackCells<Real>(field, received)));
}

#define HALOTHERM_INSTANTIATE(Real)                                                       \
  template void pack(const Space&, const GridView<const Real>&, const Messages<Real>&);   \
  template void unpack(const Space&, const GridView<Real>&, const Messages<const Real>&); \
  template void exchange(const Space&, const GridView<Real>&, const Messages<Real>&, const Messages<const Real>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::comm
