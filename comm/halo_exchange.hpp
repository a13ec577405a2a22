// SPDX-License-Identifier: MIT
// The ghost exchange of a field: start it, compute what needs no ghosts, finish it, compute the rest.
#pragma once

#include "comm/for_each_cell.hpp"
#include "comm/grid_view.hpp"
#include "comm/halo_plan.hpp"
#include "comm/transport.hpp"

#include <memory>

namespace halotherm::comm {

/// One channel a message of the plan, in its order, for values of so many bytes.
std::vector<Channel> channels_of(const HaloPlan& plan, int element_bytes);

template <class Real>
class Pending;

/// A read-only view of a field whose ghost cells are current: proof that the exchange was finished. Only Pending::finish makes one.
/// Valid until the field is written again.
template <class Real>
class Ghosted {
 public:
  const GridView<const Real>& view() const { return view_; }

 private:
  friend class Pending<Real>;
  explicit Ghosted(const GridView<const Real>& view) : view_(view) {}
  GridView<const Real> view_;
};

/// Exchanges one field's ghost cells with the neighbours of a plan. Buffers and requests are made once and bound to each other, not
/// to the field, so fields may be swapped between exchanges. One exchange at a time. Instantiated for float and double.
///
///     auto exchange = halo.start(edge, temperature.view());
///     diffuse(bulk, interior, ...);
///     const auto ghosted = std::move(exchange).finish();
///     diffuse(edge, shell, ..., ghosted, ...);
template <class Real>
class Halo {
 public:
  /// `communicator` must outlive it; its ranks make their halos with the plans of one decomposition.
  Halo(const Communicator& communicator, HaloPlan plan, TransportKind transport);

  /// Packs the cells that neighbours need, all in one kernel on `edge`, and lets them go. `field` must not be written until the
  /// exchange is finished, except for its ghost cells by the exchange itself.
  [[nodiscard("ghost cells are current only after finish()")]] Pending<Real> start(const Space& edge, const GridView<Real>& field);

  const HaloPlan& plan() const { return plan_; }
  TransportKind transport() const { return transport_->kind(); }
  /// The ranks whose messages this one waits for at the moment; callable by any thread.
  std::vector<int> awaited() const { return transport_->awaited(); }
  /// Sent by this rank in one exchange.
  std::int64_t bytes() const { return plan_.sent_cells() * static_cast<std::int64_t>(sizeof(Real)); }

 private:
  friend class Pending<Real>;
  void unpack(const Space& edge, const GridView<Real>& field);

  HaloPlan plan_;
  BoxList sent_;  ///< the plan's boxes as kernels take them, made once
  BoxList received_;
  BoxList wrapped_;
  std::unique_ptr<Transport> transport_;
};

/// An exchange under way. Must be finished; if it is dropped instead, its destructor waits for the messages, except while an
/// exception unwinds.
template <class Real>
class [[nodiscard("ghost cells are current only after finish()")]] Pending {
 public:
  ~Pending();
  Pending(Pending && other) noexcept;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  Pending& operator=(Pending&&) = delete;

  /// Waits for the messages and launches their unpacking on `edge`: kernels launched there afterwards may read the ghost cells.
  [[nodiscard]] Ghosted<Real> finish()&&;

 private:
  friend class Halo<Real>;
  Pending(Halo<Real> & halo, const Space& edge, const GridView<Real>& field);

  Halo<Real>* halo_;  ///< none once finished or moved from
  Space edge_;
  GridView<Real> field_;
  int uncaught_;
};

}  // namespace halotherm::comm
