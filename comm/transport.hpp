// SPDX-License-Identifier: MIT
// How packed ghost cells travel between ranks. All transports give the same bytes.
#pragma once

#include "comm/communicator.hpp"
#include "comm/execution.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace halotherm::comm {

enum class TransportKind {
  device,  ///< device pointers straight into MPI, which must be GPU-aware
  staged,  ///< through page-locked host memory; works with every MPI
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

/// Owns the buffers of a set of channels and moves their contents. Everything is allocated and bound once; an exchange is
/// `start`, then `finish`, on the same instance of Space. Neither allocates nor is collective over more than the neighbours.
class Transport {
 public:
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  virtual TransportKind kind() const = 0;

  /// Device memory: where the packed message of a channel is to be written before `start`, and where the neighbour's is after
  /// `finish`.
  virtual std::byte* send_buffer(std::size_t channel) = 0;
  virtual const std::byte* receive_buffer(std::size_t channel) = 0;

  /// Sends what has been packed on `edge` so far; returns when the neighbours' messages may still be under way. Waits for the work
  /// on `edge`.
  virtual void start(const Space& edge) = 0;
  /// Waits for the messages; work launched on `edge` afterwards finds them in the receive buffers.
  virtual void finish(const Space& edge) = 0;

 protected:
  Transport() = default;
};

/// Allocates the buffers and binds persistent requests to them. Not collective, but the neighbours' channels must match.
std::unique_ptr<Transport> make_transport(TransportKind kind, const Communicator& communicator,
                                          const std::vector<Channel>& channels);

}  // namespace halotherm::comm
