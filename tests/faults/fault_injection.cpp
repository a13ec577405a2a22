// SPDX-License-Identifier: MIT
// A library for LD_PRELOAD that makes calls of the C library on chosen files fail, or do something
// else than they were told. What is to happen, by environment variables:
//
//   FAULT_CALL    as interposed::concerns names them
//   FAULT_ERROR   ENOSPC, EDQUOT, EIO, EACCES, EROFS, ESTALE or EINVAL; short: half of the bytes,
//   and ENOSPC from the next call on;
//                 half: half of the bytes, which is no error; corrupt: one bit is changed, and
//                 success reported; stop: by SIGSTOP
//   FAULT_PATH    of the file, as fnmatch(3) has patterns
//   FAULT_RANK    of MPI_COMM_WORLD, else any
//   FAULT_THREAD  main or other, else any
//   FAULT_AFTER   a call (as in FAULT_CALL) that must have been made on the file before, else none;
//   fallocate:2: twice FAULT_AT      the first of these calls to be hit, counted from 1, else 1; of
//   each rank FAULT_COUNT   how many are hit, else 1; 0: all from there on FAULT_LOG     a file
//   that gets a line for every hit
#include "../interposed/system_calls.hpp"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <utility>

using interposed::Effect;
using interposed::my_rank;
using interposed::variable;

namespace {

int number_of(std::string_view error) {
  constexpr std::array<std::pair<std::string_view, int>, 8> known{{{"ENOSPC", ENOSPC},
                                                                   {"EDQUOT", EDQUOT},
                                                                   {"EIO", EIO},
                                                                   {"EACCES", EACCES},
                                                                   {"EROFS", EROFS},
                                                                   {"ESTALE", ESTALE},
                                                                   {"EINVAL", EINVAL},
                                                                   {"short", ENOSPC}}};
  for (const auto& [name, number] : known) {
    if (name == error) return number;
  }
  return 0;
}

/// What the variables say, and how far it has come. Any thread may ask.
class Fault {
 public:
  static Fault& the_one() {
    static Fault fault;
    return fault;
  }

  Effect of(std::string_view call, const std::string& path) {
    if (!mine_ || fnmatch(path_.c_str(), path.c_str(), 0) != 0) return Effect::none;
    const std::lock_guard alone(mutex_);
    const auto name =
        path.substr(path.rfind('/') + 1);  // calls give paths that begin here or at the root
    if (name != last_) seen_ = 0;
    last_ = name;
    const bool ready = seen_ >= times_;
    if (call == after_) ++seen_;
    if (!ready || call != call_ || !on_thread()) return Effect::none;
    const long hit = ++calls_ - first_;
    if (hit < 0 || hit >= count_) return Effect::none;
    note(call, path);
    if (error_ == "stop") raise(SIGSTOP);
    if (error_ == "corrupt") return Effect::corruption;
    if (error_ == "half" || (error_ == "short" && hit == 0)) return Effect::half;
    errno = number_;
    return error_ == "stop" ? Effect::none : Effect::failure;
  }

  bool concerns(std::string_view call) const { return mine_ && (call == call_ || call == after_); }

 private:
  Fault() {
    const auto rank = variable("FAULT_RANK");
    const long count = std::stol(variable("FAULT_COUNT", "1"));
    if (count > 0) count_ = count;
    const auto colon = after_.find(':');
    if (!after_.empty())
      times_ = colon == std::string::npos ? 1 : std::stol(after_.substr(colon + 1));
    after_.resize(std::min(colon, after_.size()));
    mine_ = !call_.empty() && (rank.empty() || rank == my_rank());
  }

  bool on_thread() const {
    return thread_.empty() || interposed::on_main_thread() == (thread_ == "main");
  }

  /// By system calls, which this library does not see.
  void note(std::string_view call, const std::string& path) const {
    const auto line = my_rank() + " " + std::string(call) + " " + path + "\n";
    const long log =
        syscall(SYS_openat, AT_FDCWD, log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (log < 0 || syscall(SYS_write, log, line.data(), line.size()) < 0) std::abort();
    syscall(SYS_close, log);
  }

  std::string call_ = variable("FAULT_CALL");
  std::string error_ = variable("FAULT_ERROR");
  std::string path_ = variable("FAULT_PATH", "*");
  std::string thread_ = variable("FAULT_THREAD");
  std::string after_ = variable("FAULT_AFTER");
  std::string log_ = variable("FAULT_LOG");
  int number_ = number_of(error_);
  long first_ = std::stol(variable("FAULT_AT", "1"));
  long count_ = std::numeric_limits<long>::max();
  bool mine_ = false;
  std::mutex mutex_;
  long times_ = 0;    ///< of the call of FAULT_AFTER
  std::string last_;  ///< file that a call concerned
  long seen_ = 0;     ///< calls of FAULT_AFTER on it
  long calls_ = 0;
};

}  // namespace

bool interposed::concerns(std::string_view call) {
  return Fault::the_one().concerns(call);
}

Effect interposed::effect(std::string_view call, const std::string& path) {
  return Fault::the_one().of(call, path);
}

void interposed::note(std::string_view /*call*/, const std::string& /*path*/,
                      std::int64_t /*result*/) {}
