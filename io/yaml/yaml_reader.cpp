// SPDX-License-Identifier: MIT
#include "io/yaml/yaml_reader.hpp"

#include "comm/system/error_text.hpp"
#include "io/text/message_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace halotherm::io {

namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t most_problems = 50;
constexpr std::size_t longest_name = 100;  // every value of an override keeps it

std::string join(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

/// The map at `key` of `map`, which the override `name` makes if there is none.
YamlNode& map_in(YamlNode& map, const std::string& key, const std::string& name) {
  YamlNode* child = map.find(key);
  if (child == nullptr) child = &map.children.emplace_back();
  if (child->is(Kind::map)) return *child;
  *child = YamlNode{};
  child->kind = Kind::map;
  child->key = key;
  child->place = child->key_place = {name};
  return *child;
}

bool is_plain(const YamlNode& node) {
  return node.is(Kind::scalar) && !node.quoted;
}

[[noreturn]] void refuse(const comm::ErrorText& text) {
  throw comm::Error(comm::ExitCode::usage, text);
}

}  // namespace

std::string shown(const YamlNode& node) {
  constexpr std::size_t longest = 40;
  if (node.is(Kind::null)) return "empty";
  if (node.is(Kind::list)) return "a list";
  if (node.is(Kind::map)) return "a map";
  if (!node.quoted && parse_number(node.text)) return node.text;
  return '"' + comm::shortened(node.text, longest) + '"';
}

YamlReader::YamlReader(const std::string& text, const std::string& name) {
  const std::string start = "start from the output of: halotherm config --defaults";
  root_ = parse_yaml(text, name, true, problems_);
  if (root_.is(Kind::null))
    refuse({name + ": is empty", "a configuration needs at least its required keys", start});
  if (!root_.is(Kind::map))
    refuse({to_string(root_.place) + ": is " + shown(root_),
            "a configuration is a map of 'key: value'", start});
}

void YamlReader::set(const std::string& assignment) {
  const std::string name = "--set " + comm::shortened(assignment, longest_name);
  const std::string example = "write for example --set time.end=5";
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    refuse({name + ": is no assignment", "must be key=value", example});
  auto keys = split(assignment.substr(0, equals), '.');
  if (keys.size() > YamlLimits::depth)
    refuse({"--set: the key has too many parts", "at most 32", example});
  if (std::ranges::find(keys, "") != keys.end())
    refuse({name + ": a part of the key is empty", "keys are words joined by '.'", example});
  YamlNode value = parse_yaml(assignment.substr(equals + 1), name, false, problems_);
  const std::string last = keys.back();
  keys.pop_back();
  YamlNode* map = &root_;
  for (const auto& key : keys) map = &map_in(*map, key, name);
  if (value.is(Kind::null)) {
    std::erase_if(map->children, [&](const YamlNode& child) { return child.key == last; });
  } else {
    value.key = last;
    value.key_place = {name};
    YamlNode* old = map->find(last);
    (old != nullptr ? *old : map->children.emplace_back()) = std::move(value);
  }
  set_paths(root_);
}

void YamlReader::know(const std::string& section, const std::string& key) {
  auto& keys = known_[section];
  if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
}

const YamlNode* YamlReader::find_key(const YamlNode& map, const std::string& key) {
  if (map.is(Kind::map)) return map.find(key);
  if (broken_.insert(map.path).second) fail_needed(map, "a map of 'key: value'");
  return nullptr;
}

const YamlNode* YamlReader::find(const YamlNode& map, const std::string& path) {
  const YamlNode* node = &map;
  std::string above = map.path;
  for (const auto& key : split(path, '.')) {
    know(above, key);
    if (node != nullptr) node = find_key(*node, key);
    above = join(above, key);
  }
  return node;
}

template <class Value>
std::optional<Value> YamlReader::checked(const YamlNode& node, std::optional<Value> value,
                                         const std::string& needed) {
  if (!value) fail_needed(node, needed);
  return value;
}

std::optional<double> YamlReader::number(const YamlNode& node, const Bounds& bounds,
                                         const std::string& needed) {
  auto value = is_plain(node) ? parse_number(node.text) : std::nullopt;
  if (value && !bounds.contain(*value)) value.reset();
  return checked(node, value, needed);
}

std::optional<std::int64_t> YamlReader::whole_number(const YamlNode& node, const Bounds& bounds,
                                                     const std::string& needed) {
  auto value = is_plain(node) ? parse_whole_number(node.text) : std::nullopt;
  if (value && !bounds.contain(static_cast<double>(*value))) value.reset();
  return checked(node, value, needed);
}

