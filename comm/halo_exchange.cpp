// SPDX-License-Identifier: MIT
#include "comm/halo_exchange.hpp"

#include "comm/halo_kernels.hpp"

#include <exception>
#include <utility>

namespace halotherm::comm {

namespace {

/// Across a periodic side to the same rank: ghost cells take the values from the other end of the block.
template <class Real>
struct Wrap {
  GridView<Real> field;
  Int3 distance[BoxList::capacity];
  KOKKOS_INLINE_FUNCTION void operator()(int message, std::int64_t, int i, int j, int k) const {
    const auto& d = distance[message];
    field(i, j, k) = field(i + d[0], j + d[1], k + d[2]);
  }
};

template <class Real>
void wrap(const Space& edge, const std::vector<HaloMessage>& local, const BoxList& ghosts, const GridView<Real>& field) {
  Wrap<Real> body{field, {}};
  for (std::size_t m = 0; m < local.size(); ++m) {
    for (int axis = 0; axis < 3; ++axis) body.distance[m][axis] = local[m].send.lower[axis] - local[m].receive.lower[axis];
  }
  for_each_cell_of(edge, "halo wrap", ghosts, body);
}

}  // namespace

std::vector<Channel> channels_of(const HaloPlan& plan, int element_bytes) {
  std::vector<Channel> channels;
  for (const auto& message : plan.messages) {
    channels.push_back({.neighbour = message.neighbour,
                        .send_tag = message.send_tag,
                        .receive_tag = message.receive_tag,
                        .elements = static_cast<int>(message.send.size()),
                        .element_bytes = element_bytes});
  }
  return channels;
}

template <class Real>
Halo<Real>::Halo(const Communicator& communicator, HaloPlan plan, TransportKind transport)
    : plan_(std::move(plan)),
      sent_(boxes_of(plan_.messages, &HaloMessage::send)),
      received_(boxes_of(plan_.messages, &HaloMessage::receive)),
      wrapped_(boxes_of(plan_.local, &HaloMessage::receive)),
      transport_(make_transport(transport, communicator, channels_of(plan_, sizeof(Real)))) {}

template <class Real>
Pending<Real> Halo<Real>::start(const Space& edge, const GridView<Real>& field) {
  transport_->prepare(edge);
  Real* buffers[BoxList::capacity] = {};
  for (std::size_t m = 0; m < plan_.messages.size(); ++m) buffers[m] = reinterpret_cast<Real*>(transport_->send_buffer(m));
  pack<Real>(edge, sent_, field, buffers);
  wrap(edge, plan_.local, wrapped_, field);
  transport_->start(edge);
  return {*this, edge, field};
}

template <class Real>
void Halo<Real>::unpack(const Space& edge, const GridView<Real>& field) {
  const Real* buffers[BoxList::capacity] = {};
  for (std::size_t m = 0; m < plan_.messages.size(); ++m) {
    buffers[m] = reinterpret_cast<const Real*>(transport_->receive_buffer(m));
  }
  comm::unpack<Real>(edge, received_, field, buffers);
  transport_->release(edge);
}

template <class Real>
Pending<Real>::Pending(Halo<Real>& halo, const Space& edge, const GridView<Real>& field)
    : halo_(&halo), edge_(edge), field_(field), uncaught_(std::uncaught_exceptions()) {}

template <class Real>
Pending<Real>::Pending(Pending&& other) noexcept
    : halo_(std::exchange(other.halo_, nullptr)), edge_(std::move(other.edge_)), field_(other.field_), uncaught_(other.uncaught_) {}

template <class Real>
Pending<Real>::~Pending() {
  if (!halo_ || std::uncaught_exceptions() > uncaught_) return;
  try {
    halo_->transport_->finish(edge_);
    halo_->transport_->release(edge_);
  } catch (...) {
    // a destructor has nobody to tell; the next use of the communicator reports the same failure
  }
}

template <class Real>
Ghosted<Real> Pending<Real>::finish() && {
  auto* halo = std::exchange(halo_, nullptr);
  halo->transport_->finish(edge_);
  halo->unpack(edge_, field_);
  return Ghosted<Real>(field_);
}

template class Halo<float>;
template class Halo<double>;
template class Pending<float>;
template class Pending<double>;

}  // namespace halotherm::comm
