// SPDX-License-Identifier: MIT
// The CUDA runtime: all of its calls that are not Kokkos' own stand behind these functions. A call
// that fails throws Error (internal), whose `reason()` is CUDA's own text, unless a function gives
// the failure as its result; those that free or end something ignore it, since they run while
// errors unwind. Defined in builds with CUDA only; others call them in discarded `if constexpr`
// branches.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

struct CUstream_st;  // what a cudaStream_t points to
struct CUevent_st;

namespace halotherm::comm::gpu {

/// At least 1.
int device_count();
/// The calling thread's.
int current_device();
/// By the calling thread from now on; false if that fails.
bool use_device(int device);
/// Waits for all that was launched on the current device. For the ends of things: a failure is
/// ignored.
void synchronize();

struct Identity {
  std::string name;
  std::array<unsigned char, 16> uuid;
};
Identity identity_of(int device);

enum class Attribute { memory_clock_khz, memory_bus_bits, cache_bytes };
/// Of the current device; 0 where CUDA does not know it.
int attribute(Attribute which);
/// Of the current device [bytes].
std::size_t free_memory();

std::string pci_bus_id_of(int device);
/// None if this process does not see it.
std::optional<int> device_at(const std::string& pci_bus_id);
/// Whether `device` can read and write the memory of `other`, a different one.
bool can_access(int device, int other);

using Stream = CUstream_st*;
enum class Priority { low, high };
/// On the current device. It awaits no other stream by itself.
Stream make_stream(Priority priority = Priority::low);
void destroy(Stream stream);

/// A moment in a stream, for which others can wait.
class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// The moment when all that was launched on `stream` so far is done.
  void record(Stream stream) const;
  /// What is launched on `stream` later awaits the moment that was recorded last. The host does not
  /// wait.
  void awaited_by(Stream stream) const;

 private:
  CUevent_st* event_ = nullptr;
};

/// Throws if the launch of the kernel failed that was launched just before.
void check_launch(const char* label);

/// Memory of the current device, all zero, by the runtime's plain allocation.
std::byte* allocate(std::size_t bytes);
void free(std::byte* memory);

/// Names such memory to other processes of the host.
using ShareHandle = std::array<char, 64>;
/// None if the device shares no memory.
std::optional<ShareHandle> share(std::byte* memory);
/// Another process' memory.
std::byte* map(const ShareHandle& handle);
void unmap(std::byte* memory);

/// Locks pages of the host's memory, so that devices copy from and to them at full speed; false if
/// they cannot be locked.
bool lock_pages(std::byte* memory, std::size_t bytes);
void unlock_pages(std::byte* memory);

/// Copies from the device to the host, and waits for it; false if that fails.
bool copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream);

}  // namespace halotherm::comm::gpu
