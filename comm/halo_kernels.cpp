// SPDX-License-Identifier: MIT
#include "comm/halo_kernels.hpp"

#include <algorithm>

namespace halotherm::comm {

namespace {

template <class Real>
struct PackCells {
  GridView<const Real> field;
  Real* buffer[BoxList::capacity];
  KOKKOS_INLINE_FUNCTION void operator()(int message, std::int64_t n, int i, int j, int k) const {
    buffer[message][n] = field(i, j, k);
  }
};

template <class Real>
struct UnpackCells {
  GridView<Real> field;
  const Real* buffer[BoxList::capacity];
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
void pack(const Space& space, const BoxList& boxes, const GridView<const Real>& field, Real* const (&buffers)[BoxList::capacity]) {
  PackCells<Real> body{field, {}};
  std::ranges::copy(buffers, body.buffer);
  for_each_cell_of(space, "halo pack", boxes, body);
}

template <class Real>
void unpack(const Space& space, const BoxList& boxes, const GridView<Real>& field,
            const Real* const (&buffers)[BoxList::capacity]) {
  UnpackCells<Real> body{field, {}};
  std::ranges::copy(buffers, body.buffer);
  for_each_cell_of(space, "halo unpack", boxes, body);
}

#define HALOTHERM_INSTANTIATE(Real)                                                                                 \
  template void pack(const Space&, const BoxList&, const GridView<const Real>&, Real* const(&)[BoxList::capacity]); \
  template void unpack(const Space&, const BoxList&, const GridView<Real>&, const Real* const(&)[BoxList::capacity]);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::comm
