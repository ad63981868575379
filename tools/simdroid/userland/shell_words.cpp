#include "simdroid/userland/shell_words.hpp"

#include <algorithm>
#include <cctype>

namespace simdroid {
namespace {

constexpr std::string_view kOperators[] = {"&&", "||", ";;", ";", "&", "|", "(", ")"};
constexpr std::string_view kWordEnd = " \t\n;&|()<>";

std::unexpected<Error> no_closing_quote() { return fail(errc::closed, "no closing quote"); }

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_name(char c) { return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)); }

void add_literal(Word* word, std::string_view text, bool quoted) {
  if (!word->parts.empty()) {
    WordPart& last = word->parts.back();
    if (last.kind == WordPart::Kind::literal && last.quoted == quoted) {
      last.text += text;
      return;
    }
  }
  word->parts.push_back({WordPart::Kind::literal, std::string(text), quoted, "", ""});
}

void add_part(Word* word, WordPart::Kind kind, std::string text, bool quoted) {
  word->parts.push_back({kind, std::move(text), quoted, "", ""});
}

std::size_t name_size(std::string_view text) {
  if (text.empty() || !is_name_start(text.front())) return 0;
  std::size_t size = 1;
  while (size < text.size() && is_name(text[size])) ++size;
  return size;
}

}  // namespace

void ShellWords::skip_blanks() {
  while (!at_end()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t') {
      ++at_;
    } else if (rest().starts_with("\\\n")) {
      at_ += 2;
    } else if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

void ShellWords::skip_blank_lines() {
  skip_blanks();
  while (take_newline()) skip_blanks();
}

std::string_view ShellWords::peek_operator() const {
  for (const std::string_view known : kOperators) {
    if (rest().starts_with(known)) return known;
  }
  return {};
}

std::string_view ShellWords::peek_plain() const {
  const std::string_view left = rest();
  return left.substr(0, std::min(left.find_first_of(kWordEnd), left.size()));
}

bool ShellWords::take_operator(std::string_view text) {
  if (peek_operator() != text) return false;
  at_ += text.size();
  return true;
}

bool ShellWords::take_keyword(std::string_view text) {
  if (peek_plain() != text) return false;
  at_ += text.size();
  return true;
}

bool ShellWords::take_newline() {
  if (!at_newline()) return false;
  ++at_;
  return true;
}

std::string_view ShellWords::take_name() {
  const std::string_view name = rest().substr(0, name_size(rest()));
  at_ += name.size();
  return name;
}

Result<Word> ShellWords::take_word() {
  Word word;
  const std::size_t start = at_;
  while (!at_end() && kWordEnd.find(text_[at_]) == std::string_view::npos) {
    TRY_VOID(word_piece(&word));
  }
  if (at_ == start) {
    return fail(errc::invalid_argument,
                "syntax error: unexpected '" + std::string(rest().substr(0, 1)) + "'");
  }
  return word;
}

Result<void> ShellWords::word_piece(Word* word) {
  switch (text_[at_]) {
    case '\'': return single_quotes(word);
    case '"': return double_quotes(word);
    case '$':
      if (rest().starts_with("$'")) {
        return fail(errc::invalid_argument, "$'...' is not known to the simulated shell");
      }
      return dollar(word, false);
    case '`': return backquotes(word, false);
    case '\\':
      if (at_ + 1 >= text_.size()) return fail(errc::closed, "unexpected end of file");
      if (text_[at_ + 1] != '\n') add_literal(word, text_.substr(at_ + 1, 1), true);
      at_ += 2;
      return ok();
    default: {
      const std::string_view plain = rest().substr(0, rest().find_first_of(" \t\n;&|()<>'\"$`\\"));
      add_literal(word, plain, false);
      at_ += plain.size();
      return ok();
    }
  }
}

std::string_view ShellWords::take_function_name() {
  const std::string_view left = rest();
  const std::size_t size = name_size(left);
  const std::size_t open = std::min(left.find_first_not_of(" \t", size), left.size());
  if (size == 0 || !left.substr(open).starts_with("()")) return {};
  at_ += open + 2;
  return left.substr(0, size);
}

Result<Word> ShellWords::take_operand_rest() {
  Word word;
  while (!at_end()) {
    if (std::string_view("'\"$`\\").contains(text_[at_])) {
      TRY_VOID(word_piece(&word));
      continue;
    }
    const std::string_view plain = rest().substr(0, rest().find_first_of("'\"$`\\", 1));
    add_literal(&word, plain, false);
    at_ += plain.size();
  }
  return word;
}

Result<void> ShellWords::single_quotes(Word* word) {
  const std::size_t end = text_.find('\'', at_ + 1);
  if (end == std::string_view::npos) return no_closing_quote();
  add_literal(word, text_.substr(at_ + 1, end - at_ - 1), true);
  at_ = end + 1;
  return ok();
}

Result<void> ShellWords::double_quotes(Word* word) {
  ++at_;
  add_literal(word, "", true);  // "" is a word of its own
  while (!at_end()) {
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return ok();
    }
    if (c == '$') {
      TRY_VOID(dollar(word, true));
    } else if (c == '`') {
      TRY_VOID(backquotes(word, true));
    } else if (c == '\\' && at_ + 1 < text_.size()) {
      const char next = text_[at_ + 1];
      const bool escapes = next == '"' || next == '\\' || next == '$' || next == '`';
      if (next != '\n')
        add_literal(word, text_.substr(at_ + (escapes ? 1 : 0), escapes ? 1 : 2), true);
      at_ += 2;
    } else {
      const std::string_view plain = rest().substr(0, rest().find_first_of("\"$`\\", 1));
      add_literal(word, plain, true);
      at_ += plain.size();
    }
  }
  return no_closing_quote();
}

