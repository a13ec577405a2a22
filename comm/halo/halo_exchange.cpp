// SPDX-License-Identifier: MIT
#include "comm/halo/halo_exchange.hpp"

#include "comm/mpi/error.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace halotherm::comm {

namespace {

/// Copies across a periodic side to the same rank, from the opposite end of the block.
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
void wrap(const Space& bulk, const std::vector<HaloMessage>& local, const BoxList& ghosts,
          const GridView<Real>& field) {
  Wrap<Real> body{field, {}};
  for (std::size_t m = 0; m < local.size(); ++m) {
    for (int axis = 0; axis < 3; ++axis)
      body.distance[m][axis] = local[m].send.lower[axis] - local[m].receive.lower[axis];
  }
  for_each_cell_of(bulk, "halo wrap", ghosts, body);
}

}  // namespace

std::vector<Channel> channels_of(const HaloPlan& plan, int element_bytes, int fields) {
  std::vector<Channel> channels;
  for (const auto& message : plan.messages) {
    require_countable(message, fields);
    channels.push_back({.neighbour = message.neighbour,
                        .send_tag = message.send_tag,
                        .receive_tag = message.receive_tag,
                        .elements = static_cast<int>(
                            fields * std::max(message.send.size(), message.receive.size())),
                        .element_bytes = element_bytes});
  }
  return channels;
}

template <class Real>
Halo<Real>::Halo(const Communicator& communicator, HaloPlan plan,
                 const std::vector<TransportKind>& transports, int fields)
    : plan_(std::move(plan)),
      fields_(fields),
      sent_(boxes_of(plan_.messages, &HaloMessage::send)),
      received_(boxes_of(plan_.messages, &HaloMessage::receive)),
      wrapped_(boxes_of(plan_.local, &HaloMessage::receive)),
      transport_(
          make_transport(transports, communicator, channels_of(plan_, sizeof(Real), fields))) {}

template <class Real>
Pending<Real> Halo<Real>::start(const Streams& streams, const FieldViews<Real>& fields) {
  if (fields.count != fields_)
    throw Error(ExitCode::internal,
                {"cannot exchange " + std::to_string(fields.count) + " fields",
                 "the halo is made for " + std::to_string(fields_), "report this"});
  const auto& edge = streams.edge();
  if (plan_.width > 1) {  // the interior computes deeper layers
    streams.mark_bulk();
    streams.edge_awaits_mark();
  }
  if (!plan_.messages.empty()) {
    transport_->prepare(edge);
    if (transport_->host_takes_part()) {
      pack<Real>(edge, fields, outgoing());
      transport_->start(edge);
    } else {
      exchange<Real>(edge, fields, outgoing(), incoming());
    }
  }
  for (int n = 0; n < fields.count; ++n)
    wrap(streams.bulk(), plan_.local, wrapped_, fields.views[n]);
  streams.mark_bulk();
  return {*this, streams, fields};
}

template <class Real>
void Halo<Real>::finish(const Streams& streams, const FieldViews<Real>& fields) {
  const auto& edge = streams.edge();
  if (!plan_.messages.empty() && transport_->host_takes_part()) {
    transport_->finish(edge);
    unpack<Real>(edge, fields, incoming());
  }
  streams.edge_awaits_mark();
}

template <class Real>
Outgoing<Real> Halo<Real>::outgoing() const {
  Outgoing<Real> messages{.boxes = sent_, .flags = transport_->signals()};
  for (std::size_t m = 0; m < plan_.messages.size(); ++m) {
    messages.buffers[m] = reinterpret_cast<Real*>(transport_->send_buffer(m));
  }
  return messages;
}

template <class Real>
Incoming<Real> Halo<Real>::incoming() const {
  Incoming<Real> messages{.boxes = received_, .flags = transport_->waits()};
  for (std::size_t m = 0; m < plan_.messages.size(); ++m) {
    messages.buffers[m] = reinterpret_cast<const Real*>(transport_->receive_buffer(m));
  }
  return messages;
}

template <class Real>
Pending<Real>::Pending(Halo<Real>& halo, const Streams& streams, const FieldViews<Real>& fields)
    : halo_(&halo), streams_(&streams), fields_(fields), uncaught_(std::uncaught_exceptions()) {}

template <class Real>
Pending<Real>::Pending(Pending&& other) noexcept
    : halo_(std::exchange(other.halo_, nullptr)),
      streams_(other.streams_),
      fields_(other.fields_),
      uncaught_(other.uncaught_) {}

template <class Real>
Pending<Real>::~Pending() {
  if (!halo_ || std::uncaught_exceptions() > uncaught_) return;
  try {
    halo_->finish(*streams_, fields_);
  } catch (...) {
    // the next use of the communicator reports the same failure
  }
}

template <class Real>
Ghosted<Real> Pending<Real>::finish() && {
  auto* halo = std::exchange(halo_, nullptr);
  halo->finish(*streams_, fields_);
  return Ghosted<Real>(fields_);
}

template class Halo<float>;
template class Halo<double>;
template class Pending<float>;
template class Pending<double>;

}  // namespace halotherm::comm
