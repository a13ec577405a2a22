// SPDX-License-Identifier: MIT
#include "io/yaml/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace halotherm::io {

namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t longest_key = 100;

/// Builds the tree from the parser's events. YAML::Node would lose the places of keys and aliases,
/// and lets a few lines of aliases expand without end.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& source, bool with_lines, std::vector<YamlProblem>& problems)
      : source_(source), with_lines_(with_lines), problems_(problems) {}

  YamlNode take() && { return std::move(root_); }

  [[noreturn]] void refuse(const YAML::Mark& mark, comm::ErrorText text) const {
    text.problem = to_string(place(mark)) + ": " + text.problem;
    throw comm::Error(comm::ExitCode::usage, std::move(text));
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      refuse(mark,
             {"a second YAML document starts here", "one is read", "remove it and its '---'"});
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make(Kind::null, mark), mark, anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end())
      refuse(mark, {"an alias stands inside of what it names", "it would never end", "remove it"});
    const auto copy = weight(found->second);
    count(copy.nodes, mark);
    check_depth(open_.size() + copy.levels, mark);
    copied_bytes_ += copy.text_bytes;
    if (copied_bytes_ > YamlLimits::copied_bytes)
      refuse(mark, {"aliases stand for too much text", "at most 1 MiB", "write less of it"});
    add(found->second, mark, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    YamlNode node = make(Kind::scalar, mark);
    node.text = value;
    node.quoted = tag == "!";
    if (expects_key()) return take_key(std::move(node), mark);
    add(std::move(node), mark, anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    start(Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    start(Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  struct Open {
    YamlNode node;
    YAML::Mark mark;
    YAML::anchor_t anchor;
    bool has_key = false;
    YamlNode key{};
    std::set<std::string> seen{};
  };

  YamlPlace place(const YAML::Mark& mark) const {
    if (!with_lines_ || mark.is_null()) return {source_};
    return {source_, mark.line + 1, mark.column + 1};
  }

  YamlNode make(Kind kind, const YAML::Mark& mark) const {
    YamlNode node;
    node.kind = kind;
    node.place = place(mark);
    return node;
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().node.is(Kind::map) && !open_.back().has_key;
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!")
      refuse(mark, {"the tag " + tag + " is not understood",
                    "values are words, numbers, lists and maps", "remove it"});
  }

  void take_key(YamlNode key, const YAML::Mark& mark) {
    if (key.text == "<<")
      refuse(mark, {"a merge key (<<) is not understood",
                    "a configuration says everything in place", "write the keys out"});
    if (key.text.empty()) refuse(mark, {"a key is empty", "each key is a word", "name it"});
    if (key.text.size() > longest_key)
      refuse(mark,
             {"a key is too long", "at most 100 bytes", "look for a missing line end or colon"});
    open_.back().key = std::move(key);
    open_.back().has_key = true;
  }

  void start(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_tag(mark, tag);
    if (expects_key())
      refuse(mark, {"a key is a list or a map", "each key is a word",
                    "write 'key: value', or close the bracket"});
    check_depth(open_.size() + 1, mark);
    open_.push_back({.node = make(kind, mark), .mark = mark, .anchor = anchor});
  }

  void end() {
    Open done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.node), done.mark, done.anchor);
  }

  struct Weight {
    std::size_t nodes = 1, text_bytes = 0, levels = 1;
  };

  static Weight weight(const YamlNode& node) {
    Weight whole{1, node.text.size() + node.key.size(), 1};
    for (const auto& child : node.children) {
      const auto part = weight(child);
      whole.nodes += part.nodes;
      whole.text_bytes += part.text_bytes;
      whole.levels = std::max(whole.levels, part.levels + 1);
    }
    return whole;
  }

  void count(std::size_t nodes, const YAML::Mark& mark) {
    nodes_ += nodes;
    if (nodes_ > YamlLimits::nodes)
      refuse(mark,
             {"there are too many values",
              fmt::format("at most {}, aliases expanded", YamlLimits::nodes), "leave some out"});
  }

  void check_depth(std::size_t depth, const YAML::Mark& mark) const {
    if (depth > YamlLimits::depth)
      refuse(mark, {"values are nested too deeply",
                    fmt::format("at most {} levels", YamlLimits::depth), "close some brackets"});
  }

  void add(YamlNode node, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (expects_key())
      refuse(mark, {"a key is empty or an alias", "each key is a word", "write 'key: value'"});
    count(1, mark);
    if (anchor != 0) {
      count(weight(node).nodes, mark);
      anchored_[anchor] = node;
    }
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.is(Kind::list)) {
      open_.back().node.children.push_back(std::move(node));
    } else {
      add_to_map(open_.back(), std::move(node));
    }
  }

  void add_to_map(Open& map, YamlNode value) {
    map.has_key = false;
    value.key = map.key.text;
    value.key_place = map.key.place;
    // for a missing value the parser gives the place of what follows
    if (value.is(Kind::null)) value.place = value.key_place;
    if (map.seen.insert(value.key).second) {
      map.node.children.push_back(std::move(value));
      return;
    }
    const auto& first = map.node.find(value.key)->key_place;
    problems_.push_back({value.key_place,
                         {path(value.key) + ": is given twice", "first at " + to_string(first),
                          "keep one of the two"}});
  }

  /// The path of a key of the innermost map.
  std::string path(const std::string& key) const {
    std::string text;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const auto& above = open_[i];
      const std::string dot = text.empty() ? "" : ".";
      text += above.node.is(Kind::list) ? "[" + std::to_string(above.node.children.size()) + "]"
                                        : dot + above.key.text;
    }
    return text.empty() ? key : text + "." + key;
  }

  std::string source_;
  bool with_lines_;
  std::vector<YamlProblem>& problems_;
  int documents_ = 0;
  std::size_t nodes_ = 0;
  std::size_t copied_bytes_ = 0;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchored_;
  YamlNode root_;
};

