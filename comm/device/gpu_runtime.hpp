// SPDX-License-Identifier: MIT
// All calls of the CUDA runtime outside of Kokkos. A failed call throws Error (internal), whose
// reason is CUDA's text, unless the function returns the failure. Functions that free or end
// something ignore failures, since they run while errors unwind. Local. Defined in builds with CUDA
// only; other builds call them in discarded `if constexpr` branches.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

struct CUstream_st;  // the target of a cudaStream_t
struct CUevent_st;
struct CUgraphExec_st;

namespace halotherm::comm::gpu {

/// The number of visible devices, at least 1; throws if there is none.
int device_count();
/// The calling thread's device.
int current_device();
/// Sets the calling thread's device; false on failure.
bool use_device(int device);
/// Blocks until the current device is idle. Ignores failures.
void synchronize();

struct Identity {
  std::string name;
  std::array<unsigned char, 16> uuid;
};
Identity identity_of(int device);

enum class Attribute { memory_clock_khz, memory_bus_bits, cache_bytes };
/// An attribute of the current device; 0 if unknown.
int attribute(Attribute which);
/// The free memory of the current device [bytes].
std::size_t free_memory();

/// In lower case, as Linux names the device's folder.
std::string pci_bus_id_of(int device);
/// The device with that PCI bus id; none if this process does not see it.
std::optional<int> device_at(const std::string& pci_bus_id);
/// Whether `device` can read and write the memory of `other`, a different device.
bool can_access(int device, int other);

using Stream = CUstream_st*;
enum class Priority { low, high };
/// Makes a stream on the current device, independent of all others.
Stream make_stream(Priority priority = Priority::low);
void destroy(Stream stream);

/// A point in a stream that other streams can wait for.
class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// Sets the point after all launches on `stream` so far.
  void record(Stream stream) const;
  /// Later launches on `stream` wait for the last recorded point. Does not block the host.
  void awaited_by(Stream stream) const;

 private:
  CUevent_st* event_ = nullptr;
};

/// Kernel launches of a stream that are submitted together, any number of times.
class Graph {
 public:
  Graph() = default;
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Records what `launches()` launches on `stream`, instead of running it. It may do nothing else
  /// with the device.
  void record(Stream stream, const std::function<void()>& launches);
  /// Runs the kernels in their order, after earlier launches on `stream`. Does not block the host.
  void launch(Stream stream) const;

 private:
  CUgraphExec_st* graph_ = nullptr;
};

/// Lets the teams of a kernel share that many bytes.
void allow_shared_memory(const void* kernel, int bytes);
/// Throws if the preceding kernel launch failed.
void check_launch(const char* label);

/// Allocates zeroed memory on the current device by cudaMalloc.
std::byte* allocate(std::size_t bytes);
void free(std::byte* memory);

/// Identifies memory from `allocate` to other processes of the host.
using ShareHandle = std::array<char, 64>;
/// None if the device cannot share memory.
std::optional<ShareHandle> share(std::byte* memory);
/// Maps another process' memory.
std::byte* map(const ShareHandle& handle);
void unmap(std::byte* memory);

/// Locks pages of host memory, so that devices copy from and to them at full speed; false on
/// failure.
bool lock_pages(std::byte* memory, std::size_t bytes);
void unlock_pages(std::byte* memory);

/// Copies from the device to the host. Blocks until `stream` is idle; false on failure.
bool copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream);

}  // namespace halotherm::comm::gpu
