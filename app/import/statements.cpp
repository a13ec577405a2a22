// SPDX-License-Identifier: MIT
#include "app/import/statements.hpp"

#include <fmt/format.h>

#include <sstream>

namespace halotherm::app {

Statements::Statements(const std::filesystem::path& file)
    : file_(file),
      words_(words_of(file, read_source(file), {.punctuation = "(),:;", .slashes = true})) {
  end_.line = words_.empty() ? 1 : words_.back().line;
}

Word Statements::take() {
  if (done())
    refuse(file_, end_.line,
           {"the file ends within a statement", "something is missing", "give the whole file"});
  return words_[at_++];
}

bool Statements::accept(const std::string& text) {
  std::istringstream stream(text);
  auto at = at_;
  for (std::string word; stream >> word; ++at) {
    if (at >= words_.size() || words_[at].quoted || words_[at].text != word) return false;
  }
  at_ = at;
  return true;
}

void Statements::expect(const std::string& text) {
  if (accept(text)) return;
  if (done()) take();
  refuse_next({fmt::format("\"{}\" stands where \"{}\" is expected",
                           comm::shortened(peek().text, 40), text),
               "the file does not follow 3D-ICE's syntax, or uses a part that Halotherm does not "
               "read",
               "correct it"});
}

Word Statements::name(const char* what) {
  auto word = take();
  const bool is_name = !word.quoted && !word.text.empty() &&
                       std::string("(),:;").find(word.text.front()) == std::string::npos;
  if (is_name) return word;
  refuse(file_, word.line,
         {fmt::format("\"{}\" stands where a name is expected", comm::shortened(word.text, 40)),
          fmt::format("{} needs a name", what), "correct it"});
}

std::vector<double> Statements::numbers(const char* what) {
  std::vector<double> all{number(what)};
  while (accept(",")) all.push_back(number(what));
  return all;
}

void Statements::skip_statement() {
  while (!accept(";")) take();
}

std::string Statements::place(std::size_t line) const {
  return fmt::format("{}:{}", file_.filename().string(), line);
}

}  // namespace halotherm::app
