// SPDX-License-Identifier: MIT
#include "comm/transport/peer_memory.hpp"

#include "comm/mpi/error.hpp"

#include <unistd.h>

#include <cstring>
#include <string>

namespace halotherm::comm {

namespace {

PeerMemory::Handle unshared_handle() {
  PeerMemory::Handle handle{};
  gethostname(handle.host, sizeof handle.host - 1);
  return handle;
}

[[noreturn]] void fail(const std::string& why) {
  throw Error(ExitCode::usage, {"parallel.transport: p2p cannot be used", why,
                                "set it to auto, device, staged or rma"});
}

}  // namespace

PeerMemory::PeerMemory(std::size_t bytes) {
  // a block of its own, since IPC maps whole blocks, and MPI may have mapped a shared one already
  constexpr std::size_t block = std::size_t{2} << 20;
  try {
    data_ = gpu::allocate((bytes + block - 1) / block * block);
  } catch (const Error& error) {
    throw Error(error.code(), {"no device memory for the exchange", error.reason(),
                               "use more devices or a smaller grid"});
  }
}

PeerMemory::~PeerMemory() {
  gpu::free(data_);
}

PeerMemory::Handle PeerMemory::handle() const {
  auto handle = unshared_handle();
  if (const auto shared = gpu::share(data_)) {
    handle.memory = *shared;
  } else {
    handle.host[0] = '\0';  // marks memory that cannot be shared
  }
  return handle;
}

MappedMemory::MappedMemory(const PeerMemory::Handle& handle, int rank) {
  const auto here = unshared_handle();
  const auto neighbour = "rank " + std::to_string(rank);
  if (handle.host[0] == '\0')
    fail("the device of " + neighbour +
         " shares no memory: MIG, a container without IPC, or a driver without it");
  if (std::strcmp(handle.host, here.host) != 0)
    fail(neighbour + " is on another node, " + handle.host);
  try {
    data_ = gpu::map(handle.memory);
  } catch (const Error& error) {
    fail("the device of " + neighbour +
         " is not visible here, as with --gpus-per-task: " + error.reason());
  }
}

MappedMemory::~MappedMemory() {
  gpu::unmap(data_);
}

}  // namespace halotherm::comm
