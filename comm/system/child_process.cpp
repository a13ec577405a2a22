// SPDX-License-Identifier: MIT
#include "comm/system/child_process.hpp"

#include "comm/system/stopwatch.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <cstring>
#include <thread>

extern char** environ;

namespace halotherm::comm {

namespace {

constexpr auto no_answer = "no answer within ";

/// The texts as exec takes them; points into `texts`.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const auto& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

std::string text_of(int status) {
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  return WEXITSTATUS(status) == 0 ? "" : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

std::string outcome_of(const std::vector<std::string>& command, double limit,
                       const std::function<bool(const std::string&)>& passes,
                       const std::vector<std::string>& extra) {
  std::vector<std::string> variables = extra;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (passes(*variable)) variables.emplace_back(*variable);
  }
  posix_spawn_file_actions_t silence;
  posix_spawn_file_actions_init(&silence);
  posix_spawn_file_actions_addopen(&silence, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&silence, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&silence, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failure = posix_spawn(&child, command.front().c_str(), &silence, nullptr,
                                  pointers(command).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&silence);
  if (failure != 0) return "cannot be started: " + std::string(std::strerror(failure));

  const Stopwatch stopwatch;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (stopwatch.seconds() > limit) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return no_answer + std::to_string(static_cast<int>(limit)) + " s";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return text_of(status);
}

std::string outcome_of_two(const std::function<std::string()>& attempt) {
  const auto first = attempt();
  if (!first.starts_with(no_answer)) return first;
  const auto second = attempt();
  return second.starts_with(no_answer) ? second + ", twice," : second;
}

}  // namespace halotherm::comm
