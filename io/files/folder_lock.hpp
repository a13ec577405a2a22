// SPDX-License-Identifier: MIT
// A lock file that admits one process at a time to a folder, and that outlives no process for long.
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace halotherm::io {

/// A file `.halotherm.lock` in the folder that exists while the object lives and names the host,
/// process and job of its holder. A thread increments the number in it every beat. Of several
/// processes that request the lock at the same time exactly one gets it, provided that the file
/// system creates files exclusively and renames them atomically. Local; throws comm::Error.
class FolderLock {
 public:
  struct Settings {
    double beat = 5;        ///< [s]
    int stall_timeout = 4;  ///< beats without a sign of life, after which the holder counts as gone
    /// Prints a line for the user when the lock waits for another or takes it over; may be empty.
    std::function<void(const std::string&)> print{};
  };

  /// Takes over the lock of a process of this machine at once if that has ended. Waits for the next
  /// beat of a process of another machine or container, and takes over its lock if none comes for
  /// `stall_timeout` beats. Throws comm::Error: usage if the holder lives, with its host, process
  /// and job; input_output if the lock cannot be created.
  FolderLock(std::filesystem::path folder, Settings settings);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Throws comm::Error (input_output) if the lock belongs to another process by now, which happens
  /// if this one was stopped for long. A lock that cannot be read or was removed is not lost. May
  /// be called by any thread.
  void require() const;
  /// Whether the last check found the lock lost; the thread checks it every beat. Costs nothing.
  bool lost() const { return lost_; }

 private:
  void print(const std::string& line) const;
  bool acquired();
  bool is_another(const std::string& text) const;
  bool leads_to(const std::filesystem::path& place,
                const std::vector<std::filesystem::path>& dead) const;
  bool take_the_place_of(const std::vector<std::filesystem::path>& dead,
                         const std::filesystem::path& place) const;
  bool create(const std::filesystem::path& place) const;
  void keep_beating();
  void beat();

  std::filesystem::path folder_;
  std::filesystem::path file_;
  Settings settings_;
  std::string token_;
  std::string text_;  ///< of the file, up to the number of beats
  long beats_ = 0;
  mutable std::atomic<bool> lost_ = false;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace halotherm::io
