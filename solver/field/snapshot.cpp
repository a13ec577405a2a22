// SPDX-License-Identifier: MIT
#include "solver/field/snapshot.hpp"

#include "solver/field/dense.hpp"

#include <exception>

namespace halotherm::solver {

template <class Real>
Snapshot<Real>::Snapshot(const comm::Box& owned, std::size_t fields)
    : owned_(owned), fields_(fields) {}

template <class Real>
void Snapshot<Real>::allocate() {
  const auto count = fields_ * static_cast<std::size_t>(owned_.size());
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
void Snapshot<Real>::take(const State<Real>& state) {
  if (owned_.empty()) return;
  if (on_host_.size() == 0) allocate();
  const auto& space = stream_.space();
  const auto cells = static_cast<std::size_t>(owned_.size());
  for (std::size_t n = 0; n < fields_; ++n) {
    const auto field = state[n].view();
    auto* on_host = on_host_.data() + n * cells;
    if constexpr (comm::kernels_run_on_host) {
      comm::for_each_cell(space, "snapshot", owned_,
                          Gather<Real>{field, dense_view(on_host, owned_)});
      continue;
    }
    auto* aside = on_device_.data() + (at_once_ ? n * cells : 0);
    const auto room = (on_device_.size() / (at_once_ ? fields_ : 1)) * sizeof(Real);
    for_each_slab<Real>(owned_, static_cast<std::int64_t>(room),
                        [&](const comm::Box& slab, std::size_t position) {
                          const auto count = static_cast<std::size_t>(slab.size());
                          comm::for_each_cell(space, "snapshot", slab,
                                              Gather<Real>{field, dense_view(aside, slab)});
                          space.fence("snapshot set aside");
                          Kokkos::deep_copy(space, HostSpan<Real>(on_host + position, count),
                                            DeviceSpan<Real>(aside, count));
                          if (!at_once_) space.fence("snapshot slab");
                        });
  }
  if constexpr (comm::kernels_run_on_host) space.fence("snapshot");
}

template <class Real>
std::span<const Real> Snapshot<Real>::values() const {
  if (!comm::kernels_run_on_host) stream_.space().fence("snapshot on the host");
  return {on_host_.data(), on_host_.size()};
}

template class Snapshot<float>;
template class Snapshot<double>;

}  // namespace halotherm::solver
