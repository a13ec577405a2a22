// SPDX-License-Identifier: MIT
#include "io/files/lock_holder.hpp"

#include "comm/machine/environment.hpp"
#include "io/files/file_descriptor.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <vector>

namespace halotherm::io {

namespace {

constexpr std::int64_t longest = 4096;  ///< bytes of a lock that are read

/// The value of a key; empty if there is none.
std::string value_of(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(key + ": ")) return line.substr(key.size() + 2);
  }
  return {};
}

std::string first_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// Identifies this machine since its last start.
std::string kernel() {
  return first_line("/proc/sys/kernel/random/boot_id");
}

/// Identifies the space in which process numbers are unique.
std::string name_space() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
}

/// When the process was started, in the kernel's ticks; empty if there is none or it is a zombie.
std::string birth_of(const std::string& process) {
  const auto line = first_line("/proc/" + process + "/stat");
  const auto name_end = line.rfind(") ");
  if (name_end == std::string::npos) return {};
  std::istringstream rest(line.substr(name_end + 2));
  const std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};
  constexpr std::size_t state = 0, start_time = 19;  // counted from the state on: see proc(5)
  if (fields.size() <= start_time || fields[state] == "Z" || fields[state] == "X") return {};
  return fields[start_time];
}

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

std::string user() {
  for (const auto* name : {"USER", "LOGNAME"}) {
    if (const auto text = variable(name); !text.empty()) return text;
  }
  return std::to_string(::getuid());
}

std::string now() {
  return fmt::format("{:%F %T %z}", fmt::localtime(std::time(nullptr)));
}

/// How often Slurm has requeued the job; the text is empty for a job that it never requeued.
int attempt_of(const std::string& text) {
  return std::atoi(text.c_str());
}

/// Whether the holder belongs to an earlier attempt of this job: Slurm restarts a job only after it
/// has ended or its nodes have become unreachable.
bool is_earlier_attempt(const std::string& text) {
  const auto job = variable("SLURM_JOB_ID");
  return !job.empty() && value_of(text, "job") == job &&
         attempt_of(value_of(text, "attempt")) < attempt_of(variable("SLURM_RESTART_COUNT"));
}

}  // namespace

std::optional<std::string> read_lock(const std::filesystem::path& file) {
  const FileDescriptor descriptor(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!descriptor.is_open() && errno == ENOENT) return std::nullopt;
  if (!descriptor.is_open())
    fail("cannot read the lock", file, errno, "remove it, or check the file system");
  std::string text(static_cast<std::size_t>(std::min(descriptor.size(), longest)), '\0');
  descriptor.read(std::as_writable_bytes(std::span(text)), 0);
  return text;
}

std::string this_process_as_holder(const std::string& token) {
  const auto process = std::to_string(::getpid());
  return fmt::format(
      "host: {}\nprocess: {}\nborn: {}\nkernel: {}\nnamespace: {}\njob: {}\nattempt: {}\nuser: {}\n"
      "since: {}\ntoken: {}\nbeats: ",
      comm::host_name(), process, birth_of(process), kernel(), name_space(),
      variable("SLURM_JOB_ID"), variable("SLURM_RESTART_COUNT"), user(), now(), token);
}

std::string token_of(const std::string& text) {
  const auto token = value_of(text, "token");
  const bool plain =
      std::ranges::all_of(token, [](unsigned char c) { return std::isalnum(c) != 0; });
  return token.empty() || !plain ? no_token : token;
}

std::optional<bool> life_of(const std::string& text) {
  if (is_earlier_attempt(text)) return false;
  const auto here = kernel(), space = name_space(), process = value_of(text, "process"),
             born = value_of(text, "born");
  if (here.empty() || space.empty() || born.empty()) return std::nullopt;
  if (value_of(text, "kernel") != here || value_of(text, "namespace") != space) return std::nullopt;
  return birth_of(process) == born;
}

std::string describe_holder(const std::string& text) {
  if (token_of(text) == no_token) return "who is not known";
  const auto job = value_of(text, "job");
  return fmt::format("host {}, process {}{}, user {}, since {}", value_of(text, "host"),
                     value_of(text, "process"), job.empty() ? "" : ", Slurm job " + job,
                     value_of(text, "user"), value_of(text, "since"));
}

}  // namespace halotherm::io
