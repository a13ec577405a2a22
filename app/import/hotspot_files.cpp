// SPDX-License-Identifier: MIT
#include "app/import/hotspot_files.hpp"

#include <fmt/format.h>

#include <utility>

namespace halotherm::app {

namespace {

const WordRules rules{.punctuation = "", .hashes = true};

std::vector<Word> all_words(const std::filesystem::path& file) {
  return words_of(file, read_source(file), rules);
}

/// The words of each line that has some.
std::vector<std::vector<Word>> all_lines(const std::filesystem::path& file) {
  std::vector<std::vector<Word>> lines;
  for (auto& word : all_words(file)) {
    if (lines.empty() || lines.back().back().line != word.line) lines.emplace_back();
    lines.back().push_back(std::move(word));
  }
  if (lines.empty())
    refuse(file, 1, {"is empty", "nothing but comments is there", "give the right file"});
  return lines;
}

std::string place_of(const std::filesystem::path& file, std::size_t line) {
  return fmt::format("{}:{}", file.filename().string(), line);
}

/// A resistivity [m K/W] and a heat capacity as properties.
HotspotProperties properties_of(const std::filesystem::path& file, const Word& heat_capacity,
                                const Word& resistivity) {
  return {1 / positive_of(file, resistivity, "resistivity"),
          positive_of(file, heat_capacity, "heat capacity"), place_of(file, resistivity.line), ""};
}

}  // namespace

HotspotConfig::HotspotConfig(const std::filesystem::path& file) : file_(file) {
  for (const auto& line : all_lines(file)) {
    if (line.size() != 2 || !line[0].text.starts_with("-"))
      refuse(file, line[0].line,
             {fmt::format("\"{}\" is no setting", comm::shortened(line[0].text, 40)),
              "a line is -key value", "correct it"});
    values_[line[0].text.substr(1)] = line[1];
  }
}

double HotspotConfig::positive(const std::string& key) const {
  const auto found = values_.find(key);
  if (found != values_.end()) return positive_of(file_, found->second, "-" + key);
  refuse(file_, 1, {"-" + key + " is missing", "the package needs it", "add it"});
}

std::string HotspotConfig::text(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() || found->second.text == "(null)" ? "" : found->second.text;
}

std::string HotspotConfig::place(const std::string& key) const {
  const auto found = values_.find(key);
  return place_of(file_, found == values_.end() ? 1 : found->second.line);
}

std::map<std::string, HotspotProperties> read_hotspot_materials(const std::filesystem::path& file) {
  std::map<std::string, HotspotProperties> materials;
  const auto words = all_words(file);
  for (std::size_t n = 0; n < words.size();) {
    const bool fluid = n + 1 < words.size() && words[n + 1].text == "fluid";
    const std::size_t count = fluid ? 5 : 4;
    if (n + count > words.size())
      refuse(file, words.back().line,
             {"the file ends within a material", "it has a name, a type, and 2 or 3 numbers",
              "add the rest"});
    if (!fluid && words[n + 1].text != "solid")
      refuse(file, words[n + 1].line,
             {fmt::format("\"{}\" is no type", comm::shortened(words[n + 1].text, 40)),
              "must be solid or fluid", "correct it"});
    materials[words[n].text] = {positive_of(file, words[n + 2], "thermal conductivity"),
                                positive_of(file, words[n + 3], "heat capacity"),
                                place_of(file, words[n].line), words[n].text};
    n += count;
  }
  return materials;
}

std::vector<HotspotBlock> read_hotspot_floorplan(const std::filesystem::path& file) {
  std::vector<HotspotBlock> blocks;
  for (const auto& line : all_lines(file)) {
    if (line.size() != 5 && line.size() != 7)
      refuse(file, line[0].line,
             {fmt::format("has {} entries", line.size()),
              "a block has name, width, height, x, y, and perhaps heat capacity and resistivity",
              "give 5 or 7"});
    constexpr double any = -1e300;
    HotspotBlock block{.name = line[0].text,
                       .width = positive_of(file, line[1], "width"),
                       .height = positive_of(file, line[2], "height"),
                       .x = number_of(file, line[3], "x", any),
                       .y = number_of(file, line[4], "y", any),
                       .line = line[0].line};
    if (line.size() == 7) block.properties = properties_of(file, line[5], line[6]);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::map<std::string, std::vector<double>> read_hotspot_powers(const std::filesystem::path& file) {
  const auto lines = all_lines(file);
  std::map<std::string, std::vector<double>> powers;
  for (const auto& name : lines.front()) {
    if (!powers.try_emplace(name.text).second)
      refuse(file, name.line,
             {name.text + " is named twice", "each column is one block's", "correct the names"});
  }
  if (lines.size() == 1)
    refuse(file, lines[0][0].line, {"has no powers", "rows follow the names", "add some"});
  for (std::size_t row = 1; row < lines.size(); ++row) {
    if (lines[row].size() != lines[0].size())
      refuse(file, lines[row][0].line,
             {fmt::format("has {} powers", lines[row].size()),
              fmt::format("{} blocks are named", lines[0].size()), "give one for each"});
    for (std::size_t n = 0; n < lines[row].size(); ++n)
      powers[lines[0][n].text].push_back(number_of(file, lines[row][n], "power", 0));
  }
  return powers;
}

std::vector<HotspotLayer> read_hotspot_layers(
    const std::filesystem::path& file, const std::map<std::string, HotspotProperties>& materials) {
  std::vector<HotspotLayer> layers;
  const auto words = all_words(file);
  for (std::size_t n = 0; n < words.size();) {
    const bool named = n + 3 < words.size() && materials.contains(words[n + 3].text);
    const std::size_t count = named ? 6 : 7;
    if (n + count > words.size())
      refuse(file, words.back().line,
             {"the file ends within a layer",
              "it has number, lateral flow, power, heat capacity, resistivity, thickness and "
              "floorplan",
              "add the rest"});
    const auto& heated = words[n + 2];
    if (heated.text != "Y" && heated.text != "N")
      refuse(file, heated.line,
             {fmt::format("\"{}\" stands for power dissipation", comm::shortened(heated.text, 40)),
              "must be Y or N; layers with channels have no counterpart", "correct it"});
    if (const auto& plan = words[n + count - 1]; plan.text.ends_with(".csv"))
      refuse(file, plan.line,
             {"a layer with channels has no counterpart", "Halotherm has no flow",
              "give a layer of a solid instead"});
    layers.push_back({.heated = heated.text == "Y",
                      .properties = named ? materials.at(words[n + 3].text)
                                          : properties_of(file, words[n + 3], words[n + 4]),
                      .thickness = positive_of(file, words[n + count - 2], "thickness"),
                      .floorplan = file.parent_path() / words[n + count - 1].text});
    n += count;
  }
  if (layers.empty()) refuse(file, 1, {"has no layer", "a stack needs one", "add it"});
  return layers;
}

}  // namespace halotherm::app
