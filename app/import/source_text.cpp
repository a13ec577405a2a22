// SPDX-License-Identifier: MIT
#include "app/import/source_text.hpp"

#include "io/text/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

namespace halotherm::app {

namespace {

constexpr std::uintmax_t most_bytes = 16 << 20;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

/// Reads words from a text from its beginning to its end.
class Scanner {
 public:
  Scanner(const std::filesystem::path& file, std::string_view text, const WordRules& rules)
      : file_(file), text_(text), rules_(rules) {}

  std::vector<Word> words() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        skip(1);
      } else if (!comment()) {
        read_word();
      }
    }
    return std::move(words_);
  }

 private:
  void skip(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count) line_ += text_[at_++] == '\n' ? 1 : 0;
  }
  bool starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }
  /// Skips what ends with `end`. At the end of the file nothing may be missing but a line's end.
  void skip_past(std::string_view end, const char* what) {
    const auto found = text_.find(end, at_);
    if (found == std::string_view::npos && end != "\n")
      refuse(file_, line_,
             {fmt::format("{} does not end", what), "the file ends before",
              fmt::format("add {}", end)});
    skip(found == std::string_view::npos ? text_.size() : found + end.size() - at_);
  }
  bool comment() {
    const bool of_line = (rules_.hashes && starts("#")) || (rules_.slashes && starts("//"));
    const bool of_lines = rules_.slashes && starts("/*");
    if (of_line) skip_past("\n", "the comment");
    if (of_lines) skip_past("*/", "the comment");
    return of_line || of_lines;
  }
  bool ends_word(char c) const {
    return is_blank(c) || c == '"' || rules_.punctuation.find(c) != std::string::npos ||
           (rules_.hashes && c == '#');
  }
  void read_word() {
    const auto line = line_, begin = at_;
    if (text_[at_] == '"') {
      skip(1);
      skip_past("\"", "the text in quotes");
      words_.push_back({std::string(text_.substr(begin + 1, at_ - begin - 2)), line, true});
      return;
    }
    skip(1);
    const bool single = rules_.punctuation.find(text_[begin]) != std::string::npos;
    while (!single && at_ < text_.size() && !ends_word(text_[at_]) && !starts_comment()) skip(1);
    words_.push_back({std::string(text_.substr(begin, at_ - begin)), line});
  }
  bool starts_comment() const { return rules_.slashes && (starts("//") || starts("/*")); }

  const std::filesystem::path& file_;
  std::string_view text_;
  const WordRules& rules_;
  std::vector<Word> words_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

void refuse(const std::filesystem::path& file, std::size_t line, const comm::ErrorText& text) {
  throw comm::Error(
      comm::ExitCode::usage,
      {fmt::format("{}:{}: {}", file.string(), line, text.problem), text.reason, text.remedy});
}

std::string read_source(const std::filesystem::path& file) {
  const auto fail = [&](const std::string& problem, const std::string& remedy) {
    throw comm::Error(comm::ExitCode::usage, {"cannot read " + file.string(), problem, remedy});
  };
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    fail(error ? error.message() : "it is no file", "correct the name");
  if (std::filesystem::file_size(file, error) > most_bytes || error)
    fail("it is larger than 16 MiB", "shorten it");
  std::ifstream stream(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream) fail("reading failed", "check its permissions");
  if (text.find('\0') != std::string::npos) fail("it is no text", "give a text file");
  return text;
}

std::vector<Word> words_of(const std::filesystem::path& file, std::string_view text,
                           const WordRules& rules) {
  return Scanner(file, text, rules).words();
}

double number_of(const std::filesystem::path& file, const Word& word, const std::string& what,
                 double least) {
  const auto number = word.quoted ? std::nullopt : io::parse_number(word.text);
  if (number && std::isfinite(*number) && *number >= least) return *number;
  refuse(file, word.line,
         {fmt::format("{} is \"{}\"", what, comm::shortened(word.text, 40)),
          std::isfinite(least) ? fmt::format("must be a number of at least {:g}", least)
                               : "must be a number",
          "correct it"});
}

double positive_of(const std::filesystem::path& file, const Word& word, const std::string& what) {
  const double number = number_of(file, word, what, 0);
  if (number > 0) return number;
  refuse(file, word.line, {what + " is 0", "must be above 0", "correct it"});
}

}  // namespace halotherm::app
