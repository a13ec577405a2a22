// SPDX-License-Identifier: MIT
#include "comm/mpi/watchdog.hpp"

#include "comm/machine/environment.hpp"
#include "comm/system/activity.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <mutex>
#include <optional>
#include <streambuf>
#include <thread>

namespace halotherm::comm {
namespace {

/// Captures standard error of all threads; the test program's own watchdog prints there.
class Captured : public std::streambuf {
 public:
  Captured() : before_(std::cerr.rdbuf(this)) { set_stall_timeout(0.05); }
  ~Captured() override {
    set_stall_timeout(300);
    note_progress();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // a report that had begun ends
    std::cerr.rdbuf(before_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  /// Waits for the text for a limited time.
  bool comes(const std::string& text) {
    for (int wait = 0; wait < 3000; ++wait) {
      if (so_far().find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "'" << text << "' is not in: " << so_far();
    return false;
  }

 private:
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    const std::lock_guard alone(mutex_);
    text_.append(text, static_cast<std::size_t>(count));
    return count;
  }
  std::string so_far() {
    const std::lock_guard alone(mutex_);
    return text_;
  }

  std::streambuf* before_;
  std::mutex mutex_;
  std::string text_;
};

TEST(Watchdog, reports_what_a_rank_is_doing_and_in_which_call) {
  Captured printed;
  const Activity outer("writing the last outputs");
  const Activity inner("waiting for files: ",
                       [] { return std::string("'a.h5' is read back (pread)"); });
  {
    const CollectiveCall call("MPI_Allreduce");
    printed.comes(
        "rank 0 has stalled for 0.05 s: writing the last outputs, waiting for files: 'a.h5' is "
        "read back (pread), in "
        "MPI_Allreduce, a call that all ranks make; look at the ranks that print nothing or wait "
        "for "
        "no other rank\n");
  }
  printed.comes(
      "rank 0 continues: writing the last outputs, waiting for files: 'a.h5' is read back "
      "(pread)\n");
}

TEST(Watchdog, calls_of_other_threads_leave_the_main_threads_call_alone) {
  const CollectiveCall call("MPI_Barrier");
  std::thread([] { const CollectiveCall other("MPI_Bcast"); }).join();
  std::optional<CollectiveCall> early;
  std::thread([&] { early.emplace("MPI_Bcast"); }).join();
  EXPECT_EQ(current_activity().text, "in MPI_Barrier, a call that all ranks make");
}

TEST(Watchdog, a_rank_that_makes_progress_is_not_reported_by_what_it_does) {
  const Activity activity("taking steps");
  EXPECT_EQ(current_activity().text, "taking steps");
  const auto before = progress_count();
  note_progress();
  EXPECT_NE(progress_count(), before);
}

}  // namespace
}  // namespace halotherm::comm
