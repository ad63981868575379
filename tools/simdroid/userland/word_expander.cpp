#include "simdroid/userland/word_expander.hpp"

#include <algorithm>

#include "simdroid/userland/pattern.hpp"

namespace simdroid {
namespace {

constexpr std::string_view kSeparators = " \t\n";

std::string join(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined.append(joined.empty() ? "" : " ").append(word);
  return joined;
}

bool matches(const std::string& pattern, const std::string& name) {
  if (name.starts_with('.') && !pattern.starts_with('.')) return false;
  return matches_pattern(pattern, name);
}

enum class Match { shortest, longest };

std::string without_suffix(const std::string& value, const std::string& pattern, Match match) {
  for (std::size_t i = 0; i <= value.size(); ++i) {
    const std::size_t at = match == Match::longest ? i : value.size() - i;
    if (matches_pattern(pattern, value.substr(at))) return value.substr(0, at);
  }
  return value;
}

std::string without_prefix(const std::string& value, const std::string& pattern, Match match) {
  for (std::size_t i = 0; i <= value.size(); ++i) {
    const std::size_t size = match == Match::longest ? value.size() - i : i;
    if (matches_pattern(pattern, value.substr(0, size))) return value.substr(size);
  }
  return value;
}

bool is_default(std::string_view operation) {
  return operation == ":-" || operation == "-" || operation == ":+" || operation == "+";
}

}  // namespace

struct Field {
  std::string text;
  std::string quoted;  // of each character of `text`: 'q', or 'p' for plain
  bool exists = false;

  void add(std::string_view more, bool is_quoted) {
    exists = exists || is_quoted || !more.empty();
    text += more;
    quoted.append(more.size(), is_quoted ? 'q' : 'p');
  }

  // The place of a character that is not quoted, from `from` on.
  [[nodiscard]] std::size_t find_plain(std::string_view characters, std::size_t from = 0) const {
    std::size_t at = text.find_first_of(characters, from);
    while (at < text.size() && quoted[at] == 'q') at = text.find_first_of(characters, at + 1);
    return at;
  }

  // a{b,c}, which mksh unfolds.
  [[nodiscard]] bool has_braces() const {
    const std::size_t comma = find_plain(",", find_plain("{"));
    return find_plain("}", comma) < text.size();
  }

  // The text as a pattern for file names; quoted characters are literal.
  [[nodiscard]] std::string pattern() const {
    std::string pattern;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::string_view letter(&text[i], 1);
      const bool itself = quoted[i] == 'q' || text[i] == '\\';
      pattern += itself ? escape_pattern(letter) : std::string(letter);
    }
    return pattern;
  }
};

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
  if (operation == "length") co_return std::to_string(found.value_or("").size());
  if (operation.empty()) co_return found.value_or("");
  const char kind = operation.front();
  if (kind == '%' || kind == '#') {
    CO_TRY(const Word operand, parse_operand(part->operand));
    CO_TRY(const std::string pattern, co_await this->pattern(&operand));
    const Match match = operation.size() == 2 ? Match::longest : Match::shortest;
    co_return kind == '%' ? without_suffix(found.value_or(""), pattern, match)
                          : without_prefix(found.value_or(""), pattern, match);
  }
  const bool present = is_present(part, found);
  if (operation.back() == '+' && !present) co_return "";
  if (operation.back() != '+' && present) co_return *found;
  CO_TRY(const Word operand,
         part->quoted ? parse_quoted(part->operand) : parse_operand(part->operand));
  CO_TRY(const std::string other, co_await single(&operand));
  co_return other;
}

bool WordExpander::is_present(const WordPart* part, const std::optional<std::string>& found) {
  return found && !(part->operation.front() == ':' && found->empty());
}

Task<std::string> WordExpander::pattern(const Word* word) {
  std::string text;
  for (const WordPart& part : word->parts) {
    CO_TRY(const std::string piece, co_await value(&part));
    const bool literal = part.kind == WordPart::Kind::literal;
    if (literal && !part.quoted && piece.contains('(')) {
      co_return fail(errc::invalid_argument, "pattern groups are not known to the simulated shell");
    }
    text += part.quoted ? escape_pattern(piece) : literal ? piece : escape_alternatives(piece);
  }
  co_return text;
}

Task<std::string> WordExpander::value(const WordPart* part) {
  switch (part->kind) {
    case WordPart::Kind::literal: co_return part->text;
    case WordPart::Kind::variable: co_return co_await variable(part);
    case WordPart::Kind::command: co_return co_await shell_->substitute(part->text, io_);
    case WordPart::Kind::arithmetic: {
      CO_TRY(const Word inner, parse_quoted(part->text));
      CO_TRY(const std::string expression, co_await single(&inner));
      CO_TRY(const std::int64_t number, evaluate_arithmetic(expression, shell_));
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
    open->add(piece, false);
    text.remove_prefix(piece.size());
  }
}

// The operand that stands for a variable keeps its own quotes.
Task<void> WordExpander::operand_fields(const WordPart* part, std::vector<Field>* done,
                                        Field* open) {
  CO_TRY(const Word operand, parse_operand(part->operand));
  for (const WordPart& each : operand.parts) {
    CO_TRY(const std::string text, co_await value(&each));
    if (each.quoted) {
      open->add(text, true);
    } else {
      split(text, done, open);
    }
  }
  co_return ok();
}

Task<void> WordExpander::part_fields(const WordPart* part, std::vector<Field>* done, Field* open) {
  const bool variable = part->kind == WordPart::Kind::variable;
  if (variable && part->text == "@" && part->quoted) {
    for (const std::string& argument : shell_->positional()) {
      if (&argument != &shell_->positional().front()) finish(open, done);
      open->add(argument, true);
    }
    co_return ok();
  }
  if (variable && !part->quoted && is_default(part->operation)) {
    const bool present = is_present(part, lookup(part->text));
    if (present == (part->operation.back() == '+')) {
      co_return co_await operand_fields(part, done, open);
    }
  }
  CO_TRY(const std::string text, co_await value(part));
  if (part->quoted || part->kind == WordPart::Kind::literal) {
    open->add(text, part->quoted);
  } else {
    split(text, done, open);
  }
  co_return ok();
}

Task<std::vector<std::string>> WordExpander::fields(const Word* word) {
  std::vector<Field> done;
  Field open;
  for (const WordPart& part : word->parts) {
    const bool first = &part == &word->parts.front();
    const bool home = first && part.kind == WordPart::Kind::literal && !part.quoted &&
                      (part.text == "~" || part.text.starts_with("~/"));
    if (home) {
      open.add(shell_->variable("HOME") + part.text.substr(1), false);
      continue;
    }
    CO_TRY_VOID(co_await part_fields(&part, &done, &open));
  }
  finish(&open, &done);
  std::vector<std::string> result;
  for (const Field& field : done) {
    if (field.has_braces()) {
      co_return fail(errc::invalid_argument, "{a,b} is not known to the simulated shell");
    }
    for (std::string& name : expand_pattern(field)) result.push_back(std::move(name));
  }
  co_return result;
}

// Without a match the pattern stands for itself.
std::vector<std::string> WordExpander::expand_pattern(const Field& field) const {
  if (field.find_plain("*?[") == std::string::npos) return {field.text};
  const std::string pattern = field.pattern();
  std::vector<std::string> found{pattern.starts_with('/') ? "/" : ""};
  std::string_view rest = pattern;
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