Result<Word> ShellWords::take_quoted_rest() {
  Word word;
  add_literal(&word, "", true);
  while (!at_end()) {
    if (text_[at_] == '$') {
      TRY_VOID(dollar(&word, true));
    } else if (text_[at_] == '`') {
      TRY_VOID(backquotes(&word, true));
    } else {
      const std::string_view plain = rest().substr(0, rest().find_first_of("$`", 1));
      add_literal(&word, plain, true);
      at_ += plain.size();
    }
  }
  return word;
}

Result<void> ShellWords::dollar(Word* word, bool quoted) {
  const std::string_view after = rest().substr(1);
  if (after.starts_with("((")) return arithmetic(word, quoted);
  if (after.starts_with('(')) return command(word, quoted);
  if (after.starts_with('{')) return braces(word, quoted);
  std::size_t size = name_size(after);
  if (size == 0 && !after.empty() && std::string_view("?$#@*!0123456789").contains(after.front())) {
    size = 1;
  }
  if (size == 0) {
    add_literal(word, "$", quoted);
  } else {
    add_part(word, WordPart::Kind::variable, std::string(after.substr(0, size)), quoted);
  }
  at_ += 1 + size;
  return ok();
}

// The brace that ends an expansion whose operand begins at `from`.
Result<std::size_t> ShellWords::closing_brace(std::size_t from, bool quotes) const {
  int depth = 1;
  for (std::size_t i = from; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '\\') {
      ++i;
    } else if (c == '"' || (c == '\'' && quotes)) {
      i = std::min(text_.find(c, i + 1), text_.size());
    } else if (text_.substr(i).starts_with("${")) {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i;
    }
  }
  return fail(errc::closed, "no closing brace");
}

Result<void> ShellWords::braces(Word* word, bool quoted) {
  WordPart part{WordPart::Kind::variable, "", quoted, "", ""};
  const std::string_view inside = rest().substr(2);
  const bool length = inside.size() > 1 && inside[0] == '#' && inside[1] != '}';
  const std::string_view name = inside.substr(length ? 1 : 0);
  const bool special = !name.empty() && std::string_view("?$#@*!").contains(name.front());
  std::size_t size = special ? 1 : name_size(name);
  while (!special && size < name.size() && std::isdigit(static_cast<unsigned char>(name[size]))) {
    ++size;
  }
  part.text = std::string(name.substr(0, size));
  std::size_t operand = at_ + 2 + (length ? 1 : 0) + size;
  if (length) part.operation = "#";
  constexpr std::string_view kOperations[] = {":-", ":+", "-", "+", "%%", "%", "##", "#"};
  for (const std::string_view operation : kOperations) {
    if (length || !text_.substr(operand).starts_with(operation)) continue;
    part.operation = std::string(operation);
    operand += operation.size();
    break;
  }
  const bool pattern =
      !length && !part.operation.empty() && std::string_view("%#").contains(part.operation.front());
  TRY(const std::size_t end, closing_brace(operand, !quoted || pattern));
  part.operand = std::string(text_.substr(operand, end - operand));
  const bool odd = (part.operation.empty() || length) && end != operand;
  if (part.text.empty() || odd) return fail(errc::invalid_argument, "bad substitution");
  if (length) part.operation = "length";
  at_ = end + 1;
  word->parts.push_back(std::move(part));
  return ok();
}

