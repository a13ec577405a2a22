// SPDX-License-Identifier: MIT
#include "io/text/comma_list.hpp"

#include <sstream>

namespace halotherm::io {

std::vector<std::string> words_between_commas(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text + ",");
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

}  // namespace halotherm::io
