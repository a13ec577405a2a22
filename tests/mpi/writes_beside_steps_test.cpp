// SPDX-License-Identifier: MIT
// Steps go on while files are written: every call that may wait for a disk waits here until some
// more steps have been taken. A run that waits for its file instead is seen, whichever way the file
// was ordered, and so is a call that the steps' own thread makes.
#include "app/control/signals.hpp"
#include "app/run/simulation.hpp"
#include "tests/support/io_support.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <sstream>
#include <thread>

namespace {

/// Between this process and the system, until the first file of a run has passed.
class Gate {
 public:
  /// For files below the folder, of a run whose steps this thread takes; `last` is the call that
  /// ends a file.
  void close(const std::filesystem::path& folder, const std::string& last) {
    const std::lock_guard alone(mutex_);
    folder_ = folder.string();
    last_call_ = last;
    first_file_.clear();
    stepping_thread_ = std::this_thread::get_id();
    steps_ = 0;
    done_ = false;
    fault_.clear();
    closed_ = true;
  }
  void open() { closed_ = false; }

  /// A step was taken.
  void step() { ++steps_; }
  long steps() const { return steps_; }

  /// Just before a call of that name on the file.
  void pass(const std::string& call, const std::string& file) {
    if (!concerns(call, file) || steps_ == 0) return;
    if (std::this_thread::get_id() == stepping_thread_)
      return fail(call + " of '" + file + "' by the thread that takes the steps");
    constexpr long enough = 3;
    const auto last = steps_ + enough;
    for (int wait = 0; closed_ && steps_ < last; ++wait) {
      if (wait == 10000) return fail("no step was taken during the " + call + " of '" + file + "'");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (call != last_call_ || is_partial(file) || (call == "rename" && !file.ends_with(".series")))
      return;
    done_ = true;
    closed_ = false;  // from here on the run may stop
  }

  /// Whether the first file is complete, on rank 0; or the test has failed.
  bool done() const { return done_; }
  std::string fault() const {
    const std::lock_guard alone(mutex_);
    return fault_;
  }

 private:
  static bool is_partial(const std::string& file) {
    return file.find("/.checkpoint_") != std::string::npos ||
           file.find("/.temperature_") != std::string::npos;
  }

  /// Rows are added to diagnostics.csv by the steps' thread, but not brought to the disk.
  bool concerns(const std::string& call, const std::string& file) {
    if (!closed_) return false;
    const std::lock_guard alone(mutex_);
    if (!file.starts_with(folder_)) return false;
    if (is_partial(file) && first_file_.empty()) first_file_ = file;
    if (is_partial(file) && first_file_ != file) closed_ = false;
    const bool state =
        file.find("/checkpoints") != std::string::npos || file.find("/fields") != std::string::npos;
    return closed_ && (state || call == "fsync");
  }

  void fail(const std::string& text) {
    const std::lock_guard alone(mutex_);
    if (fault_.empty()) fault_ = text;
    closed_ = false;
    done_ = true;
  }

  mutable std::mutex mutex_;
  std::atomic<bool> closed_ = false;
  std::atomic<bool> done_ = false;
  std::atomic<long> steps_ = 0;
  std::thread::id stepping_thread_;
  std::string folder_, last_call_, first_file_, fault_;
};

Gate gate;

std::string path_of(int file) {
  std::array<char, 4096> path{};
  const auto length =
      readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path.data(), path.size() - 1);
  return {path.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// the program's and HDF5's calls come here
extern "C" {
ssize_t pwrite(int file, const void* data, std::size_t bytes, off_t place) {
  gate.pass("pwrite", path_of(file));
  return real<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite")(file, data, bytes,
                                                                           place);
}
ssize_t pread(int file, void* data, std::size_t bytes, off_t place) {
  gate.pass("pread", path_of(file));
  return real<ssize_t (*)(int, void*, std::size_t, off_t)>("pread")(file, data, bytes, place);
}
int fsync(int file) {
  gate.pass("fsync", path_of(file));
  return real<int (*)(int)>("fsync")(file);
}
int fallocate(int file, int mode, off_t begin, off_t bytes) {
  gate.pass("fallocate", path_of(file));
  return real<int (*)(int, int, off_t, off_t)>("fallocate")(file, mode, begin, bytes);
}
int rename(const char* from, const char* to) noexcept {
  gate.pass("rename", to);
  return real<int (*)(const char*, const char*)>("rename")(from, to);
}
int unlink(const char* path) noexcept {
  gate.pass("unlink", path);
  return real<int (*)(const char*)>("unlink")(path);
}
ssize_t pwrite64(int file, const void* data, std::size_t bytes, off64_t place)
    __attribute__((alias("pwrite")));
ssize_t pread64(int file, void* data, std::size_t bytes, off64_t place)
    __attribute__((alias("pread")));
int fallocate64(int file, int mode, off64_t begin, off64_t bytes)
    __attribute__((alias("fallocate")));
}

namespace halotherm::app {
namespace {

std::function<void()> after_launch;  ///< of a step's kernel

void on_launch(const char* name, std::uint32_t, std::uint64_t*) {
  if (std::string(name).find("diffuse") == std::string::npos) return;
  gate.step();
  after_launch();
}

/// How a file is ordered: by the configuration, or from outside.
struct Order {
  const char* name;
  const char* output;
  void (*give)(const std::filesystem::path& folder) = nullptr;
  const char* last_call = "unlink";  ///< of the checkpoint that it replaces
};

void PrintTo(const Order& order, std::ostream* out) {
  *out << order.name;
}

class WritesBesideSteps : public testing::TestWithParam<Order> {
 protected:
  void SetUp() override {
    SignalRequests::listen();
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(on_launch);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(on_launch);
  }
  void TearDown() override {
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(nullptr);
    SignalRequests::listen();
  }

