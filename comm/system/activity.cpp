// SPDX-License-Identifier: MIT
#include "comm/system/activity.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

namespace halotherm::comm {

namespace {

struct Entry {
  std::string text;
  std::function<Waiting()> detail;
};

struct Record {
  std::mutex mutex;  ///< guards the entries
  std::vector<Entry> entries;
  std::mutex processes_mutex;
  Processes processes;
  std::atomic<const char*> call = nullptr;
  std::atomic<std::uint64_t> progress = 0;
  std::atomic<double> stall_timeout = 300;
};

/// Static variables are initialised in the main thread.
const std::thread::id main_thread = std::this_thread::get_id();

/// Never destroyed: the watchdog's thread may outlive static objects.
Record& record() {
  static auto* the_one = new Record;
  return *the_one;
}

}  // namespace

Activity::Activity(std::string text, std::function<Waiting()> detail) {
  const std::lock_guard alone(record().mutex);
  record().entries.push_back({std::move(text), std::move(detail)});
  note_progress();
}

Activity::~Activity() {
  const std::lock_guard alone(record().mutex);
  record().entries.pop_back();
  note_progress();
}

CollectiveCall::CollectiveCall(const char* name) {
  if (std::this_thread::get_id() == main_thread)
    outer_ = record().call.exchange(name, std::memory_order_relaxed);
}

CollectiveCall::~CollectiveCall() {
  if (std::this_thread::get_id() == main_thread)
    record().call.store(outer_, std::memory_order_relaxed);
  note_progress();
}

void note_progress() {
  record().progress.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t progress_count() {
  return record().progress.load(std::memory_order_relaxed);
}

Waiting current_activity() {
  Waiting now;
  auto& text = now.text;
  {
    const std::lock_guard alone(record().mutex);
    for (const auto& entry : record().entries) {
      text += (text.empty() ? "" : ", ") + entry.text;
      if (!entry.detail) continue;
      const auto detail = entry.detail();
      text += detail.text;
      now.ranks.insert(now.ranks.end(), detail.ranks.begin(), detail.ranks.end());
      now.for_all = now.for_all || detail.for_all;
    }
  }
  if (const char* call = record().call.load(std::memory_order_relaxed)) {
    text += (text.empty() ? "in " : ", in ") + std::string(call) + ", a call that all ranks make";
    now.for_all = true;
  }
  if (text.empty()) text = "between two parts of its work";
  return now;
}

void set_stall_timeout(double seconds) {
  record().stall_timeout = seconds;
}

double stall_timeout() {
  return record().stall_timeout;
}

void set_processes(Processes processes) {
  const std::lock_guard alone(record().processes_mutex);
  record().processes = std::move(processes);
}

std::string process_of(int rank) {
  const std::lock_guard alone(record().processes_mutex);
  const auto& [hosts, host_of_rank, ids] = record().processes;
  const auto n = static_cast<std::size_t>(rank);
  const auto text = "rank " + std::to_string(rank);
  if (n >= ids.size()) return text;
  return text + " (" + hosts[static_cast<std::size_t>(host_of_rank[n])] + ", process " +
         std::to_string(ids[n]) + ")";
}

}  // namespace halotherm::comm
