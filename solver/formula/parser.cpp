// SPDX-License-Identifier: MIT
#include "solver/formula/parser.hpp"

#include "solver/formula/code_builder.hpp"
#include "solver/formula/names.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace halotherm::solver {

namespace {

/// Levels of parentheses, functions, signs and powers within each other.
constexpr int deepest_nesting = 500;

/// Letters of one token; numbers and names are read where they stand.
bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}
bool is_of_name(char letter) {
  return is_digit(letter) || letter == '_' || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z');
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view allowed) : text_(text), allowed_(allowed) {}

  std::vector<FormulaOperation> parse() {
    conditional();
    if (!at_end()) unexpected();
    auto code = std::move(builder_).take();
    if (stack_of(code) > formula_stack_limit)
      throw FormulaMistake{{"is nested too deeply", "it has more than 32 values at a time",
                            "write nested terms first: (a + b) + x instead of x + (b + a)"}};
    return code;
  }

 private:
  /// condition ? a : b
  void conditional() {
    const auto condition = builder_.size();
    binary(loosest_precedence);
    const auto question = position();
    if (!takes("?")) return;
    const Nesting nesting(*this);
    conditional();
    if (!takes(":"))
      fail(question, "the condition has no second value", "write condition ? value : other");
    const auto other = builder_.size();
    conditional();
    builder_.select(condition, other);
  }

  /// Operators of at least this precedence, and their operands.
  void binary(int least) {
    operand();
    while (const auto* found = next_operator()) {
      if (found->precedence < least) return;
      at_ += found->text.size();
      const Nesting nesting(*this);
      binary(found->precedence + (found->binds_right ? 0 : 1));
      builder_.apply(found->code);
    }
  }

  void operand() {
    skip_blanks();
    const char letter = peek();
    if (letter == '-' || letter == '+') return sign();
    if (letter == '(') return parentheses();
    if (is_digit(letter) || letter == '.') return number();
    if (is_of_name(letter)) return name();
    if (at_end())
      fail(at_, "a value is missing at its end", "add the value, or remove what comes before it");
    unexpected();
  }

  /// A sign binds less than ^, which binds less than a sign after it: -x^-y is -(x^(-y)).
  void sign() {
    const auto sign = text_[at_++];
    skip_blanks();
    if (peek() == '-' || peek() == '+')
      fail(at_, "one sign follows another", "remove one, or use parentheses");
    const Nesting nesting(*this);
    binary(power_precedence);
    if (sign == '-') builder_.apply(FormulaCode::negate);
  }

  void parentheses() {
    const auto opened = at_++;
    ++open_;
    const Nesting nesting(*this);
    conditional();
    close(opened);
  }

  void close(std::size_t opened) {
    if (takes(")")) {
      --open_;
      return;
    }
    if (at_end()) fail(opened, "the parenthesis is not closed", "add a )");
    unexpected();
  }

  void number() {
    double value = 0;
    const auto* begin = text_.data() + at_;
    const auto* end = text_.data() + text_.size();
    const auto [rest, error] = std::from_chars(begin, end, value);
    if (error == std::errc::result_out_of_range)
      value = std::strtod(std::string(begin, rest).c_str(), nullptr);
    if (std::isinf(value)) fail(at_, "the number is too large", "write one up to 1e308");
    const bool has_exponent = rest != end && (*rest == 'e' || *rest == 'E');
    if (error == std::errc::invalid_argument || has_exponent)
      fail(at_, "this is no number", "write it like 12, 0.5 or 1e-3");
    at_ = static_cast<std::size_t>(rest - text_.data());
    builder_.number(value);
  }

  void name() {
    const auto begin = at_;
    while (is_of_name(peek())) ++at_;
    const auto word = text_.substr(begin, at_ - begin);
    if (const auto* constant = formula_constant(word)) return builder_.number(*constant);
    const std::string_view names = formula_variables;
    if (word.size() == 1 && allowed_.find(word) != std::string_view::npos)
      return builder_.variable(static_cast<int>(names.find(word)));
    if (const auto* function = formula_function(word)) return call(*function, begin);
    throw FormulaMistake{{"has \"" + std::string(word) + "\" " + place(begin),
                          "it is not known here", known_names()}};
  }

  void call(const FormulaFunction& function, std::size_t begin) {
    const std::string word(function.name);
    skip_blanks();
    const auto opened = at_;
    if (!takes("("))
      fail(begin, word + " is a function",
           "write its argument in parentheses, as in " + word + "(x)");
    ++open_;
    const Nesting nesting(*this);
    skip_blanks();
    int arguments = 0;
    if (peek() != ')') {
      if (function.begins_with_zero) builder_.number_as_is(0);
      do {
        conditional();
        if (function.most_arguments == any_number && (arguments > 0 || function.begins_with_zero))
          builder_.apply_as_is(function.code);
        ++arguments;
      } while (takes(","));
    }
    close(opened);
    if (arguments < function.least_arguments || arguments > function.most_arguments) {
      fail(begin,
           word + " takes " + function.arguments_text() + ", not " + std::to_string(arguments),
           "correct the list of arguments");
    }
    finish(function, arguments);
  }

  void finish(const FormulaFunction& function, int arguments) {
    if (function.most_arguments != any_number) return builder_.apply(function.code);
    if (function.divides) {
      builder_.number_as_is(arguments);
      builder_.apply_as_is(FormulaCode::divide);
    } else if (arguments == 1) {
      builder_.apply_as_is(FormulaCode::same);
    }
  }

  const FormulaOperator* next_operator() {
    skip_blanks();
    return formula_operator(text_.substr(at_));
  }

  [[noreturn]] void unexpected() {
    skip_blanks();
    const char letter = peek();
    if (letter == '=')
      throw FormulaMistake{
          {"assigns with = " + place(at_), "a formula is a value", "compare with =="}};
    if (letter == ',')
      throw FormulaMistake{
          {"gives several values", "a comma stands outside of a function", "leave one value"}};
    if (letter == ')' && open_ == 0) fail(at_, "no ( comes before it", "remove it, or add a (");
    if (letter == ')') fail(at_, "a value is missing before the )", "write one");
    if (letter == ':') fail(at_, "no ? comes before the :", "write condition ? value : other");
    if (is_of_name(letter) || letter == '(' || letter == '.')
      fail(at_, "no operator comes before it", "write * where a product is meant");
    const std::string sign(1, letter);
    if (formula_operator(text_.substr(at_)) != nullptr)
      fail(at_, "no value comes before the " + sign, "write one, or remove the " + sign);
    throw FormulaMistake{{"has \"" + sign + "\" " + place(at_), "it is not known here",
                          "use the operators + - * / ^ < <= > >= == != && || ?:"}};
  }

  std::string known_names() const {
    std::string list;
    for (const char name : allowed_) list += std::string(list.empty() ? "" : ", ") + name;
    return "use " + (list.empty() ? "" : "the variables " + list + ", ") +
           "the constants pi and e, and functions such as exp, sin, sqrt, min";
  }

  static std::string place(std::size_t at) { return "at character " + std::to_string(at + 1); }
  [[noreturn]] static void fail(std::size_t at, std::string reason, std::string remedy) {
    throw FormulaMistake{{"is wrong " + place(at), std::move(reason), std::move(remedy)}};
  }

  void skip_blanks() {
    while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) <= 0x20) ++at_;
  }
  std::size_t position() {
    skip_blanks();
    return at_;
  }
  bool at_end() { return position() == text_.size(); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool takes(std::string_view token) {
    skip_blanks();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  /// Bounds the recursion.
  struct Nesting {
    explicit Nesting(Parser& the_parser) : parser(the_parser) {
      if (++parser.nesting_ > deepest_nesting)
        throw FormulaMistake{{"is nested too deeply " + place(parser.at_),
                              "at most 500 levels of parentheses, functions and operators",
                              "remove parentheses that are not needed"}};
    }
    ~Nesting() { --parser.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Parser& parser;
  };

  std::string_view text_;
  std::string_view allowed_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  int open_ = 0;  ///< parentheses
  CodeBuilder builder_;
};

}  // namespace

std::vector<FormulaOperation> parse_formula(std::string_view text, std::string_view allowed) {
  return Parser(text, allowed).parse();
}

}  // namespace halotherm::solver
