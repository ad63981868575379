#include "cli/clients/toml_outline.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "skills/agent/rules/json5.hpp"

namespace clawperator::cli {
namespace {

constexpr std::size_t kMaxTomlDepth = 64;       // nested arrays; the reader recurses
constexpr std::size_t kMaxKeyParts = 64;        // each statement holds those of its table
constexpr std::size_t kMaxStatements = 20'000;  // a settings file has some hundred
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBareKey =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
// The characters of numbers, dates, true and inf.
constexpr std::string_view kScalar =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+.:";

// The text of a string on one line, without its quotes.
std::optional<std::string> unquoted(std::string_view quoted) {
  if (quoted.front() == '\'') return std::string(quoted.substr(1, quoted.size() - 2));
  // JSON5 has TOML's escapes except \e and \U.
  const auto text = agent_skills::read_json5(quoted);
  const std::string* value = text ? string_value(&*text) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }

  bool take(std::string_view wanted) {
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  void skip_blanks() { skip(" \t"); }

  // Blanks, comments, line ends.
  void skip_lines() {
    for (;;) {
      skip(" \t\r\n");
      if (peek() != '#') return;
      at_ = std::min(text_.find('\n', at_), text_.size());
    }
  }

  // Nothing but a comment may follow on the line.
  Result<void> end_line() {
    skip_blanks();
    if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_end() || take("\n") || take("\r\n")) return ok();
    return complain("the end of the line was expected");
  }

  Result<std::vector<std::string>> key() {
    std::vector<std::string> names;
    do {
      if (names.size() == kMaxKeyParts) return complain("a key has too many parts");
      skip_blanks();
      TRY(std::string name, simple_key());
      names.push_back(std::move(name));
      skip_blanks();
    } while (take("."));
    return names;
  }

  Result<void> value(std::size_t depth = 0) {
    if (depth > kMaxTomlDepth) return complain("nested too deep");
    if (peek() == '"' || peek() == '\'') return string();
    if (take("[")) return array(depth);
    if (take("{")) return inline_table(depth);
    return scalar();
  }

  [[nodiscard]] std::unexpected<Error> complain(const std::string& what) const {
    const auto line = 1 + std::ranges::count(text_.substr(0, at_), '\n');
    return fail(errc::protocol, "line " + std::to_string(line) + ": " + what);
  }

 private:
  void skip(std::string_view characters) {
    at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
  }

  Result<std::string> simple_key() {
    const std::size_t begin = at_;
    if (peek() != '"' && peek() != '\'') {
      skip(kBareKey);
      if (at_ == begin) return complain("a key was expected");
      return std::string(text_.substr(begin, at_ - begin));
    }
    TRY_VOID(string_on_line());
    auto name = unquoted(text_.substr(begin, at_ - begin));
    if (!name) return complain("invalid string in a key");
    return *std::move(name);
  }

  Result<void> string() {
    for (const std::string_view quotes : {R"(""")", "'''"}) {
      if (take(quotes)) return string_until(quotes);
    }
    return string_on_line();
  }

  // A string of several lines; up to two more quotes may precede the last three.
  Result<void> string_until(std::string_view quotes) {
    for (;;) {
      if (at_end()) return complain("a string has no end");
      if (quotes.front() == '"' && take("\\")) {
        at_ = std::min(at_ + 1, text_.size());
      } else if (take(quotes)) {
        for (int more = 0; more < 2; ++more) take(quotes.substr(0, 1));
        return ok();
      } else {
        ++at_;
      }
    }
  }

  Result<void> string_on_line() {
    const char quote = text_[at_++];
    while (peek() != quote) {
      if (quote == '"' && peek() == '\\') ++at_;
      if (at_end() || peek() == '\n') return complain("a string has no end");
      ++at_;
    }
    ++at_;
    return ok();
  }

  Result<void> array(std::size_t depth) {
    for (;;) {
      skip_lines();
      if (take("]")) return ok();
      TRY_VOID(value(depth + 1));
      skip_lines();
      if (!take(",") && peek() != ']') return complain("',' or ']' was expected");
    }
  }

  Result<void> inline_table(std::size_t depth) {
    for (;;) {
      skip_lines();  // v1.1.0 allows line breaks here
      if (take("}")) return ok();
      TRY_VOID(key());
      if (!take("=")) return complain("'=' was expected");
      skip_blanks();
      TRY_VOID(value(depth + 1));
      skip_lines();
      if (!take(",") && peek() != '}') return complain("',' or '}' was expected");
    }
  }

  Result<void> scalar() {
    const std::size_t begin = at_;
    skip(kScalar);
    if (at_ == begin) return complain("a value was expected");
    // "1979-05-27 07:32:00": a date and a time.
    constexpr std::size_t kDate = 10;
    const bool is_date = at_ - begin == kDate && text_[begin + 4] == '-';
    const std::string_view next = text_.substr(at_).substr(0, 2);
    if (is_date && next.size() == 2 && next[0] == ' ' && next[1] >= '0' && next[1] <= '9') {
      ++at_;
      skip(kScalar);
    }
    return ok();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Result<TomlStatement> read_header(TomlReader* reader) {
  const bool is_list = reader->take("[[");
  if (!is_list) reader->take("[");
  TRY(auto key, reader->key());
  if (!reader->take(is_list ? "]]" : "]")) return reader->complain("']' was expected");
  return TomlStatement{.kind = is_list ? TomlKind::tables : TomlKind::table, .key = std::move(key)};
}

Result<TomlStatement> read_value(TomlReader* reader, const std::vector<std::string>& table) {
  TomlStatement statement{.key = table, .table_depth = table.size()};
  TRY(const auto key, reader->key());
  statement.key.insert(statement.key.end(), key.begin(), key.end());
  if (!reader->take("=")) return reader->complain("'=' was expected");
  reader->skip_blanks();
  statement.value_begin = reader->at();
  TRY_VOID(reader->value());
  statement.value_end = reader->at();
  return statement;
}

}  // namespace

Result<std::vector<TomlStatement>> outline_toml(std::string_view text) {
  TomlReader reader(text);
  std::vector<TomlStatement> statements;
  std::vector<std::string> table;
  for (reader.skip_lines(); !reader.at_end(); reader.skip_lines()) {
    if (statements.size() == kMaxStatements) return reader.complain("too many keys");
    const bool is_header = reader.peek() == '[';
    TRY(TomlStatement statement, is_header ? read_header(&reader) : read_value(&reader, table));
    TRY_VOID(reader.end_line());
    if (is_header) table = statement.key;
    statements.push_back(std::move(statement));
  }
  return statements;
}

std::optional<std::string> toml_string(std::string_view value) {
  const bool is_long = value.starts_with(R"(""")") || value.starts_with("'''");
  if (value.size() < 2 || is_long || (value[0] != '"' && value[0] != '\'')) return std::nullopt;
  return unquoted(value);
}

std::optional<std::vector<std::string>> toml_strings(std::string_view value) {
  std::vector<std::string> texts;
  TomlReader reader(value);
  if (!reader.take("[")) return std::nullopt;
  for (;;) {
    reader.skip_lines();
    if (reader.take("]")) return texts;
    const std::size_t begin = reader.at();
    if (!reader.value()) return std::nullopt;
    auto text = toml_string(value.substr(begin, reader.at() - begin));
    if (!text) return std::nullopt;
    texts.push_back(*std::move(text));
    reader.skip_lines();
    if (!reader.take(",") && reader.peek() != ']') return std::nullopt;
  }
}

}  // namespace clawperator::cli
