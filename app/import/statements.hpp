// SPDX-License-Identifier: MIT
// The words of a file of 3D-ICE, read one after the other.
#pragma once

#include "app/import/source_text.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// Messages name file and line of the word that is wrong; all are comm::Error (usage).
class Statements {
 public:
  explicit Statements(const std::filesystem::path& file);

  bool done() const { return at_ == words_.size(); }
  /// The next word; a word without text behind the last one.
  const Word& peek() const { return done() ? end_ : words_[at_]; }
  Word take();
  /// Takes the words of `text`, which are separated by blanks, if they come next.
  bool accept(const std::string& text);
  void expect(const std::string& text);
  /// A name: a word that is neither a number nor punctuation. `what` is for the message.
  Word name(const char* what);
  double number(const char* what) { return number_of(file_, take(), what, -1e300); }
  double positive(const char* what) { return positive_of(file_, take(), what); }
  /// Numbers with commas between them.
  std::vector<double> numbers(const char* what);
  void skip_statement();

  [[noreturn]] void refuse_next(const comm::ErrorText& text) const {
    refuse(file_, peek().line, text);
  }
  /// "stack.stk:12"
  std::string place(std::size_t line) const;
  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::vector<Word> words_;
  Word end_;
  std::size_t at_ = 0;
};

}  // namespace halotherm::app
