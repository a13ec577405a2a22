// SPDX-License-Identifier: MIT
#include "comm/peer_memory.hpp"

#include "comm/error.hpp"

#include <unistd.h>

#include <cstring>
#include <string>

namespace halotherm::comm {

namespace {

PeerMemory::Handle unshared_handle() {
  PeerMemory::Handle handle{};
  gethostname(handle.host, sizeof handle.host - 1);
  int device = 0;
  cudaDeviceProp properties{};
  cudaGetDevice(&device);
  cudaGetDeviceProperties(&properties, device);
  std::memcpy(handle.device, properties.uuid.bytes, sizeof handle.device);
  return handle;
}

[[noreturn]] void fail(const std::string& why, int rank) {
  throw Error(ExitCode::usage, Problem{"parallel.transport: p2p cannot reach rank " + std::to_string(rank), why,
                                       "set it to auto, device, staged or rma"});
}

}  // namespace

PeerMemory::PeerMemory(std::size_t bytes) {
  // small allocations share a block of memory, and IPC maps blocks: MPI may have mapped a neighbour's already
  constexpr std::size_t block = std::size_t{2} << 20;
  bytes = (bytes + block - 1) / block * block;
  void* memory = nullptr;
  if (const auto status = cudaMalloc(&memory, bytes); status != cudaSuccess) {
    throw Error(ExitCode::internal, "no device memory for the exchange (" + std::string(cudaGetErrorString(status)) +
                                        ") use more devices or a smaller grid");
  }
  cudaMemset(memory, 0, bytes);
  cudaDeviceSynchronize();
  data_ = static_cast<std::byte*>(memory);
}

PeerMemory::~PeerMemory() {
  cudaFree(data_);
}

PeerMemory::Handle PeerMemory::handle() const {
  auto handle = unshared_handle();
  if (cudaIpcGetMemHandle(&handle.memory, data_) != cudaSuccess) {
    cudaGetLastError();
    handle.host[0] = '\0';  // the neighbour finds it on no host
  }
  return handle;
}

MappedMemory::MappedMemory(const PeerMemory::Handle& handle, int rank) {
  const auto here = unshared_handle();
  if (handle.host[0] == '\0') fail("its device shares no memory: MIG, a container without IPC, or a driver without it", rank);
  if (std::strcmp(handle.host, here.host) != 0) fail("it is on another node, " + std::string(handle.host), rank);
  void* memory = nullptr;
  if (const auto status = cudaIpcOpenMemHandle(&memory, handle.memory, cudaIpcMemLazyEnablePeerAccess); status != cudaSuccess) {
    cudaGetLastError();
    fail(std::string(cudaGetErrorString(status)) + "; each rank must see its neighbours' devices, so no --gpus-per-task", rank);
  }
  data_ = static_cast<std::byte*>(memory);
}

MappedMemory::~MappedMemory() {
  cudaIpcCloseMemHandle(data_);
}

}  // namespace halotherm::comm
