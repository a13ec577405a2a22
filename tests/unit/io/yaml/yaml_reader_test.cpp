// SPDX-License-Identifier: MIT
#include "io/yaml/yaml_reader.hpp"

#include "comm/mpi/error.hpp"

#include "tests/support/error_text.hpp"

#include <gtest/gtest.h>

namespace halotherm::io {
namespace {

using test::expect_part;
using test::usage_error;

std::string parse_error(const std::string& text) {
  return usage_error([&] { YamlReader(text, "f.yaml"); });
}

TEST(YamlReader, typed_values) {
  YamlReader yaml("a: {n: 3, x: 2.5, on: true, word: two, text: 'it''s'}\n", "f.yaml");
  const std::vector<std::string> words{"one", "two"};
  EXPECT_EQ(yaml.whole_number(*yaml.find("a.n"), {}, ""), 3);
  EXPECT_EQ(yaml.number(*yaml.find("a.x"), {}, ""), 2.5);
  EXPECT_EQ(yaml.boolean(*yaml.find("a.on")), true);
  EXPECT_EQ(yaml.word(*yaml.find("a.word"), words), 1U);
  EXPECT_EQ(yaml.text(*yaml.find("a.text"), ""), "it's");
  EXPECT_EQ(yaml.find("a.none"), nullptr);
  EXPECT_EQ(yaml.find("b.none"), nullptr);
  EXPECT_NO_THROW(yaml.finish());
}

TEST(YamlReader, all_mistakes_in_the_order_of_the_text) {
  YamlReader yaml("b: 5\nlist: [1, x]\nz: 1\n", "f.yaml");
  yaml.number(yaml.find("list")->children[1], {}, "a number");
  yaml.number(*yaml.find("b"), {.max = 3}, "a number of at most 3");
  yaml.fail_missing(yaml.root(), "a", "it is needed", "");
  EXPECT_EQ(usage_error([&] { yaml.finish(); }),
            "f.yaml:1:1: a: is missing (it is needed)\n"
            "f.yaml:1:4: b: is 5 (must be a number of at most 3)\n"
            "f.yaml:2:11: list[1]: is \"x\" (must be a number)\n"
            "f.yaml:3:1: z: unknown key (allowed here: list, b); remove it");
}

TEST(YamlReader, what_is_below_a_wrong_section_is_not_missing_too) {
  YamlReader yaml("a: 5\n", "f.yaml");
  EXPECT_EQ(yaml.find("a.b"), nullptr);
  yaml.fail_missing(yaml.root(), "a.b", "", "");
  yaml.find("a.c");
  EXPECT_EQ(usage_error([&] { yaml.finish(); }),
            "f.yaml:1:4: a: is 5 (must be a map of 'key: value')");
}

TEST(YamlReader, unknown_keys_are_known_elsewhere) {
  YamlReader yaml("end: 5\ntime: {dt: 1, edn: 3}\n", "f.yaml");
  yaml.find("time.end");
  yaml.find("time.dt");
  EXPECT_EQ(usage_error([&] { yaml.finish(); }),
            "f.yaml:1:1: end: unknown key (allowed here: time); did you mean time.end?\n"
            "f.yaml:2:15: time.edn: unknown key (allowed here: end, dt); did you mean time.end?");
}

TEST(YamlReader, set) {
  YamlReader yaml("a: {b: 1}\nc: 2\n", "f.yaml");
  for (const auto* assignment : {"a.b=2", "a.new={x: 1}", "d.e.f=[1, 2]", "c=~"})
    yaml.set(assignment);
  EXPECT_EQ(yaml.find("a.b")->text, "2");
  EXPECT_EQ(to_string(yaml.find("a.b")->place), "--set a.b=2");
  EXPECT_EQ(yaml.find("a.new.x")->text, "1");
  EXPECT_EQ(yaml.find("d.e.f")->children.size(), 2U);
  EXPECT_EQ(yaml.find("d.e.f")->children[1].path, "d.e.f[1]");
  EXPECT_EQ(yaml.find("c"), nullptr);
  for (const auto* wrong : {"", "a", "=1", ".a=1", "a..b=1", "a=[1"})
    EXPECT_THROW(yaml.set(wrong), comm::Error) << wrong;
  EXPECT_THROW(yaml.set(std::string(1000, '.') + "=1"), comm::Error);
}

TEST(YamlReader, not_a_configuration) {
  EXPECT_EQ(parse_error("").substr(0, 17), "f.yaml: is empty ");
  expect_part(parse_error("- 1\n"), "f.yaml:1:1: is a list");
  expect_part(parse_error("a: [1\n"), "this is not YAML");
  expect_part(parse_error("a: *b\n"), "this is not YAML");
  expect_part(parse_error(std::string("a: \0", 4)), "is not a text file");
  expect_part(parse_error(std::string(2 << 20, '#')), "is too large");
}

TEST(YamlReader, only_utf8_is_text) {
  for (const std::string text :
       {"\xc3\xa9", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(parse_error("a: " + text + "\n"), "") << text;
  }
  for (const std::string text : {"\xc0\x80", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                                 "\xf4\x90\x80\x80", "\xc3"}) {
    expect_part(parse_error("a: " + text + "\n"), "is not a text file");
  }
}

TEST(YamlReader, bombs_are_refused_at_once) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const auto name = "a" + std::to_string(i), below = "*a" + std::to_string(i - 1);
    bomb += name + ": &" + name + " [" + below + ", " + below + ", " + below + ", " + below + ", " +
            below + "]\n";
  }
  expect_part(parse_error(bomb), "too many values");
  expect_part(parse_error("a: &a [*a]\n"), "an alias stands inside of what it names");
  std::string chain = "a0: &a0 [x]\n";
  for (int i = 1; i < 40; ++i)
    chain += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
             "]\n";
  expect_part(parse_error(chain), "nested too deeply");
  expect_part(parse_error("a: " + std::string(100000, '[')), "f.yaml:1:");
  expect_part(parse_error(std::string(1000, 'k') + ": 1\n"), "a key is too long");
  std::string few_aliases_of_much = "a: &a " + std::string(100000, 'x') + "\nb: [*a";
  for (int i = 1; i < 11; ++i) few_aliases_of_much += ", *a";
  expect_part(parse_error(few_aliases_of_much + "]\n"), "aliases stand for too much text");
}

}  // namespace
}  // namespace halotherm::io
