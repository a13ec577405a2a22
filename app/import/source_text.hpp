// SPDX-License-Identifier: MIT
// Text files of other programs as lists of words, each with its line.
#pragma once

#include "comm/system/error_text.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace halotherm::app {

/// A word, a number, a text that stood in quotes, or one character of punctuation.
struct Word {
  std::string text;
  std::size_t line = 0;  ///< from 1 on
  bool quoted = false;
};

/// The content of a text file. Throws comm::Error (usage), with the name, if it cannot be read, is
/// larger than 16 MiB or is no text.
std::string read_source(const std::filesystem::path& file);

/// What may surround words.
struct WordRules {
  std::string punctuation;  ///< each of these characters is a word
  bool slashes = false;     ///< comments: // to the end of the line, and between /* and */
  bool hashes = false;      ///< comments: # to the end of the line
};
/// Throws comm::Error (usage) for a comment or a text in quotes without end.
std::vector<Word> words_of(const std::filesystem::path& file, std::string_view text,
                           const WordRules& rules);

/// A mistake in a file: "stack.stk:12: PROBLEM (REASON); REMEDY". Throws comm::Error (usage).
[[noreturn]] void refuse(const std::filesystem::path& file, std::size_t line,
                         const comm::ErrorText& text);

/// The number that a word is, finite and at least `least`. Else refuses it as `what`.
double number_of(const std::filesystem::path& file, const Word& word, const std::string& what,
                 double least);
/// The same, above 0.
double positive_of(const std::filesystem::path& file, const Word& word, const std::string& what);

}  // namespace halotherm::app
