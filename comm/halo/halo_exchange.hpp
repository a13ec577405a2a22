// SPDX-License-Identifier: MIT
// The ghost exchange of fields, in two parts between which the interior is computed.
#pragma once

#include "comm/device/for_each_cell.hpp"
#include "comm/halo/ghosted.hpp"
#include "comm/halo/halo_kernels.hpp"
#include "comm/halo/halo_plan.hpp"
#include "comm/transport/transport.hpp"

#include <memory>

namespace halotherm::comm {

/// One channel per message of the plan, in its order, for values of `element_bytes` of so many
/// fields. Throws Error (usage) if a message would have 2^31 values or more.
std::vector<Channel> channels_of(const HaloPlan& plan, int element_bytes, int fields = 1);

template <class Real>
class Pending;

/// Exchanges the ghost cells of fields with the neighbours of a plan, by one message in each
/// direction however many fields there are. The constructor makes buffers and requests, which are
/// bound to each other but not to a field, so fields may be swapped between exchanges. One exchange
/// at a time. Instantiated for float and double.
///
///     auto exchange = halo.start(streams, temperature.view());
///     diffuse(streams.bulk(), interior, ...);
///     const auto ghosted = std::move(exchange).finish();
///     diffuse(streams.edge(), shell, ..., ghosted, ...);
///     streams.bulk_awaits_edge();
///
/// The shell computes the outermost layer, so the messages are packed as soon as it is done, while
/// the previous step's interior may still run. Devices compute interiors without a break, and an
/// exchange may take a whole step.
template <class Real>
class Halo {
 public:
  /// Collective. `communicator` must outlive it, and all ranks must use plans of one partition.
  /// `transports`: the kind of each message of the plan, equal at both ends. `fields`: how many are
  /// exchanged at once. Throws CollectiveError (usage) if a neighbour cannot be reached by its
  /// kind.
  Halo(const Communicator& communicator, HaloPlan plan,
       const std::vector<TransportKind>& transports, int fields = 1);

  /// Packs the neighbours' cells by one kernel on the edge stream and sends them. Where the host
  /// takes no part in the exchange, that kernel also waits and unpacks. Copies across periodic
  /// sides to the same rank on the bulk stream, so later launches there may read those ghost cells.
  /// Runs after earlier launches on the edge stream, and after those on the bulk stream only if the
  /// plan is wider than one layer. Non-blocking on GPUs. `fields`, as many as the constructor was
  /// given, must not be written until the exchange is finished. `streams` must outlive the
  /// exchange.
  [[nodiscard("ghost cells are current only after finish()")]] Pending<Real> start(
      const Streams& streams, const FieldViews<Real>& fields);

  /// Whether exchanges can be recorded, see Transport; each of these functions but the last does
  /// nothing where no rank is a neighbour.
  bool can_be_recorded() const {
    return kernels_run_on_host ||
           (plan_.local.empty() && (plan_.messages.empty() || transport_->can_be_recorded()));
  }
  void begin_recording() { transport_->begin_recording(); }
  void end_recording() { transport_->end_recording(); }
  void begin_submission(const Streams& streams, int exchanges) {
    if (!plan_.messages.empty()) transport_->begin_submission(streams.edge(), exchanges);
  }
  int phase() const { return transport_->phase(); }

  const HaloPlan& plan() const { return plan_; }
  /// The ranks that this one waits for now (Transport::awaited). Any thread may call it.
  std::vector<int> awaited() const { return transport_->awaited(); }
  /// The bytes that this rank sends in one exchange.
  std::int64_t bytes() const {
    return plan_.sent_cells() * fields_ * static_cast<std::int64_t>(sizeof(Real));
  }

 private:
  friend class Pending<Real>;
  void finish(const Streams& streams, const FieldViews<Real>& fields);
  Outgoing<Real> outgoing() const;
  Incoming<Real> incoming() const;

  HaloPlan plan_;
  int fields_;
  BoxList sent_;  ///< the plan's boxes as kernel arguments
  BoxList received_;
  BoxList wrapped_;
  std::unique_ptr<Transport> transport_;
};

/// An exchange in progress, which must be finished. The destructor of an unfinished one blocks
/// until the messages arrive, except while an exception unwinds.
template <class Real>
class [[nodiscard("ghost cells are current only after finish()")]] Pending {
 public:
  ~Pending();
  Pending(Pending && other) noexcept;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  Pending& operator=(Pending&&) = delete;

  /// Blocks until the messages arrive and launches their unpacking on the edge stream, unless
  /// `start` has done so. Later launches on the edge stream may read all ghost cells, and the
  /// results of launches on the bulk stream before the exchange started.
  [[nodiscard]] Ghosted<Real> finish()&&;

 private:
  friend class Halo<Real>;
  Pending(Halo<Real> & halo, const Streams& streams, const FieldViews<Real>& fields);

  Halo<Real>* halo_;  ///< null once finished or moved from
  const Streams* streams_;
  FieldViews<Real> fields_;
  int uncaught_;
};

}  // namespace halotherm::comm
