// SPDX-License-Identifier: MIT
// A coroutine that its owner resumes by polling.
#pragma once

#include <coroutine>
#include <exception>
#include <functional>
#include <utility>

namespace halotherm::io {

/// A coroutine that suspends at `co_await until(condition)` until `poll` finds the condition true.
/// It runs on the thread that polls, so the work between two suspensions should be short.
/// Move-only; the destructor of an unfinished task abandons the rest of its work.
///
///     PolledTask write() {
///       co_await until([&] { return messages_arrived(); });
///       ...
///     }
class PolledTask {
 public:
  struct Until {
    std::function<bool()> condition;
    bool await_ready() const { return condition(); }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> task) {
      task.promise().condition = std::move(condition);
    }
    void await_resume() const {}
  };

  struct promise_type {  // NOLINT(readability-identifier-naming): the language's name
    std::function<bool()> condition;
    std::exception_ptr failure;
    PolledTask get_return_object() {
      return PolledTask(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };

  PolledTask() = default;
  ~PolledTask() {
    if (task_) task_.destroy();
  }
  PolledTask(PolledTask&& other) noexcept : task_(std::exchange(other.task_, {})) {}
  PolledTask& operator=(PolledTask&& other) noexcept {
    std::swap(task_, other.task_);
    return *this;
  }
  PolledTask(const PolledTask&) = delete;
  PolledTask& operator=(const PolledTask&) = delete;

  /// Resumes the task as far as it can go and returns whether it has finished. Throws what it
  /// throws.
  bool poll() {
    while (!done() && (!task_.promise().condition || task_.promise().condition())) {
      task_.promise().condition = nullptr;
      task_.resume();
      if (task_.promise().failure)
        std::rethrow_exception(std::exchange(task_.promise().failure, nullptr));
    }
    return done();
  }

  bool done() const { return !task_ || task_.done(); }

 private:
  explicit PolledTask(std::coroutine_handle<promise_type> task) : task_(task) {}
  std::coroutine_handle<promise_type> task_;
};

/// What a task awaits with `co_await`.
inline PolledTask::Until until(std::function<bool()> condition) {
  return {std::move(condition)};
}

}  // namespace halotherm::io
