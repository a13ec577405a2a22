// SPDX-License-Identifier: MIT
#include "comm/mpi/node_memory.hpp"

#include "comm/mpi/error.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace halotherm::comm {

namespace {

/// A name that no other job has: the first rank's process and the time.
std::string new_name() {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return "/halotherm-" + std::to_string(getpid()) + "-" + std::to_string(now);
}

/// Maps the memory of this name, if there is any; nothing on failure.
void* mapped(const std::string& name, int flags, std::size_t size) {
  const int file = shm_open(name.c_str(), flags, S_IRUSR | S_IWUSR);
  if (file < 0) return MAP_FAILED;
  // memory that is set aside cannot be found missing at the first access, which would be a signal
  const bool there =
      (flags & O_CREAT) == 0 || posix_fallocate(file, 0, static_cast<off_t>(size)) == 0;
  auto* memory =
      there ? mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  close(file);
  return memory;
}

}  // namespace

NodeMemory::NodeMemory(const Communicator& node, std::size_t bytes)
    : size_(bytes * static_cast<std::size_t>(node.size())), data_(MAP_FAILED) {
  const auto name = node.is_root() ? new_name() : "";
  if (node.is_root()) data_ = mapped(name, O_CREAT | O_EXCL | O_RDWR, size_);
  const auto its_name = node.broadcast(name);
  if (!node.is_root()) data_ = mapped(its_name, O_RDWR, size_);
  const bool everywhere = node.all(data_ != MAP_FAILED);
  if (node.is_root()) shm_unlink(name.c_str());
  if (everywhere) return;
  if (data_ != MAP_FAILED) munmap(data_, size_);
  throw Error(ExitCode::internal,
              {"the ranks of a node share no memory",
               "the first of them cannot make any, or others do not see it", "look at /dev/shm"});
}

NodeMemory::~NodeMemory() {
  munmap(data_, size_);
}

}  // namespace halotherm::comm
