#include "simdroid/userland/word_expander.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace simdroid {
namespace {

constexpr std::string_view kSeparators = " \t\n";
constexpr std::string_view kPatternCharacters = "*?[";

std::string join(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined.append(joined.empty() ? "" : " ").append(word);
  return joined;
}

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0;
}

bool fits(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

enum class Match { shortest, longest };

std::string without_suffix(const std::string& value, const std::string& pattern, Match match) {
  for (std::size_t i = 0; i <= value.size(); ++i) {
    const std::size_t at = match == Match::longest ? i : value.size() - i;
    if (fits(pattern, value.substr(at))) return value.substr(0, at);
  }
  return value;
}

std::string without_prefix(const std::string& value, const std::string& pattern, Match match) {
  for (std::size_t i = 0; i <= value.size(); ++i) {
    const std::size_t size = match == Match::longest ? value.size() - i : i;
    if (fits(pattern, value.substr(0, size))) return value.substr(size);
  }
  return value;
}

}  // namespace

std::optional<std::string> WordExpander::lookup(const std::string& name) const {
  const auto& positional = shell_->positional();
  if (name == "?") return std::to_string(shell_->last_status());
  if (name == "$") return std::to_string(shell_->pid());
  if (name == "#") return std::to_string(positional.size());
  if (name == "0") return shell_->name_;
  if (name == "@" || name == "*") return join(positional);
  if (name == "!") return "";
  if (name.find_first_not_of("0123456789") == std::string::npos) {
    const auto index = static_cast<std::size_t>(std::atoi(name.c_str()));
    if (index == 0 || index > positional.size()) return std::nullopt;
    return positional[index - 1];
  }
  return shell_->find_variable(name);
}

Task<std::string> WordExpander::variable(const WordPart* part) {
  const std::string& operation = part->operation;
  const auto found = lookup(part->text);
  if (operation == "#" && part->operand.empty()) {
    co_return std::to_string(found.value_or("").size());
  }
  if (operation.empty()) co_return found.value_or("");
  CO_TRY(const Word operand, parse_quoted(part->operand));
  CO_TRY(const std::string other, co_await single(&operand));
  const Match match = operation.size() == 2 ? Match::longest : Match::shortest;
  if (operation.front() == '%') co_return without_suffix(found.value_or(""), other, match);
  if (operation.front() == '#') co_return without_prefix(found.value_or(""), other, match);
  const bool colon = operation.front() == ':';
  const bool present = found && !(colon && found->empty());
  if (operation.back() == '+') co_return present ? other : "";
  if (present) co_return *found;
  if (operation.back() == '=') shell_->set_variable(part->text, other);
  co_return other;
}

Task<std::string> WordExpander::value(const WordPart* part) {
  switch (part->kind) {
    case WordPart::Kind::literal: co_return part->text;
    case WordPart::Kind::variable: co_return co_await variable(part);
    case WordPart::Kind::command: co_return co_await shell_->substitute(part->text, io_);
    case WordPart::Kind::arithmetic: {
      CO_TRY(const Word inner, parse_quoted(part->text));
      CO_TRY(const std::string expression, co_await single(&inner));
      CO_TRY(const std::int64_t number, evaluate_arithmetic(expression, *shell_));
      co_return std::to_string(number);
    }
  }
  co_return "";
}

Task<std::string> WordExpander::single(const Word* word) {
  std::string text;
  for (const WordPart& part : word->parts) {
    CO_TRY(const std::string piece, co_await value(&part));
    text += piece;
  }
  co_return text;
}

void WordExpander::add(Field* field, std::string_view text, bool quoted) {
  field->exists = field->exists || quoted || !text.empty();
  field->text += text;
  for (const char c : text) {
    const bool special = kPatternCharacters.contains(c) || c == '\\';
    if (special && quoted) field->pattern += '\\';
    if (special && !quoted && c != '\\') field->globs = true;
    field->pattern += c;
  }
}

void WordExpander::finish(Field* field, std::vector<Field>* done) const {
  if (field->exists) done->push_back(std::move(*field));
  *field = Field{};
}

void WordExpander::split(std::string_view text, std::vector<Field>* done, Field* open) const {
  while (!text.empty()) {
    if (kSeparators.contains(text.front())) {
      finish(open, done);
      text.remove_prefix(std::min(text.find_first_not_of(kSeparators), text.size()));
      continue;
    }
    const std::string_view piece = text.substr(0, text.find_first_of(kSeparators));
    add(open, piece, false);
    text.remove_prefix(piece.size());
  }
}

Task<std::vector<std::string>> WordExpander::fields(const Word* word) {
  std::vector<Field> done;
  Field open;
  for (const WordPart& part : word->parts) {
    if (part.kind == WordPart::Kind::variable && part.text == "@" && part.quoted) {
      for (const std::string& argument : shell_->positional()) {
        if (&argument != &shell_->positional().front()) finish(&open, &done);
        add(&open, argument, true);
      }
      continue;
    }
    CO_TRY(const std::string text, co_await value(&part));
    if (part.quoted || part.kind == WordPart::Kind::literal) {
      add(&open, text, part.quoted);
    } else {
      split(text, &done, &open);
    }
  }
  finish(&open, &done);
  std::vector<std::string> result;
  for (const Field& field : done) {
    for (std::string& name : expand_pattern(field)) result.push_back(std::move(name));
  }
  co_return result;
}

// Without a match the pattern stands for itself.
std::vector<std::string> WordExpander::expand_pattern(const Field& field) const {
  if (!field.globs) return {field.text};
  std::vector<std::string> found{field.pattern.starts_with('/') ? "/" : ""};
  std::string_view rest = field.pattern;
  while (!rest.empty()) {
    const std::string part(rest.substr(0, rest.find('/')));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (part.empty()) continue;
    std::vector<std::string> deeper;
    for (const std::string& base : found) {
      const auto entries =
          shell_->phone()->files.list(absolute_path(shell_->directory(), base + "."));
      if (!entries) continue;
      for (const DirectoryEntry& entry : *entries) {
        if (matches(part, entry.name))
          deeper.push_back(base + entry.name + (rest.empty() ? "" : "/"));
      }
    }
    found = std::move(deeper);
  }
  if (found.empty()) found.push_back(field.text);
  return found;
}

}  // namespace simdroid