std::optional<bool> YamlReader::boolean(const YamlNode& node) {
  const bool known = is_plain(node) && (node.text == "true" || node.text == "false");
  return checked(node, known ? std::optional(node.text == "true") : std::nullopt, "true or false");
}

std::optional<std::string> YamlReader::text(const YamlNode& node, const std::string& needed) {
  return checked(node, node.is(Kind::scalar) ? std::optional(node.text) : std::nullopt, needed);
}

std::optional<std::size_t> YamlReader::word(const YamlNode& node,
                                            std::span<const std::string> words) {
  const auto found = std::ranges::find(words, node.text);
  if (node.is(Kind::scalar) && found != words.end()) return found - words.begin();
  const auto near = node.is(Kind::scalar) ? nearest(node.text, words) : std::nullopt;
  fail(node,
       {"is " + shown(node),
        fmt::format("must be {}{}", words.size() > 1 ? "one of " : "", fmt::join(words, ", ")),
        near ? "did you mean " + *near + "?" : ""});
  return std::nullopt;
}

/// The longest part of the path below `map` that exists.
const YamlNode& YamlReader::deepest(const YamlNode& map, const std::string& path) {
  const YamlNode* node = &map;
  for (const auto& key : split(path, '.')) {
    const YamlNode* child = node->find(key);
    if (child == nullptr) break;
    node = child;
  }
  return *node;
}

void YamlReader::note(const YamlPlace& place, const std::string& path, comm::ErrorText text) {
  text.problem = path + ": " + text.problem;
  problems_.push_back({place, std::move(text)});
}

void YamlReader::fail(const YamlNode& node, const comm::ErrorText& text) {
  note(node.place, node.path, text);
}

void YamlReader::fail_key(const YamlNode& node, const comm::ErrorText& text) {
  note(node.key.empty() ? node.place : node.key_place, node.path, text);
}

void YamlReader::fail(const std::string& path, const comm::ErrorText& text) {
  const auto& node = deepest(root_, path);
  note(node.key.empty() ? node.place : node.key_place, path, text);
}

void YamlReader::fail_missing(const YamlNode& map, const std::string& path,
                              const std::string& reason, const std::string& remedy) {
  const auto& above = deepest(map, path);
  if (broken_.contains(above.path)) return;
  note(above.key.empty() ? above.place : above.key_place, join(map.path, path),
       {"is missing", reason, remedy});
}

void YamlReader::fail_needed(const YamlNode& node, const std::string& needed) {
  const bool number_in_quotes = node.quoted && parse_number(node.text);
  fail(node,
       {"is " + shown(node), "must be " + needed, number_in_quotes ? "remove the quotes" : ""});
}

comm::ErrorText YamlReader::unknown(const YamlNode& child, const std::string& section) const {
  const auto& allowed = known_.at(section);
  comm::ErrorText text{"unknown key", fmt::format("allowed here: {}", fmt::join(allowed, ", ")),
                       "remove it"};
  const auto suggest = [&](const std::string& path) { text.remedy = "did you mean " + path + "?"; };
  if (const auto near = nearest(child.key, allowed)) {
    suggest(join(section, *near));
    return text;
  }
  const auto elsewhere = std::ranges::find_if(known_, [&](const auto& other) {
    return other.first != section &&
           std::ranges::find(other.second, child.key) != other.second.end();
  });
  if (elsewhere != known_.end()) suggest(join(elsewhere->first, child.key));
  return text;
}

void YamlReader::note_unknown(const YamlNode& node) {
  const auto keys = known_.find(node.path);
  for (const auto& child : node.children) {
    if (!node.is(Kind::map)) {
      note_unknown(child);
    } else if (keys != known_.end()) {
      const bool known = std::ranges::find(keys->second, child.key) != keys->second.end();
      known ? note_unknown(child) : fail_key(child, unknown(child, node.path));
    }
  }
}

void YamlReader::finish() {
  note_unknown(root_);
  if (problems_.empty()) return;
  std::ranges::stable_sort(problems_, {}, [](const YamlProblem& problem) {
    return std::tuple(problem.place.line == 0, problem.place.line, problem.place.column);
  });
  std::string lines;
  for (const auto& [place, text] :
       std::span(problems_).first(std::min(problems_.size(), most_problems)))
    lines += fmt::format("{}{}: {}", lines.empty() ? "" : "\n", to_string(place), to_string(text));
  if (problems_.size() > most_problems)
    lines += fmt::format("\n... and {} more", problems_.size() - most_problems);
  refuse({lines, "", ""});
}

}  // namespace halotherm::io