/// Whether `text` is UTF-8 without control characters other than line ends and tabs: yaml-cpp would
/// misread other bytes. nlohmann::json writes valid UTF-8 only.
bool is_text(const std::string& text) {
  const auto is_control = [](unsigned char byte) {
    return byte == 0x7F || (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t');
  };
  if (std::ranges::any_of(text, is_control)) return false;
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

void check_text(const std::string& text, const std::string& source) {
  if (text.size() > YamlLimits::bytes)
    throw comm::Error(comm::ExitCode::usage,
                      {source + ": is too large", "a configuration has at most 1 MiB",
                       "give the configuration, not a data file"});
  if (!is_text(text))
    throw comm::Error(comm::ExitCode::usage,
                      {source + ": is not a text file", "it has bytes that are not UTF-8 text",
                       "give a YAML configuration"});
}

}  // namespace

std::string to_string(const YamlPlace& place) {
  if (place.line == 0) return place.source;
  return fmt::format("{}:{}:{}", place.source, place.line, place.column);
}

const YamlNode* YamlNode::find(std::string_view name) const {
  if (kind != Kind::map) return nullptr;
  const auto found = std::ranges::find(children, name, &YamlNode::key);
  return found == children.end() ? nullptr : &*found;
}

YamlNode* YamlNode::find(std::string_view name) {
  return const_cast<YamlNode*>(std::as_const(*this).find(name));
}

void set_paths(YamlNode& node) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    auto& child = node.children[i];
    const std::string dot = node.path.empty() ? "" : ".";
    child.path =
        node.path + (node.is(Kind::list) ? "[" + std::to_string(i) + "]" : dot + child.key);
    set_paths(child);
  }
}

YamlNode parse_yaml(const std::string& text, const std::string& source, bool with_lines,
                    std::vector<YamlProblem>& problems) {
  check_text(text, source);
  TreeBuilder builder(source, with_lines, problems);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    builder.refuse(error.mark, {"this is not YAML", error.msg,
                                "check indentation, colons, quotes and brackets here"});
  }
  YamlNode root = std::move(builder).take();
  set_paths(root);
  return root;
}

}  // namespace halotherm::io
