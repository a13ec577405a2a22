// SPDX-License-Identifier: MIT
// One process at a time in a folder: a lock that says whose it is, and that outlives no process for
// long.
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

/// A file `.halotherm.lock` in the folder, made for as long as this lives, with host, process and
/// job of its holder. A thread adds one to the number in it every beat. Of several processes that
/// ask for the lock at the same time exactly one gets it; the only thing asked of the file system
/// is that a file is made exclusively, and renamed, in one piece. Local; throws comm::Error.
class FolderLock {
 public:
  struct Settings {
    double beat = 5;        ///< [s]
    int stall_timeout = 4;  ///< beats without a sign of life, after which the holder counts as gone
    std::function<void(const std::string&)>
        say{};  ///< gets a line for the user when it waits, or takes over a lock
  };

  /// A lock whose process was on this machine is taken over at once if that has ended. Of a process
  /// of another machine, or of another container, it waits for the next beat, and takes the lock
  /// over if there is none for `stall_timeout` beats. Throws comm::Error: usage if the holder
  /// lives, with its host, process and job; input_output if the lock cannot be made.
  FolderLock(std::filesystem::path folder, Settings settings);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Looks whether the lock is still this process', which may have been stopped for so long that
  /// another one took it over. Throws comm::Error (input_output) if not. A lock that cannot be
  /// read, or was removed, is not lost. May be called by any thread.
  void require() const;
  /// Whether it was lost when somebody last looked, as the thread does every beat; costs nothing.
  bool lost() const { return lost_; }

 private:
  bool acquired();
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
