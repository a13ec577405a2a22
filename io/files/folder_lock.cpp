// SPDX-License-Identifier: MIT
#include "io/files/folder_lock.hpp"

#include "comm/mpi/error.hpp"
#include "io/files/durable_file.hpp"
#include "io/files/file_descriptor.hpp"
#include "io/files/lock_holder.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

namespace halotherm::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = ".halotherm.lock";

std::string new_token() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

/// The lock that succeeds one whose process has ended; only one process can create it.
fs::path successor(const fs::path& lock, const std::string& token) {
  return lock.string() + "." + token;
}

std::string beat_text(long beats) {
  return fmt::format("{:012}\n", beats);
}

/// The state of a lock's holder; `gone` if the lock itself is gone.
enum class Life { alive, ended, gone };

/// Waits until the lock's text changes, a sign of life, or until the time is over.
Life wait_for_beat(const fs::path& file, std::string& text, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(0.1, seconds / 20)));
    const auto now = read_lock(file);
    if (!now) return Life::gone;
    if (*now == text) continue;
    text = *now;
    return Life::alive;
  }
  return Life::ended;
}

}  // namespace

FolderLock::FolderLock(fs::path folder, Settings settings)
    : folder_(std::move(folder)),
      file_(folder_ / lock_name),
      settings_(std::move(settings)),
      token_(new_token()),
      text_(this_process_as_holder(token_)) {
  constexpr int attempts = 20;
  for (int attempt = 1; !acquired(); ++attempt) {
    if (attempt == attempts)
      fail("cannot lock", file_, "other runs start in this folder all the time", "try again");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  thread_ = std::thread([this] { keep_beating(); });
}

void FolderLock::print(const std::string& line) const {
  if (settings_.print) settings_.print(line);
}

FolderLock::~FolderLock() {
  {
    const std::lock_guard alone(mutex_);
    ended_ = true;
  }
  ending_.notify_one();
  thread_.join();
  try {
    const auto text = read_lock(file_);
    if (text && token_of(*text) == token_) remove_file(file_);
  } catch (const comm::Error&) {
    // the disk has failed and the file stays; whoever finds it sees that its holder has ended
  }
}

/// Follows the chain of dead locks to its end and creates the next one. False if another process
/// was faster.
bool FolderLock::acquired() {
  auto place = file_;
  std::vector<fs::path> dead;
  std::string last;
  while (auto text = read_lock(place)) {
    auto life = life_of(*text);
    if (!life) {
      const double seconds = settings_.beat * settings_.stall_timeout;
      print(
          fmt::format("lock           of another machine's run ({}): waiting up to {:.0f} s for a "
                      "sign of life",
                      describe_holder(*text), seconds));
      const auto seen = wait_for_beat(place, *text, seconds);
      if (seen == Life::gone) return false;
      life = seen == Life::alive;
    }
    if (*life) {
      throw comm::Error(
          comm::ExitCode::usage,
          {"'" + folder_.string() + "' is in use by another run", describe_holder(*text),
           "wait for it, end it by a file 'stop' there, or choose another output.directory; if it "
           "is gone for certain, remove '" +
               place.string() + "'"});
    }
    dead.push_back(place);
    last = *text;
    place = successor(file_, token_of(*text));
  }
  if (!create(place)) return false;
  if (dead.empty()) return true;
  if (!take_the_place_of(dead, place)) return false;
  print(fmt::format("lock           taken over from a run that has ended ({})",
                    describe_holder(last)));
  return true;
}

/// Whether the locks found dead still follow one another and `place` holds this process' lock.
bool FolderLock::leads_to(const fs::path& place, const std::vector<fs::path>& dead) const {
  for (std::size_t n = 0; n < dead.size(); ++n) {
    const auto text = read_lock(dead[n]);
    const auto next = n + 1 < dead.size() ? dead[n + 1] : place;
    if (!text || successor(file_, token_of(*text)) != next) return false;
  }
  const auto mine = read_lock(place);
  return mine && token_of(*mine) == token_;
}

bool FolderLock::take_the_place_of(const std::vector<fs::path>& dead, const fs::path& place) const {
  bool mine = leads_to(place, dead);
  for (std::size_t n = 1; mine && n < dead.size(); ++n) mine = ::unlink(dead[n].c_str()) == 0;
  if (mine && std::rename(place.c_str(), file_.c_str()) == 0) return true;
  remove_file(place);
  return false;
}

/// Creates a lock of this process; false if the file exists.
bool FolderLock::create(const fs::path& place) const {
  const FileDescriptor file(place, O_WRONLY | O_CREAT | O_EXCL);
  if (!file.is_open() && errno == EEXIST) return false;
  if (!file.is_open()) fail("cannot make", place, errno, "check the output directory");
  try {
    const auto text = text_ + beat_text(0);
    file.write(std::as_bytes(std::span(text)), 0);
  } catch (const comm::Error&) {
    remove_file(place);
    throw;
  }
  return true;
}

void FolderLock::keep_beating() {
  std::unique_lock alone(mutex_);
  while (!ending_.wait_for(alone, std::chrono::duration<double>(settings_.beat),
                           [this] { return ended_; })) {
    alone.unlock();  // a file system may be slow
    try {
      beat();
    } catch (const comm::Error&) {
      // the file system may be back at the next beat
    }
    alone.lock();
  }
}

/// Whether a lock's text is another run's. A lock without a token is still being written, perhaps
/// by this process' own thread.
bool FolderLock::is_another(const std::string& text) const {
  const auto token = token_of(text);
  return token != no_token && token != token_;
}

/// Writes the next number. Creates a removed lock again: users remove locks of dead processes, and
/// this process is alive.
void FolderLock::beat() {
  if (lost_) return;
  const auto text = read_lock(file_);
  if (!text) {
    create(file_);
  } else if (is_another(*text)) {
    lost_ = true;
  } else if (token_of(*text) == token_) {
    const auto number = beat_text(++beats_);
    FileDescriptor file(file_, O_WRONLY);
    file.write(std::as_bytes(std::span(number)), static_cast<std::int64_t>(text_.size()));
    file.flush();  // so that other machines see it
  }
}

void FolderLock::require() const {
  std::optional<std::string> text;
  try {
    text = read_lock(file_);
  } catch (const comm::Error&) {
    return;
  }
  if (text && is_another(*text)) lost_ = true;
  if (!lost_) return;
  fail("another run has taken over", folder_,
       (text ? describe_holder(*text) : "it has ended") +
           ": this one gave no sign of life for too long",
       "take the other's results, or start again in another output.directory");
}

}  // namespace halotherm::io
