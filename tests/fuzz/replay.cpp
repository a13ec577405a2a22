// SPDX-License-Identifier: MIT
// halotherm_fuzz_replay TARGET FILE...: each file once through the target, with any compiler and
// without libFuzzer. A FILE may be a folder: all files in it and in the folders below.
#include "comm/machine/environment.hpp"
#include "tests/fuzz/targets.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, void (*)(std::string_view)> targets{
    {"yaml", halotherm::fuzz::yaml},
    {"expression", halotherm::fuzz::expression},
    {"overrides", halotherm::fuzz::overrides},
    {"checkpoint", halotherm::fuzz::checkpoint}};

std::vector<fs::path> files_of(const fs::path& named) {
  if (!fs::is_directory(named)) return {named};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(named)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto target = targets.find(argc > 1 ? argv[1] : "");
  if (target == targets.end() || argc < 3) {
    std::cerr << "usage: halotherm_fuzz_replay yaml|expression|overrides|checkpoint FILE...\n";
    return 2;
  }
  halotherm::comm::Environment environment(argc, argv);
  int replayed = 0;
  for (int i = 2; i < argc; ++i) {
    for (const auto& file : files_of(argv[i])) {
      std::cout << file.string()
                << std::endl;  // flushed: the last line names the file that ended the process
      target->second(bytes_of(file));
      ++replayed;
    }
  }
  std::cout << replayed << " files\n";
  return replayed > 0 ? 0 : 1;
}
