// SPDX-License-Identifier: MIT
// Transports: how packed ghost cells travel between ranks. All transports deliver the same bytes.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/flags.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/transport/channel.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace halotherm::comm {

enum class TransportKind {
  p2p,     ///< kernels write into the memory of peer-accessible devices; the host takes no part
  device,  ///< device pointers are passed to MPI, which must be GPU-aware
  staged,  ///< through page-locked host memory; works with every MPI
  rma,     ///< one-sided MPI: put into host memory that the neighbour exposes
  nccl,    ///< by NCCL, in the order of the device's stream; the host does not wait
};
std::string_view name_of(TransportKind kind);

/// Why a transport cannot be used.
struct UnavailableReason {
  enum class Kind {
    none,         ///< it can be used
    unavailable,  ///< it was excluded, or its set-up or an exchange failed
    wrong_data,   ///< elements arrived that were not sent
  };

  Kind kind = Kind::none;
  std::string text;    ///< the whole message; empty if the transport can be used
  std::string reason;  ///< the reason alone

  bool exists() const { return kind != Kind::none; }

  static UnavailableReason unavailable(const std::string& text) {
    return {Kind::unavailable, text, text};
  }
  static UnavailableReason wrong_data(const std::string& text) {
    return {Kind::wrong_data, text, text};
  }
};
/// "none", "unavailable", "wrong data".
std::string_view name_of(UnavailableReason::Kind kind);

/// Owns the buffers of a set of channels and moves their contents. The constructor allocates and
/// binds everything. An exchange is, on one instance of Space: `prepare`, one kernel that packs
/// into the send buffers and sets `signals`, `start`, `finish`, one kernel that waits for `waits`
/// and unpacks the receive buffers. Where the host takes no part, `start` and `finish` are omitted,
/// and one kernel packs and unpacks. No member allocates memory, or is collective over more ranks
/// than the neighbours. Members throw Error (internal) if MPI or the device fails.
class Transport {
 public:
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  virtual bool host_takes_part() const { return true; }

  /// Work launched on `edge` afterwards may write the send buffers.
  virtual void prepare(const Space& edge) = 0;
  /// The memory for a channel's packed message, valid from `prepare` to `start`.
  virtual std::byte* send_buffer(std::size_t channel) = 0;
  virtual Signals signals() const { return {}; }
  /// Begins to send what was packed on `edge` so far, at once or in `send` or `finish`.
  /// Non-blocking on GPUs.
  virtual void start(const Space& edge) = 0;
  /// Blocks until the packing is done, and sends. `finish` includes it.
  virtual void send(const Space&) {}
  /// Work launched on `edge` afterwards finds the neighbours' messages in the receive buffers. May
  /// block until they arrive.
  virtual void finish(const Space& edge) = 0;
  /// The memory of the neighbour's message, valid from `finish` to the next `prepare`; where the
  /// host takes no part, within the kernel.
  virtual const std::byte* receive_buffer(std::size_t channel) = 0;
  virtual Waits waits() const { return {}; }

  /// Whether exchanges can be recorded (comm::Recording). Then the numbers of those from
  /// `begin_recording` to `end_recording` count from one in device memory, and each submission of
  /// the recording follows a `begin_submission` that sets it.
  virtual bool can_be_recorded() const { return false; }
  virtual void begin_recording() {}
  virtual void end_recording() {}
  /// On the stream of the exchanges. `exchanges`: of the recording, an even number.
  virtual void begin_submission(const Space&, int /*exchanges*/) {}
  /// A submission must begin with the phase that its recording began with.
  virtual int phase() const { return 0; }

  /// The ranks that the host in `finish`, or a kernel, waits for: those whose messages have not
  /// arrived or, after that, those that have not received this rank's. Any thread may call it.
  virtual std::vector<int> awaited() const { return {}; }

 protected:
  Transport() = default;
};

/// Collective. Allocates the buffers and binds the channels, which must match the neighbours'.
/// Throws CollectiveError (usage) if a neighbour cannot be reached by this kind.
std::unique_ptr<Transport> make_transport(TransportKind kind, const Communicator& communicator,
                                          const std::vector<Channel>& channels);

/// Collective. Makes a transport with a kind for each channel, equal at both ends of the channel.
std::unique_ptr<Transport> make_transport(const std::vector<TransportKind>& kinds,
                                          const Communicator& communicator,
                                          const std::vector<Channel>& channels);

}  // namespace halotherm::comm
