// SPDX-License-Identifier: MIT
// A library for LD_PRELOAD that counts what each rank does with each file: openings, bytes read and
// written.
//
//   COUNT_FOLDER  gets a table <rank>.counts for each rank, in which processes that the rank starts
//   count as well COUNT_PATH    of the files, as fnmatch(3) has patterns
//
// A table is an array of Row, of which the ones with a name are used. It is shared memory, so that
// nothing is lost with a process that is killed or leaves by _exit.
#include "../interposed/system_calls.hpp"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <span>

namespace {

using Count = std::atomic<std::int64_t>;

/// counts.py reads the same.
struct Row {
  std::array<char, 184> name;  ///< of the file, without its folder
  Count taken;                 ///< 0 free, 1 being named, 2 in use
  Count opens_to_read, opens_to_write;
  Count reads, bytes_read;
  Count writes, bytes_written;
  Count flushes;
  Count on_main_thread;  ///< of all these calls
};
static_assert(sizeof(Row) == 256);
constexpr std::size_t rows = 256;

/// By system calls, which this library does not see.
std::span<Row> make_table() {
  const auto file = interposed::variable("COUNT_FOLDER") + "/" + interposed::my_rank() + ".counts";
  const long descriptor =
      syscall(SYS_openat, AT_FDCWD, file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0 || syscall(SYS_ftruncate, descriptor, rows * sizeof(Row)) != 0) std::abort();
  void* memory = mmap(nullptr, rows * sizeof(Row), PROT_READ | PROT_WRITE, MAP_SHARED,
                      static_cast<int>(descriptor), 0);
  if (memory == MAP_FAILED) std::abort();
  syscall(SYS_close, descriptor);
  return {static_cast<Row*>(memory), rows};
}

Row& row_of(const std::string& path) {
  static const std::span<Row> table = make_table();
  const auto name = path.substr(path.rfind('/') + 1);
  for (auto& row : table) {
    std::int64_t free = 0;
    if (row.taken.compare_exchange_strong(free, 1)) {
      std::memcpy(row.name.data(), name.data(), std::min(name.size(), row.name.size() - 1));
      row.taken = 2;
    }
    while (row.taken != 2) continue;
    if (name == row.name.data()) return row;
  }
  std::abort();
}

bool is_counted(const std::string& path) {
  static const auto pattern = interposed::variable("COUNT_PATH", "*");
  return fnmatch(pattern.c_str(), path.c_str(), 0) == 0;
}

bool moves_bytes(std::string_view call, std::string_view kind) {
  return call == kind || call == "p" + std::string(kind);
}

}  // namespace

bool interposed::concerns(std::string_view call) {
  return call == "open" || call == "open_read" || call == "fsync" || moves_bytes(call, "read") ||
         moves_bytes(call, "write");
}

interposed::Effect interposed::effect(std::string_view /*call*/, const std::string& /*path*/) {
  return Effect::none;
}

void interposed::note(std::string_view call, const std::string& path, std::int64_t result) {
  if (!is_counted(path)) return;
  auto& row = row_of(path);
  if (call == "open") ++row.opens_to_write;
  if (call == "open_read") ++row.opens_to_read;
  if (call == "fsync") ++row.flushes;
  if (moves_bytes(call, "read")) {
    ++row.reads;
    row.bytes_read += std::max<std::int64_t>(result, 0);
  }
  if (moves_bytes(call, "write")) {
    ++row.writes;
    row.bytes_written += std::max<std::int64_t>(result, 0);
  }
  if (on_main_thread()) ++row.on_main_thread;
}
