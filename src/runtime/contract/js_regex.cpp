#include "runtime/contract/js_regex.hpp"

#include <algorithm>

#include "runtime/contract/js_string.hpp"

namespace clawperator {
namespace {

constexpr int kUnbounded = 0x7fffffff;  // what larger counts of a quantifier are taken for

// A pattern with a named group anywhere gives \k a meaning everywhere.
enum class Names { absent, present };

// What a quantifier may follow.
enum class Last { atom, nothing };

bool is_digit(char16_t c) { return c >= '0' && c <= '9'; }
bool is_letter(char16_t c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool is_hex(char16_t c) { return is_digit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }

// Any letter outside ASCII counts as one of an identifier.
bool starts_name(char16_t c) { return is_letter(c) || c == '_' || c == '$' || c >= 0x80; }

unsigned hex_value(char16_t c) {
  return is_digit(c) ? c - u'0' : (static_cast<unsigned>(c) | 0x20U) - u'a' + 10;
}

class RegexScan {
 public:
  RegexScan(std::u16string_view pattern, Names names) : rest_(pattern), names_known_(names) {}

  bool accepts();
  [[nodiscard]] bool has_names() const { return !names_.empty(); }

 private:
  [[nodiscard]] char16_t peek(std::size_t ahead = 0) const {
    return ahead < rest_.size() ? rest_[ahead] : u'\0';
  }
  bool take(std::u16string_view prefix);

  bool term();
  bool open_group();
  bool close_group();
  bool quantifier();
  bool brace();
  bool escape();
  bool character_class();
  std::optional<int> class_atom();
  std::optional<int> class_escape();
  int class_control();
  int number(std::size_t max_digits, int base, int limit);
  std::optional<std::u16string> group_name();

  static constexpr int kSet = -1;  // a class atom that stands for many characters

  std::u16string_view rest_;
  Names names_known_;
  Last last_ = Last::nothing;
  std::vector<Last> groups_;  // of each open group: what it is to a quantifier once closed
  std::vector<std::u16string> names_;
  std::vector<std::u16string> references_;
};

bool RegexScan::take(std::u16string_view prefix) {
  if (!rest_.starts_with(prefix)) return false;
  rest_.remove_prefix(prefix.size());
  return true;
}

bool RegexScan::accepts() {
  while (!rest_.empty())
    if (!term()) return false;
  const auto is_named = [this](const auto& name) {
    return std::ranges::find(names_, name) != names_.end();
  };
  return groups_.empty() && std::ranges::all_of(references_, is_named);
}

bool RegexScan::term() {
  switch (peek()) {
    case u'(': return open_group();
    case u')': return close_group();
    case u'[': return character_class();
    case u'\\': return escape();
    case u'*':
    case u'+':
    case u'?': rest_.remove_prefix(1); return quantifier();
    case u'{': return brace();
    case u'^':
    case u'$':
    case u'|': last_ = Last::nothing; break;
    default: last_ = Last::atom; break;
  }
  rest_.remove_prefix(1);
  return true;
}

bool RegexScan::open_group() {
  Last closed = Last::atom;
  if (take(u"(?<=") || take(u"(?<!")) {
    closed = Last::nothing;
  } else if (take(u"(?<")) {
    auto name = group_name();
    if (!name || std::ranges::find(names_, *name) != names_.end()) return false;
    names_.push_back(std::move(*name));
  } else if (!take(u"(?:") && !take(u"(?=") && !take(u"(?!")) {
    take(u"(");
    if (peek() == u'?') return false;
  }
  groups_.push_back(closed);
  last_ = Last::nothing;
  return true;
}

bool RegexScan::close_group() {
  if (groups_.empty()) return false;
  last_ = groups_.back();
  groups_.pop_back();
  rest_.remove_prefix(1);
  return true;
}

// The quantifier's own text is taken already.
bool RegexScan::quantifier() {
  if (last_ != Last::atom) return false;
  take(u"?");
  last_ = Last::nothing;
  return true;
}

// {n} {n,} {n,m} quantify; any other brace stands for itself.
bool RegexScan::brace() {
  const std::u16string_view before = rest_;
  rest_.remove_prefix(1);
  bool counts = is_digit(peek());
  const int low = number(rest_.size(), 10, kUnbounded);
  int high = low;
  if (counts && take(u","))
    high = is_digit(peek()) ? number(rest_.size(), 10, kUnbounded) : kUnbounded;
  counts = counts && take(u"}");
  if (counts) return low <= high && quantifier();
  rest_ = before.substr(1);
  last_ = Last::atom;
  return true;
}

bool RegexScan::escape() {
  rest_.remove_prefix(1);
  if (rest_.empty()) return false;
  const char16_t c = peek();
  last_ = c == u'b' || c == u'B' ? Last::nothing : Last::atom;
  if (c == u'c' && !is_letter(peek(1))) return true;  // the backslash stands for itself
  rest_.remove_prefix(1);
  if (c != u'k' || names_known_ == Names::absent) return true;
  if (!take(u"<")) return false;
  auto name = group_name();
  if (name) references_.push_back(std::move(*name));
  return name.has_value();
}

// Up to and including the `>`.
std::optional<std::u16string> RegexScan::group_name() {
  std::u16string name;
  while (!rest_.empty() && peek() != u'>') {
    char16_t c = peek();
    rest_.remove_prefix(1);
    if (c == u'\\') {
      if (!take(u"u") || rest_.size() < 4 || !std::ranges::all_of(rest_.substr(0, 4), is_hex))
        return std::nullopt;
      c = static_cast<char16_t>(number(4, 16, 0xffff));
    }
    if (!starts_name(c) && (name.empty() || !is_digit(c))) return std::nullopt;
    name += c;
  }
  if (!take(u">") || name.empty()) return std::nullopt;
  return name;
}

bool RegexScan::character_class() {
  rest_.remove_prefix(1);
  take(u"^");
  while (!take(u"]")) {
    const auto from = class_atom();
    if (!from) return false;
    if (peek() != u'-' || peek(1) == u']') continue;
    rest_.remove_prefix(1);
    const auto to = class_atom();
    if (!to || (*from != kSet && *to != kSet && *from > *to)) return false;
  }
  last_ = Last::atom;
  return true;
}

std::optional<int> RegexScan::class_atom() {
  if (rest_.empty()) return std::nullopt;
  const char16_t c = peek();
  rest_.remove_prefix(1);
  return c == u'\\' ? class_escape() : c;
}

std::optional<int> RegexScan::class_escape() {
  if (rest_.empty()) return std::nullopt;
  const char16_t c = peek();
  if (c == u'c') return class_control();
  if (c >= u'0' && c <= u'7') return number(c <= u'3' ? 3 : 2, 8, 0377);
  rest_.remove_prefix(1);
  const std::size_t digits = c == u'x' ? 2 : c == u'u' ? 4 : 0;
  if (digits != 0 && rest_.size() >= digits && std::ranges::all_of(rest_.substr(0, digits), is_hex))
    return number(digits, 16, 0xffff);
  switch (c) {
    case u'd':
    case u'D':
    case u's':
    case u'S':
    case u'w':
    case u'W': return kSet;
    case u'b': return '\b';
    case u't': return '\t';
    case u'n': return '\n';
    case u'v': return '\v';
    case u'f': return '\f';
    case u'r': return '\r';
    case u'k':
      if (names_known_ == Names::present) return std::nullopt;
      return c;
    default: return c;
  }
}

// \c and a letter, digit or underscore is a control character, else the backslash stands for
// itself.
int RegexScan::class_control() {
  const char16_t c = peek(1);
  if (!is_letter(c) && !is_digit(c) && c != u'_') return u'\\';
  rest_.remove_prefix(2);
  return c % 32;
}

int RegexScan::number(std::size_t max_digits, int base, int limit) {
  long long value = 0;
  for (std::size_t i = 0; i < max_digits && is_hex(peek()); ++i) {
    const auto digit = static_cast<int>(hex_value(peek()));
    if (digit >= base) break;
    value = std::min<long long>(value * base + digit, limit);
    rest_.remove_prefix(1);
  }
  return static_cast<int>(value);
}

}  // namespace

bool is_js_regex(std::string_view pattern) {
  const std::u16string text = to_utf16(pattern);
  RegexScan scan(text, Names::absent);
  if (!scan.accepts()) return false;
  return !scan.has_names() || RegexScan(text, Names::present).accepts();
}

}  // namespace clawperator
