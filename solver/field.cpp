// SPDX-License-Identifier: MIT
#include "solver/field.hpp"

#include "comm/for_each_cell.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace halotherm::solver {

namespace {

/// Where the padded values of a block lie.
template <class Real>
struct Layout {
  static constexpr std::int64_t line = Field<Real>::cells_per_line;
  std::int64_t left;  ///< cells before the first owned one of a row, padding included
  std::int64_t row;
  std::int64_t plane;
  std::int64_t size;

  static std::int64_t rounded(std::int64_t cells) { return (cells + line - 1) / line * line; }

  Layout(const comm::Box& owned, const comm::Int3& ghosts)
      : left(rounded(ghosts[0])),
        row(rounded(left + owned.extent(0) + ghosts[0])),
        plane(row * (owned.extent(1) + 2 * ghosts[1])),
        size(plane * (owned.extent(2) + 2 * ghosts[2])) {}
};

template <class Real>
struct Fill {
  comm::GridView<Real> field;
  Real value;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const { field(i, j, k) = value; }
};

template <class Real>
struct FillPattern {
  comm::GridView<Real> field;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const {
    const std::uint32_t mixed = (static_cast<std::uint32_t>(i) * 73856093u) ^ (static_cast<std::uint32_t>(j) * 19349663u) ^
                                (static_cast<std::uint32_t>(k) * 83492791u);
    field(i, j, k) = Real(300) + Real(100) * static_cast<Real>(mixed % 1000) / Real(1000);
  }
};

/// Between a field and a dense buffer of one of its slabs.
template <class Real>
struct Gather {
  comm::GridView<const Real> field;
  comm::GridView<Real> dense;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const { dense(i, j, k) = field(i, j, k); }
};

/// A dense view of `box`, for indices as in the field.
template <class Real>
comm::GridView<Real> dense_view(Real* data, const comm::Box& box) {
  const std::int64_t row = box.extent(0);
  const std::int64_t plane = row * box.extent(1);
  return {data, -(box.lower[0] + box.lower[1] * row + box.lower[2] * plane), row, plane};
}

/// Calls `work(slab, position)` for slabs of whole planes, small enough for a modest buffer.
template <class Real, class Work>
void for_each_slab(const comm::Box& part, const Work& work) {
  if (part.empty()) return;
  constexpr std::int64_t buffer_bytes = 64 << 20;
  const std::int64_t plane = std::int64_t{part.extent(0)} * part.extent(1);
  const int planes =
      static_cast<int>(std::clamp<std::int64_t>(buffer_bytes / (plane * std::int64_t{sizeof(Real)}), 1, part.extent(2)));
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
auto first(const DeviceArray<Real>& buffer, std::size_t count) {
  return Kokkos::subview(buffer, std::pair<std::size_t, std::size_t>(0, count));
}

}  // namespace

template <class Real>
Field<Real>::Field(const std::string& label, const comm::Box& owned, const comm::Int3& ghosts) : owned_(owned), ghosts_(ghosts) {
  const Layout<Real> layout(owned, ghosts);
  // not initialised by the allocation but by the kernel below, whose threads touch first what they will work on
  values_ = DeviceArray<Real>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), static_cast<std::size_t>(layout.size));
  row_ = layout.row;
  plane_ = layout.plane;
  origin_ = layout.left - owned.lower[0] + row_ * (ghosts[1] - owned.lower[1]) + plane_ * (ghosts[2] - owned.lower[2]);
  const comm::Space space;
  comm::for_each_cell(space, "field poison", allocated(), Fill<Real>{view(), std::numeric_limits<Real>::quiet_NaN()});
  space.fence("field poisoned");
}

template <class Real>
std::int64_t Field<Real>::bytes_for(const comm::Box& owned, const comm::Int3& ghosts) {
  return Layout<Real>(owned, ghosts).size * static_cast<std::int64_t>(sizeof(Real));
}

template <class Real>
void fill_with_pattern(Field<Real>& field) {
  const comm::Space space;
  comm::for_each_cell(space, "field pattern", field.allocated(), FillPattern<Real>{field.view()});
  space.fence("field pattern");
}

template <class Real>
void copy_to_host(const Field<Real>& field, const comm::Box& part, std::span<Real> values) {
  assert(static_cast<std::int64_t>(values.size()) >= part.size());
  const comm::Space space;
  DeviceArray<Real> buffer;
  for_each_slab<Real>(part, [&](const comm::Box& slab, std::size_t position) {
    const auto count = static_cast<std::size_t>(slab.size());
    if (buffer.size() < count) buffer = DeviceArray<Real>(Kokkos::view_alloc("to host", Kokkos::WithoutInitializing), count);
    comm::for_each_cell(space, "to host", slab, Gather<Real>{field.view(), dense_view(buffer.data(), slab)});
    space.fence("to host");
    Kokkos::deep_copy(HostSpan<Real>(values.data() + position, count), first(buffer, count));
  });
}

template <class Real>
void copy_from_host(std::span<const Real> values, const comm::Box& part, Field<Real>& field) {
  assert(static_cast<std::int64_t>(values.size()) >= part.size());
  const comm::Space space;
  DeviceArray<Real> buffer;
  for_each_slab<Real>(part, [&](const comm::Box& slab, std::size_t position) {
    const auto count = static_cast<std::size_t>(slab.size());
    if (buffer.size() < count) buffer = DeviceArray<Real>(Kokkos::view_alloc("from host", Kokkos::WithoutInitializing), count);
    Kokkos::deep_copy(first(buffer, count), HostSpan<const Real>(values.data() + position, count));
    comm::for_each_cell(space, "from host", slab, Gather<Real>{dense_view<const Real>(buffer.data(), slab), field.view()});
    space.fence("from host");
  });
}

template class Field<float>;
template class Field<double>;
template void fill_with_pattern(Field<float>&);
template void fill_with_pattern(Field<double>&);
template void copy_to_host(const Field<float>&, const comm::Box&, std::span<float>);
template void copy_to_host(const Field<double>&, const comm::Box&, std::span<double>);
template void copy_from_host(std::span<const float>, const comm::Box&, Field<float>&);
template void copy_from_host(std::span<const double>, const comm::Box&, Field<double>&);

}  // namespace halotherm::solver
