// SPDX-License-Identifier: MIT
// The text and the exit code of an error.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace halotherm::comm {

/// The program's exit status (docs/exit_codes.md).
enum class ExitCode : int {
  done = 0,
  internal = 1,      ///< a defect of Halotherm or of the machine
  usage = 2,         ///< command line or configuration
  numerics = 3,      ///< NaN, unstable time step, no convergence
  input_output = 4,  ///< a file cannot be read or written, or its content is wrong
  check_failed = 5,
  stopped_early = 75,  ///< a valid checkpoint exists: requeue the job
};

/// The parts of an error message. None ends with punctuation; a reason or remedy may be empty.
struct ErrorText {
  std::string problem;        ///< what is wrong, where
  std::string reason;         ///< why, or the rule that is broken; without parentheses around it
  std::string remedy;         ///< what to do, in the imperative
  std::optional<int> rank{};  ///< the rank that failed, if others did not
};
/// "problem (reason); remedy [rank 3]"
std::string to_string(const ErrorText& text);

/// A failure with its exit code and text. An Error that only some ranks throw must pass through
/// `agree`; otherwise it ends the job by MPI_Abort.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, ErrorText text)
      : std::runtime_error(to_string(text)), code_(code), text_(std::move(text)) {}
  ExitCode code() const { return code_; }
  const ErrorText& text() const { return text_; }
  /// The reason, or the problem if the text has no reason.
  const std::string& reason() const { return text_.reason.empty() ? text_.problem : text_.reason; }

 private:
  ExitCode code_;
  ErrorText text_;
};

/// The longest beginning of a UTF-8 text that has at most `bytes` bytes and splits no character.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes);

/// At most `bytes` bytes of a UTF-8 text on one line: dots stand for the rest, blanks for control
/// characters.
std::string shortened(std::string_view text, std::size_t bytes);

}  // namespace halotherm::comm
