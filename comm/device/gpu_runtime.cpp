// SPDX-License-Identifier: MIT
#include "comm/device/gpu_runtime.hpp"

#include "comm/device/stream_state.hpp"
#include "comm/mpi/error.hpp"

#include <cuda_runtime.h>

#include <cctype>
#include <cstring>

namespace halotherm::comm::gpu {

namespace {

static_assert(sizeof(ShareHandle) == sizeof(cudaIpcMemHandle_t));

void check(cudaError_t status, const char* action) {
  if (status == cudaSuccess) return;
  throw Error(ExitCode::internal,
              {std::string("the GPU cannot ") + action, cudaGetErrorString(status),
               "see nvidia-smi and dmesg, the kernel's log"});
}

/// For calls that may fail. Clears the runtime's last error, so that no later launch reports it.
bool succeeds(cudaError_t status) {
  if (status == cudaSuccess) return true;
  cudaGetLastError();
  return false;
}

cudaDeviceAttr name_of(Attribute which) {
  switch (which) {
    case Attribute::memory_clock_khz:
      return cudaDevAttrMemoryClockRate;
    case Attribute::memory_bus_bits:
      return cudaDevAttrGlobalMemoryBusWidth;
    case Attribute::cache_bytes:
      break;
  }
  return cudaDevAttrL2CacheSize;
}

}  // namespace

int device_count() {
  int devices = 0;
  const auto status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return devices;
  throw Error(ExitCode::internal, {"no GPU can be used", cudaGetErrorString(status),
                                   "check nvidia-smi and CUDA_VISIBLE_DEVICES, ask the scheduler "
                                   "for a GPU, or build the cpu preset"});
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "be found");
  return device;
}

bool use_device(int device) {
  return succeeds(cudaSetDevice(device));
}

void synchronize() {
  succeeds(cudaDeviceSynchronize());
}

Identity identity_of(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "be described");
  Identity identity{properties.name, {}};
  std::memcpy(identity.uuid.data(), properties.uuid.bytes, identity.uuid.size());
  return identity;
}

int attribute(Attribute which) {
  int value = 0;
  return succeeds(cudaDeviceGetAttribute(&value, name_of(which), current_device())) ? value : 0;
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "report its free memory");
  return free;
}

std::string pci_bus_id_of(int device) {
  std::array<char, 32> text{};
  check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device),
        "report its PCI bus id");
  for (char& letter : text)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text.data();
}

std::optional<int> device_at(const std::string& pci_bus_id) {
  int device = 0;
  return succeeds(cudaDeviceGetByPCIBusId(&device, pci_bus_id.c_str())) ? std::optional(device)
                                                                        : std::nullopt;
}

bool can_access(int device, int other) {
  int accessible = 0;
  return succeeds(cudaDeviceCanAccessPeer(&accessible, device, other)) && accessible == 1;
}

Stream make_stream(Priority priority) {
  int lowest = 0;
  int highest = 0;
  Stream stream = nullptr;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "report the priorities of streams");
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                     priority == Priority::high ? highest : lowest),
        "make a stream");
  return stream;
}

void destroy(Stream stream) {
  succeeds(cudaStreamDestroy(stream));
}

Event::Event() {
  check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "make an event");
}

Event::~Event() {
  succeeds(cudaEventDestroy(event_));
}

void Event::record(Stream stream) const {
  check(cudaEventRecord(event_, stream), "record an event");
}

void Event::awaited_by(Stream stream) const {
  check(cudaStreamWaitEvent(stream, event_), "make a stream await an event");
}

Graph::~Graph() {
  if (graph_ != nullptr) succeeds(cudaGraphExecDestroy(graph_));
}

/// Other threads may use the device meanwhile.
void Graph::record(Stream stream, const std::function<void()>& launches) {
  cudaGraph_t recorded = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record launches");
  try {
    launches();
  } catch (...) {
    succeeds(cudaStreamEndCapture(stream, &recorded));
    if (recorded != nullptr) succeeds(cudaGraphDestroy(recorded));
    throw;
  }
  check(cudaStreamEndCapture(stream, &recorded), "record launches");
  const auto made = cudaGraphInstantiate(&graph_, recorded, 0);
  succeeds(cudaGraphDestroy(recorded));
  check(made, "make a graph of launches");
}

void Graph::launch(Stream stream) const {
  check(cudaGraphLaunch(graph_, stream), "run a graph of launches");
}

bool is_idle(Stream stream) {
  const auto state = cudaStreamQuery(stream);
  const bool busy = state == cudaErrorNotReady;
  succeeds(state);
  return !busy;
}

void allow_shared_memory(const void* kernel, int bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "let threads share so much memory");
}

void check_launch(const char* label) {
  if (const auto status = cudaGetLastError(); status != cudaSuccess) {
    check(status, (std::string("launch the kernel '") + label + "'").c_str());
  }
}

std::byte* allocate(std::size_t bytes) {
  void* memory = nullptr;
  if (const auto status = cudaMalloc(&memory, bytes); !succeeds(status))
    check(status, "give memory");
  check(cudaMemset(memory, 0, bytes), "fill memory");
  check(cudaDeviceSynchronize(), "fill memory");
  return static_cast<std::byte*>(memory);
}

void free(std::byte* memory) {
  succeeds(cudaFree(memory));
}

std::optional<ShareHandle> share(std::byte* memory) {
  cudaIpcMemHandle_t of_runtime{};
  if (!succeeds(cudaIpcGetMemHandle(&of_runtime, memory))) return std::nullopt;
  ShareHandle handle{};
  std::memcpy(handle.data(), &of_runtime, sizeof of_runtime);
  return handle;
}

std::byte* map(const ShareHandle& handle) {
  cudaIpcMemHandle_t of_runtime{};
  std::memcpy(&of_runtime, handle.data(), sizeof of_runtime);
  void* memory = nullptr;
  const auto status = cudaIpcOpenMemHandle(&memory, of_runtime, cudaIpcMemLazyEnablePeerAccess);
  if (!succeeds(status)) check(status, "map another process' memory");
  return static_cast<std::byte*>(memory);
}

void unmap(std::byte* memory) {
  succeeds(cudaIpcCloseMemHandle(memory));
}

bool lock_pages(std::byte* memory, std::size_t bytes) {
  return succeeds(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
}

void unlock_pages(std::byte* memory) {
  succeeds(cudaHostUnregister(memory));
}

bool copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
  return succeeds(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream)) &&
         succeeds(cudaStreamSynchronize(stream));
}

}  // namespace halotherm::comm::gpu
