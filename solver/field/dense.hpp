// SPDX-License-Identifier: MIT
// Parts of a field in buffers without ghosts and padding: what copies between device and host go
// through.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/for_each_cell.hpp"
#include "comm/device/grid_view.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::solver {

/// Between a field and a dense buffer of one of its slabs.
template <class Real>
struct Gather {
  comm::GridView<const Real> field;
  comm::GridView<Real> dense;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const {
    dense(i, j, k) = field(i, j, k);
  }
};

/// A dense view of `box`, for indices as in the field.
template <class Real>
comm::GridView<Real> dense_view(Real* data, const comm::Box& box) {
  const std::int64_t row = box.extent(0);
  const std::int64_t plane = row * box.extent(1);
  return {data, -(box.lower[0] + box.lower[1] * row + box.lower[2] * plane), row, plane};
}

/// A modest buffer.
inline constexpr std::int64_t slab_bytes = 64 << 20;

/// Calls `work(slab, position)` for slabs of whole planes that fit into `buffer_bytes`, of one
/// plane if none fits.
template <class Real, class Work>
void for_each_slab(const comm::Box& part, std::int64_t buffer_bytes, const Work& work) {
  if (part.empty()) return;
  const std::int64_t plane = std::int64_t{part.extent(0)} * part.extent(1);
  const int planes = static_cast<int>(std::clamp<std::int64_t>(
      buffer_bytes / (plane * std::int64_t{sizeof(Real)}), 1, part.extent(2)));
  for (int k = part.lower[2]; k < part.upper[2]; k += planes) {
    comm::Box slab = part;
    slab.lower[2] = k;
    slab.upper[2] = std::min(k + planes, part.upper[2]);
    work(slab, static_cast<std::size_t>(plane * (k - part.lower[2])));
  }
}

template <class Real>
using DeviceArray = Kokkos::View<Real*, comm::Memory>;
template <class Real>
using HostSpan = Kokkos::View<Real*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class Real>
using DeviceSpan = Kokkos::View<Real*, comm::Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The values in device memory. Blocking.
template <class Value>
DeviceArray<Value> on_device(const std::string& label, const std::vector<Value>& values) {
  const DeviceArray<Value> view(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                values.size());
  Kokkos::deep_copy(view, HostSpan<const Value>(values.data(), values.size()));
  return view;
}

template <class Real>
auto first(const DeviceArray<Real>& buffer, std::size_t count) {
  return Kokkos::subview(buffer, std::pair<std::size_t, std::size_t>(0, count));
}

}  // namespace halotherm::solver
