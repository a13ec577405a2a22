// SPDX-License-Identifier: MIT
// How packed ghost cells travel between ranks. All transports give the same bytes.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/flags.hpp"
#include "comm/mpi/communicator.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace halotherm::comm {

enum class TransportKind {
  p2p,     ///< peers of one node write into each other's memory; no message, no wait of the host
  device,  ///< device pointers straight into MPI, which must be GPU-aware
  staged,  ///< through page-locked host memory; works with every MPI
  rma,     ///< one-sided MPI: put into host memory that the neighbour exposes
};
std::string_view name_of(TransportKind kind);

/// One message in each direction between this rank and a neighbour, repeated in every exchange.
struct Channel {
  int neighbour = 0;
  int send_tag = 0;
  int receive_tag = 0;
  int elements = 0;       ///< each way
  int element_bytes = 8;  ///< 4 or 8
};

/// Owns the buffers of a set of channels and moves their contents. Everything is allocated and
/// bound once. An exchange is, always on the same instance of Space: `prepare`, one kernel that
/// packs into the send buffers and tells `departures`, `start`, `finish`, one kernel that awaits
/// `arrivals` and unpacks the receive buffers. Where the host takes no part, `start` and `finish`
/// are left out, and one kernel does both. None of these allocates or is collective over more than
/// the neighbours.
class Transport {
 public:
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  virtual bool host_takes_part() const { return true; }

  /// Work launched on `edge` afterwards may write the send buffers.
  virtual void prepare(const Space& edge) = 0;
  /// Where the packed message of a channel is to be written, between `prepare` and `start`.
  virtual std::byte* send_buffer(std::size_t channel) = 0;
  virtual Departures departures() const { return {}; }
  /// Lets go what has been packed on `edge` so far, as soon as it is packed and at the latest in
  /// `finish`.
  virtual void start(const Space& edge) = 0;
  /// Waits for the packing, if need be, until all that was started is on its way. `finish` does so
  /// by itself.
  virtual void depart(const Space&) {}
  /// Work launched on `edge` afterwards finds the neighbours' messages in the receive buffers. May
  /// wait for them.
  virtual void finish(const Space& edge) = 0;
  /// Where the neighbour's message of a channel is, from `finish` to the next `prepare`; where the
  /// host takes no part, in the kernel.
  virtual const std::byte* receive_buffer(std::size_t channel) = 0;
  virtual Arrivals arrivals() const { return {}; }

  /// The ranks that are waited for, by the host in `finish` or by a kernel: those whose messages
  /// have not come or, once all have, those that have not taken theirs. Callable by any thread.
  virtual std::vector<int> awaited() const { return {}; }

 protected:
  Transport() = default;
};

/// Collective. Allocates the buffers and binds the channels, which must match the neighbours'.
/// Throws CollectiveError (usage) if a neighbour cannot be reached so.
std::unique_ptr<Transport> make_transport(TransportKind kind, const Communicator& communicator,
                                          const std::vector<Channel>& channels);

/// Collective. The same with a kind for each channel, on which both its ends agree.
std::unique_ptr<Transport> make_transport(const std::vector<TransportKind>& kinds,
                                          const Communicator& communicator,
                                          const std::vector<Channel>& channels);

}  // namespace halotherm::comm
