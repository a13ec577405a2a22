// SPDX-License-Identifier: MIT
#include "solver/field/field.hpp"

#include "comm/device/execution.hpp"
#include "comm/device/for_each_cell.hpp"
#include "solver/field/dense.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <type_traits>

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
    const std::uint32_t mixed = (static_cast<std::uint32_t>(i) * 73856093u) ^
                                (static_cast<std::uint32_t>(j) * 19349663u) ^
                                (static_cast<std::uint32_t>(k) * 83492791u);
    field(i, j, k) = Real(300) + Real(100) * static_cast<Real>(mixed % 1000) / Real(1000);
  }
};

template <class Real>
void make_room(DeviceArray<Real>& buffer, std::size_t count) {
  if (buffer.size() < count)
    buffer = DeviceArray<Real>(
        Kokkos::view_alloc("between host and device", Kokkos::WithoutInitializing), count);
}

}  // namespace

template <class Real>
Field<Real>::Field(const std::string& label, const comm::Box& owned, const comm::Int3& ghosts)
    : owned_(owned), ghosts_(ghosts) {
  const Layout<Real> layout(owned, ghosts);
  const auto size = static_cast<std::size_t>(layout.size);
  if constexpr (std::is_integral_v<Real>) {
    values_ = DeviceArray<Real>(label, size);  // padding is 0, so that it points into tables, too
  } else {
    // not initialised by the allocation but by the kernel below, whose threads touch first what
    // they will work on
    values_ = DeviceArray<Real>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), size);
  }
  if constexpr (comm::kernels_run_on_host)
    comm::prefer_large_pages(values_.data(), values_.size() * sizeof(Real));
  row_ = layout.row;
  plane_ = layout.plane;
  origin_ = layout.left - owned.lower[0] + row_ * (ghosts[1] - owned.lower[1]) +
            plane_ * (ghosts[2] - owned.lower[2]);
  const comm::Space space;
  comm::for_each_cell(space, "field poison", allocated(),
                      Fill<Real>{view(), std::numeric_limits<Real>::quiet_NaN()});
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
  if constexpr (comm::kernels_run_on_host) {
    comm::for_each_cell(space, "to host", part,
                        Gather<Real>{field.view(), dense_view(values.data(), part)});
    space.fence("to host");
    return;
  }
  DeviceArray<Real> buffer;
  for_each_slab<Real>(part, slab_bytes, [&](const comm::Box& slab, std::size_t position) {
    const auto count = static_cast<std::size_t>(slab.size());
    make_room(buffer, count);
    comm::for_each_cell(space, "to host", slab,
                        Gather<Real>{field.view(), dense_view(buffer.data(), slab)});
    space.fence("to host");
    Kokkos::deep_copy(HostSpan<Real>(values.data() + position, count), first(buffer, count));
  });
}

template <class Real>
void copy_from_host(std::span<const Real> values, const comm::Box& part, Field<Real>& field,
                    DeviceArray<Real>& buffer) {
  assert(static_cast<std::int64_t>(values.size()) >= part.size());
  const comm::Space space;
  if constexpr (comm::kernels_run_on_host) {
    comm::for_each_cell(space, "from host", part,
                        Gather<Real>{dense_view<const Real>(values.data(), part), field.view()});
    space.fence("from host");
    return;
  }
  for_each_slab<Real>(part, slab_bytes, [&](const comm::Box& slab, std::size_t position) {
    const auto count = static_cast<std::size_t>(slab.size());
    make_room(buffer, count);
    Kokkos::deep_copy(first(buffer, count), HostSpan<const Real>(values.data() + position, count));
    comm::for_each_cell(space, "from host", slab,
                        Gather<Real>{dense_view<const Real>(buffer.data(), slab), field.view()});
    space.fence("from host");
  });
}

template <class Real>
void copy_from_host(std::span<const Real> values, const comm::Box& part, Field<Real>& field) {
  DeviceArray<Real> buffer;
  copy_from_host(values, part, field, buffer);
}

template class Field<float>;
template class Field<double>;
template class Field<std::uint8_t>;
template void fill_with_pattern(Field<float>&);
template void fill_with_pattern(Field<double>&);
template void copy_to_host(const Field<float>&, const comm::Box&, std::span<float>);
template void copy_to_host(const Field<double>&, const comm::Box&, std::span<double>);
template void copy_from_host(std::span<const float>, const comm::Box&, Field<float>&);
template void copy_from_host(std::span<const double>, const comm::Box&, Field<double>&);
template void copy_from_host(std::span<const std::uint8_t>, const comm::Box&, Field<std::uint8_t>&);
template void copy_from_host(std::span<const float>, const comm::Box&, Field<float>&,
                             DeviceArray<float>&);
template void copy_from_host(std::span<const double>, const comm::Box&, Field<double>&,
                             DeviceArray<double>&);

}  // namespace halotherm::solver