  const comm::Communicator& world = test::world();

  /// Until the first file is complete; then it is asked to stop.
  void run(const std::filesystem::path& folder) const {
    std::ostringstream text;
    text << "grid: {cells: [24, 20, 48], upper: [1, 1, 1]}\n"
         << "materials: {solid: {conductivity: 2, density: 3, heat_capacity: 4}}\n"
         << "initial: {temperature: \"300 + x\"}\n"
         << "sides: {x: periodic, y-: {temperature: \"300 + z\"}}\n"
         << "time: {steps: 1000000000}\n"
         << "output: {directory: " << folder.string() << ", diagnostics: {steps: 1000}, "
         << GetParam().output << "}\n";
    const auto config = parse_config(text.str(), "test", {});
    std::ostringstream silent;
    Simulation<double>(world, config, choose_partition<double>(world, config), {}, {}, {},
                       io::Log(world, silent))
        .run();
  }
};

TEST_P(WritesBesideSteps, whatever_ordered_them) {
  const test::TemporaryFolder folder(world);
  const auto results = folder.path() / "results";
  after_launch = [&] {
    if (world.is_root() && gate.steps() == 1)
      test::write_bytes(results / "checkpoints" / "checkpoint_0000000000.h5", "older");
    if (world.is_root() && gate.steps() == 1000 && GetParam().give != nullptr)
      GetParam().give(results);
    if (SignalRequests::stop() == 0 && (gate.done() || gate.steps() > 500000)) std::raise(SIGUSR2);
  };
  gate.close(results, GetParam().last_call);
  run(results);
  gate.open();
  EXPECT_EQ(gate.fault(), "");
  EXPECT_TRUE(gate.done() || !world.is_root()) << "no file was completed";
}

INSTANTIATE_TEST_SUITE_P(
    RunRequests, WritesBesideSteps,
    testing::Values(Order{"steps", "checkpoint: {steps: 10000, keep: 1}"},
                    Order{"simulated time", "checkpoint: {every: 4, keep: 1}"},
                    Order{"real time", "checkpoint: {walltime: 1.5, keep: 1}"},
                    Order{"a signal", "checkpoint: {keep: 1}",
                          [](const auto&) { std::raise(SIGUSR1); }},
                    Order{"the file 'checkpoint'", "checkpoint: {keep: 1}",
                          [](const auto& folder) { test::write_bytes(folder / "checkpoint", ""); }},
                    Order{"steps, snapshots", "fields: {steps: 10000}", nullptr, "rename"}));

}  // namespace
}  // namespace halotherm::app
