// SPDX-License-Identifier: MIT
#include "comm/halo/halo_kernels.hpp"

#include <algorithm>

namespace halotherm::comm {

namespace {

template <class Real>
struct PackCells {
  GridView<const Real> field;
  Real* buffer[BoxList::capacity];
  PackCells(const GridView<const Real>& the_field, const Outgoing<Real>& messages)
      : field(the_field) {
    std::ranges::copy(messages.buffers, buffer);
  }
  KOKKOS_INLINE_FUNCTION Copy<Real> copy(int message, std::int64_t n, int i, int j, int k) const {
    return {&field(i, j, k), buffer[message] + n, {}};
  }
  KOKKOS_INLINE_FUNCTION void operator()(int message, std::int64_t n, int i, int j, int k) const {
    buffer[message][n] = field(i, j, k);
  }
};

template <class Real>
struct UnpackCells {
  GridView<Real> field;
  const Real* buffer[BoxList::capacity];
  UnpackCells(const GridView<Real>& the_field, const Incoming<Real>& messages) : field(the_field) {
    std::ranges::copy(messages.buffers, buffer);
  }
  KOKKOS_INLINE_FUNCTION Copy<Real> copy(int message, std::int64_t n, int i, int j, int k) const {
    return {buffer[message] + n, &field(i, j, k), {}};
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
void pack(const Space& space, const GridView<const Real>& field, const Outgoing<Real>& messages) {
  send_cells(space, "halo pack", messages.flags, messages.boxes, PackCells<Real>(field, messages));
}

template <class Real>
void unpack(const Space& space, const GridView<Real>& field, const Incoming<Real>& messages) {
  receive_cells(space, "halo unpack", messages.flags, messages.boxes,
                UnpackCells<Real>(field, messages));
}

template <class Real>
void exchange(const Space& space, const GridView<Real>& field, const Outgoing<Real>& sent,
              const Incoming<Real>& received) {
  launch_flagged(space, "halo exchange",
                 sending(sent.flags, sent.boxes, PackCells<Real>(field, sent)),
                 receiving(received.flags, received.boxes, UnpackCells<Real>(field, received)));
}

#define HALOTHERM_INSTANTIATE(Real)                                                     \
  template void pack(const Space&, const GridView<const Real>&, const Outgoing<Real>&); \
  template void unpack(const Space&, const GridView<Real>&, const Incoming<Real>&);     \
  template void exchange(const Space&, const GridView<Real>&, const Outgoing<Real>&,    \
                         const Incoming<Real>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::comm
