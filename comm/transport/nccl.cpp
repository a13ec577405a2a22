// SPDX-License-Identifier: MIT
#include "comm/transport/nccl.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <optional>
#include <thread>
#include <utility>

namespace halotherm::comm {

namespace {

// from nccl.h
constexpr int success = 0;
constexpr int bytes_of_one = 1;  // ncclUint8
struct UniqueId {
  char bytes[128];
};

[[noreturn]] void fail(const std::string& why) {
  throw Error(ExitCode::usage, {"parallel.transport: nccl cannot be used", why,
                                "set it to auto, p2p, device or staged"});
}

/// Never closed: threads of its own may run in it.
void* open_library() {
  // before the library reads it; nothing here uses what it would reserve memory for
  setenv("NCCL_NVLS_ENABLE", "0", 1);
  void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const char* const reason = dlerror();
  fail(reason == nullptr ? "libnccl.so.2 cannot be loaded" : reason);
}

template <class Function>
Function* function(void* library, const char* name) {
  auto* const found = reinterpret_cast<Function*>(dlsym(library, name));
  if (found == nullptr) fail(std::string("libnccl.so.2 is too old: it has no ") + name);
  return found;
}

/// Collective. NCCL takes one rank a device.
void require_own_devices(const Communicator& communicator) {
  const auto mine =
      agreed(communicator, [] { return gpu::identity_of(gpu::current_device()).uuid; });
  const auto all = communicator.node().gather_values(mine);
  agree(communicator, [&] {
    if (std::ranges::count(all, mine) > 1) fail("several ranks share a GPU");
  });
}

/// The result of `work`, which another thread calls; none if that takes too long. Then the thread
/// is left alone, and `work` must own what it uses.
template <class Work>
auto result_in_time(std::chrono::seconds most, Work work) {
  using Result = decltype(work());
  std::packaged_task<Result()> task(std::move(work));
  auto result = task.get_future();
  std::thread(std::move(task)).detach();
  const bool done = result.wait_for(most) == std::future_status::ready;
  return done ? std::optional<Result>(result.get()) : std::nullopt;
}

/// What MPI communicators own: an Nccl, or why there is none, since a failure may take a minute.
struct Attribute {
  std::unique_ptr<Nccl> nccl;
  std::optional<CollectiveError> failure;
};

int destroy(MPI_Comm, int, void* attribute, void*) {
  delete static_cast<Attribute*>(attribute);
  return MPI_SUCCESS;
}

/// The key of that attribute.
int key() {
  static const int made = [] {
    int result = MPI_KEYVAL_INVALID;
    comm::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, destroy, &result, nullptr));
    return result;
  }();
  return made;
}

}  // namespace

struct Nccl::Functions {
  void* library = open_library();
  int (*get_unique_id)(UniqueId*) = function<int(UniqueId*)>(library, "ncclGetUniqueId");
  int (*init_rank)(void**, int, UniqueId,
                   int) = function<int(void**, int, UniqueId, int)>(library, "ncclCommInitRank");
  int (*destroy)(void*) = function<int(void*)>(library, "ncclCommDestroy");
  int (*group_start)() = function<int()>(library, "ncclGroupStart");
  int (*group_end)() = function<int()>(library, "ncclGroupEnd");
  int (*send)(const void*, std::size_t, int, int, void*, gpu::Stream) =
      function<int(const void*, std::size_t, int, int, void*, gpu::Stream)>(library, "ncclSend");
  int (*receive)(void*, std::size_t, int, int, void*, gpu::Stream) =
      function<int(void*, std::size_t, int, int, void*, gpu::Stream)>(library, "ncclRecv");
  const char* (*text_of)(int) = function<const char*(int)>(library, "ncclGetErrorString");
  const char* (*last_error)(void*) = function<const char*(void*)>(library, "ncclGetLastError");

  std::string reason(int result, void* communicator) const {
    const std::string text = text_of(result), more = last_error(communicator);
    return more.empty() ? text : text + ": " + more;
  }
};

Nccl& Nccl::of(const Communicator& communicator) {
  void* found = nullptr;
  int exists = 0;
  comm::check(MPI_Comm_get_attr(communicator.handle(), key(), &found, &exists));
  if (exists == 0) {
    auto made = std::make_unique<Attribute>();
    try {
      made->nccl.reset(new Nccl(communicator));
    } catch (const CollectiveError& error) {
      made->failure = error;
    }
    comm::check(MPI_Comm_set_attr(communicator.handle(), key(), made.get()));
    found = made.release();
  }
  const auto& attribute = *static_cast<const Attribute*>(found);
  if (attribute.failure) throw *attribute.failure;
  return *attribute.nccl;
}

Nccl::Nccl(const Communicator& communicator) {
  agree(communicator, [&] { functions_ = std::make_unique<Functions>(); });
  require_own_devices(communicator);
  UniqueId id{};
  agree(communicator, [&] {
    if (!communicator.is_root()) return;
    const int result = functions_->get_unique_id(&id);
    if (result != success) fail(functions_->reason(result, nullptr));
  });
  const auto text = communicator.broadcast(std::string(id.bytes, sizeof id.bytes));
  std::ranges::copy(text, id.bytes);
  agree(communicator, [&] { handle_ = begin(communicator, id.bytes); });
}

/// A network that NCCL cannot use may let it wait for ever.
void* Nccl::begin(const Communicator& communicator, const char* id) const {
  constexpr std::chrono::seconds most{60};
  const CollectiveCall call("ncclCommInitRank");
  UniqueId copy{};
  std::copy_n(id, sizeof copy.bytes, copy.bytes);
  const auto initialise = [init_rank = functions_->init_rank, ranks = communicator.size(), copy,
                           rank = communicator.rank(), device = gpu::current_device()] {
    void* made = nullptr;
    gpu::use_device(device);  // CUDA's current device is a property of the thread
    const int result = init_rank(&made, ranks, copy, rank);
    return std::pair(result, made);
  };
  const auto begun = result_in_time(most, initialise);
  if (!begun)
    fail("it did not start within " + std::to_string(most.count()) +
         " s: NCCL_DEBUG=INFO shows its network, which NCCL_SOCKET_IFNAME chooses");
  const auto [result, made] = *begun;
  if (result != success) fail(functions_->reason(result, nullptr));
  return made;
}

Nccl::~Nccl() {
  if (handle_ != nullptr) functions_->destroy(handle_);
}

void Nccl::check(int result, const char* action) const {
  if (result == success) return;
  throw Error(ExitCode::internal,
              {std::string("NCCL cannot ") + action, functions_->reason(result, handle_),
               "set NCCL_DEBUG=WARN for more, or parallel.transport to another"});
}

void Nccl::begin_group() {
  check(functions_->group_start(), "begin an exchange");
}
void Nccl::end_group() {
  check(functions_->group_end(), "exchange messages");
}
void Nccl::send(const std::byte* from, std::size_t bytes, int rank, gpu::Stream stream) {
  check(functions_->send(from, bytes, bytes_of_one, rank, handle_, stream), "send a message");
}
void Nccl::receive(std::byte* to, std::size_t bytes, int rank, gpu::Stream stream) {
  check(functions_->receive(to, bytes, bytes_of_one, rank, handle_, stream), "receive a message");
}

}  // namespace halotherm::comm