// Skips quoted text; nested parentheses count.
Result<std::size_t> ShellWords::matching_parenthesis(std::size_t from) const {
  int depth = 1;
  for (std::size_t i = from; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '\\') {
      ++i;
    } else if (c == '\'' || c == '"') {
      std::size_t close = i + 1;
      while (close < text_.size() && text_[close] != c) {
        close += c == '"' && text_[close] == '\\' ? 2 : 1;
      }
      i = close;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      return i;
    }
  }
  return fail(errc::closed, "no closing parenthesis");
}

Result<void> ShellWords::command(Word* word, bool quoted) {
  TRY(const std::size_t end, matching_parenthesis(at_ + 2));
  add_part(word, WordPart::Kind::command, std::string(text_.substr(at_ + 2, end - at_ - 2)),
           quoted);
  at_ = end + 1;
  return ok();
}

Result<void> ShellWords::arithmetic(Word* word, bool quoted) {
  TRY(const std::size_t end, matching_parenthesis(at_ + 3));
  if (end + 1 >= text_.size() || text_[end + 1] != ')') return command(word, quoted);
  add_part(word, WordPart::Kind::arithmetic, std::string(text_.substr(at_ + 3, end - at_ - 3)),
           quoted);
  at_ = end + 2;
  return ok();
}

Result<void> ShellWords::backquotes(Word* word, bool quoted) {
  const std::size_t end = text_.find('`', at_ + 1);
  if (end == std::string_view::npos) return no_closing_quote();
  add_part(word, WordPart::Kind::command, std::string(text_.substr(at_ + 1, end - at_ - 1)),
           quoted);
  at_ = end + 1;
  return ok();
}

Result<std::optional<Assignment>> ShellWords::take_assignment() {
  const std::size_t size = name_size(rest());
  if (size == 0 || !rest().substr(size).starts_with('=')) return std::nullopt;
  Assignment result;
  result.name = std::string(rest().substr(0, size));
  at_ += size + 1;
  while (!at_end() && kWordEnd.find(text_[at_]) == std::string_view::npos) {
    TRY_VOID(word_piece(&result.value));
  }
  return result;
}

Result<std::optional<Redirect>> ShellWords::take_redirect() {
  if (rest().starts_with("&>"))
    return fail(errc::invalid_argument, "syntax error: unexpected '&>'");
  const bool numbered = rest().size() > 1 && std::isdigit(static_cast<unsigned char>(rest()[0])) &&
                        (rest()[1] == '>' || rest()[1] == '<');
  const std::string_view from = rest().substr(numbered ? 1 : 0);
  if (!from.starts_with('>') && !from.starts_with('<')) return std::nullopt;
  Redirect result;
  result.fd = from.front() == '<' ? 0 : 1;
  if (numbered) result.fd = rest()[0] - '0';
  std::size_t size = 1;
  if (from.starts_with(">&") || from.starts_with("<&")) {
    result.kind = Redirect::Kind::duplicate;
    size = 2;
  } else if (from.starts_with(">>")) {
    result.kind = Redirect::Kind::append;
    size = 2;
  } else if (from.starts_with("<<")) {
    return fail(errc::invalid_argument, "syntax error: unexpected '<<'");
  } else {
    result.kind = from.front() == '<' ? Redirect::Kind::read : Redirect::Kind::write;
  }
  at_ += size + (numbered ? 1 : 0);
  skip_blanks();
  if (at_end()) return fail(errc::closed, "syntax error: unexpected end of file");
  TRY(result.target, take_word());
  return result;
}

}  // namespace simdroid
