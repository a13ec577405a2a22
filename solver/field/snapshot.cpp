// SPDX-License-Identifier: MIT
#include "solver/field/snapshot.hpp"

#include "solver/field/dense.hpp"

#include <exception>

namespace halotherm::solver {

template <class Real>
Snapshot<Real>::Snapshot(const comm::Box& owned) : owned_(owned) {}

template <class Real>
void Snapshot<Real>::allocate() {
  const auto count = static_cast<std::size_t>(owned_.size());
  on_host_ = Kokkos::View<Real*, comm::PinnedMemory>(
      Kokkos::view_alloc("snapshot", Kokkos::WithoutInitializing), count);
  if (comm::kernels_run_on_host) return;
  try {
    on_device_ =
        DeviceArray<Real>(Kokkos::view_alloc("snapshot", Kokkos::WithoutInitializing), count);
  } catch (const std::exception&) {  // the device is full
    const std::int64_t plane = std::int64_t{owned_.extent(0)} * owned_.extent(1);
    const auto slab = std::max(plane, slab_bytes / static_cast<std::int64_t>(sizeof(Real)));
    on_device_ = DeviceArray<Real>(Kokkos::view_alloc("snapshot", Kokkos::WithoutInitializing),
                                   static_cast<std::size_t>(slab));
    at_once_ = false;
  }
}

template <class Real>
void Snapshot<Real>::take(const Field<Real>& field) {
  if (owned_.empty()) return;
  if (on_host_.size() == 0) allocate();
  const auto& space = stream_.space();
  if constexpr (comm::kernels_run_on_host) {
    comm::for_each_cell(space, "snapshot", owned_,
                        Gather<Real>{field.view(), dense_view(on_host_.data(), owned_)});
    space.fence("snapshot");
    return;
  }
  const auto buffer_bytes = static_cast<std::int64_t>(on_device_.size() * sizeof(Real));
  for_each_slab<Real>(owned_, buffer_bytes, [&](const comm::Box& slab, std::size_t position) {
    const auto count = static_cast<std::size_t>(slab.size());
    comm::for_each_cell(space, "snapshot", slab,
                        Gather<Real>{field.view(), dense_view(on_device_.data(), slab)});
    space.fence("snapshot set aside");
    Kokkos::deep_copy(space, Kokkos::subview(on_host_, std::pair(position, position + count)),
                      first(on_device_, count));
    if (!at_once_) space.fence("snapshot slab");
  });
}

template <class Real>
std::span<const Real> Snapshot<Real>::values() const {
  if (!comm::kernels_run_on_host) stream_.space().fence("snapshot on the host");
  return {on_host_.data(), on_host_.size()};
}

template class Snapshot<float>;
template class Snapshot<double>;

}  // namespace halotherm::solver
