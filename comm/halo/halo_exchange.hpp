// SPDX-License-Identifier: MIT
// The ghost exchange of a field: start it, compute what needs no ghosts, finish it, compute the
// rest.
#pragma once

#include "comm/device/for_each_cell.hpp"
#include "comm/device/grid_view.hpp"
#include "comm/halo/ghosted.hpp"
#include "comm/halo/halo_kernels.hpp"
#include "comm/halo/halo_plan.hpp"
#include "comm/transport/transport.hpp"

#include <memory>

namespace halotherm::comm {

/// One channel a message of the plan, in its order, for values of so many bytes.
std::vector<Channel> channels_of(const HaloPlan& plan, int element_bytes);

template <class Real>
class Pending;

/// Exchanges one field's ghost cells with the neighbours of a plan. Buffers and requests are made
/// once and bound to each other, not to the field, so fields may be swapped between exchanges. One
/// exchange at a time. Instantiated for float and double.
///
///     auto exchange = halo.start(streams, temperature.view());
///     diffuse(streams.bulk(), interior, ...);
///     const auto ghosted = std::move(exchange).finish();
///     diffuse(streams.edge(), shell, ..., ghosted, ...);
///     streams.bulk_awaits_edge();
///
/// The faces of the outermost layer are the shell's, hence leave as soon as it is computed, while
/// the interior of the step before may still be under way: devices are busy with interiors without
/// a break, and an exchange has the time of a whole step.
template <class Real>
class Halo {
 public:
  /// `communicator` must outlive it; its ranks make their halos with the plans of one partition.
  /// `transports`: of each message of the plan, the same at both ends.
  Halo(const Communicator& communicator, HaloPlan plan,
       const std::vector<TransportKind>& transports);

  /// Packs the cells that neighbours need, all in one kernel on the edge stream, and lets them go
  /// (the same kernel unpacks, where the host takes no part in the exchange); copies across
  /// periodic sides to the same rank on the bulk stream, where ghost cells of that kind are current
  /// for what is launched later. Waits, in stream order, for what was launched on the edge stream
  /// before; for the bulk stream only if it sends more than one layer. `field` must not be written
  /// until the exchange is finished, except for its ghost cells by the exchange itself. `streams`
  /// must outlive the exchange.
  [[nodiscard("ghost cells are current only after finish()")]] Pending<Real> start(
      const Streams& streams, const GridView<Real>& field);

  const HaloPlan& plan() const { return plan_; }
  /// The ranks that this one waits for at the moment (Transport::awaited); callable by any thread.
  std::vector<int> awaited() const { return transport_->awaited(); }
  /// Sent by this rank in one exchange.
  std::int64_t bytes() const {
    return plan_.sent_cells() * static_cast<std::int64_t>(sizeof(Real));
  }

 private:
  friend class Pending<Real>;
  void finish(const Streams& streams, const GridView<Real>& field);
  Outgoing<Real> outgoing() const;
  Incoming<Real> incoming() const;

  HaloPlan plan_;
  BoxList sent_;  ///< the plan's boxes as kernels take them, made once
  BoxList received_;
  BoxList wrapped_;
  std::unique_ptr<Transport> transport_;
};

/// An exchange under way. Must be finished; if it is dropped instead, its destructor waits for the
/// messages, except while an exception unwinds.
template <class Real>
class [[nodiscard("ghost cells are current only after finish()")]] Pending {
 public:
  ~Pending();
  Pending(Pending && other) noexcept;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  Pending& operator=(Pending&&) = delete;

  /// Waits for the messages and launches their unpacking on the edge stream, if that was not done:
  /// kernels launched there afterwards may read all ghost cells, and what the bulk stream had
  /// computed before the exchange started.
  [[nodiscard]] Ghosted<Real> finish()&&;

 private:
  friend class Halo<Real>;
  Pending(Halo<Real> & halo, const Streams& streams, const GridView<Real>& field);

  Halo<Real>* halo_;  ///< none once finished or moved from
  const Streams* streams_;
  GridView<Real> field_;
  int uncaught_;
};

}  // namespace halotherm::comm
