#include "skills/agent/rules/json5.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace clawperator::agent_skills {
namespace {

bool is_hex_digit(char c) { return is_digit(c) || (lower_char(c) >= 'a' && lower_char(c) <= 'f'); }

unsigned hex_value(char c) {
  return static_cast<unsigned>(is_digit(c) ? c - '0' : lower_char(c) - 'a' + 10);
}

bool starts_name(char c) {
  const char lower = lower_char(c);
  return (lower >= 'a' && lower <= 'z') || c == '_' || c == '$' || static_cast<signed char>(c) < 0;
}

void append_code_point(std::string* out, unsigned code) {
  const auto add = [out](unsigned byte) { out->push_back(static_cast<char>(byte)); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3F));
  } else {
    add(0xF0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3F));
    add(0x80 | (code >> 6 & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

bool is_high(unsigned code) { return code >= 0xD800 && code < 0xDC00; }
bool is_low(unsigned code) { return code >= 0xDC00 && code < 0xE000; }

}  // namespace

bool is_plain_name(std::string_view name) {
  const auto is_part = [](char c) {
    return (starts_name(c) && static_cast<signed char>(c) >= 0) || is_digit(c);
  };
  return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, is_part);
}

std::unexpected<Error> Json5Reader::complain(const std::string& what) const {
  const std::string_view before = text_.substr(0, at_);
  const auto line = std::ranges::count(before, '\n') + 1;
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fail(errc::protocol, "line " + std::to_string(line) + ", column " +
                                  std::to_string(at_ - line_start + 1) + ": " + what);
}

bool Json5Reader::take(char wanted) {
  if (at_end() || text_[at_] != wanted) return false;
  ++at_;
  return true;
}

bool Json5Reader::take_text(std::string_view wanted) {
  if (!text_.substr(at_).starts_with(wanted)) return false;
  at_ += wanted.size();
  return true;
}

bool Json5Reader::take_blank() {
  if (!at_end() && kBlanks.contains(peek())) {
    ++at_;
    return true;
  }
  const bool is_further = take('\v') || take('\f') || take_unicode_blank();
  if (is_further) is_json_ = false;
  return is_further;
}

bool Json5Reader::at_name_part(bool digits_count) {
  if (!starts_name(peek())) return digits_count && is_digit(peek());
  const std::size_t before = at_;
  const bool is_blank_here = take_unicode_blank();
  at_ = before;
  return !is_blank_here;
}

bool Json5Reader::take_unicode_blank() {
  if (static_cast<signed char>(peek()) >= 0) return false;
  // No-break space, byte order mark, line and paragraph separator, and the Zs of Unicode.
  for (const std::string_view blank :
       {"\u00A0", "\uFEFF", "\u2028", "\u2029", "\u1680", "\u202F", "\u205F", "\u3000"}) {
    if (take_text(blank)) return true;
  }
  const std::string_view rest = text_.substr(at_);
  if (rest.size() < 3 || !rest.starts_with("\xE2\x80")) return false;
  const auto last = static_cast<unsigned char>(rest[2]);
  if (last < 0x80 || last > 0x8A) return false;
  at_ += 3;
  return true;
}

Result<void> Json5Reader::skip_blanks() {
  while (!at_end()) {
    if (take_blank()) continue;
    if (peek() == '/') is_json_ = false;
    if (take_text("//")) {
      at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
    } else if (take_text("/*")) {
      const auto end = text_.find("*/", at_);
      if (end == std::string_view::npos) return complain("a comment has no end");
      at_ = end + 2;
    } else {
      break;
    }
  }
  return ok();
}

Result<unsigned> Json5Reader::hex_digits(std::size_t count) {
  unsigned code = 0;
  for (std::size_t i = 0; i < count; ++i, ++at_) {
    if (at_end() || !is_hex_digit(peek())) return complain("a hexadecimal digit was expected");
    code = code * 16 + hex_value(peek());
  }
  return code;
}

Result<void> Json5Reader::unicode_escape(std::string* out, std::size_t digits) {
  TRY(unsigned code, hex_digits(digits));
  if (is_high(code) && text_.substr(at_).starts_with("\\u")) {
    const std::size_t before = at_;
    at_ += 2;
    TRY(const unsigned low, hex_digits(4));
    if (is_low(low)) {
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else {
      at_ = before;
    }
  }
  append_code_point(out, is_high(code) || is_low(code) ? 0xFFFD : code);
  return ok();
}

Result<void> Json5Reader::escape(std::string* out) {
  if (at_end()) return complain("a text has no end");
  const char c = text_[at_++];
  constexpr std::string_view kLetters = "bfnrtv";
  if (!std::string_view("bfnrtu\"\\/").contains(c)) is_json_ = false;
  if (const auto found = kLetters.find(c); found != kLetters.npos) {
    out->push_back("\b\f\n\r\t\v"[found]);
  } else if (c == 'u') {
    return unicode_escape(out, 4);
  } else if (c == 'x') {
    return unicode_escape(out, 2);
  } else if (c == '0' && !is_digit(peek())) {
    out->push_back('\0');
  } else if (is_digit(c)) {
    return complain("an octal escape is not allowed");
  } else if (c == '\r') {
    take('\n');  // the text continues in the next line
  } else if (c != '\n') {
    --at_;
    if (!take_text("\u2028") && !take_text("\u2029")) out->push_back(text_[at_++]);
  }
  return ok();
}

Result<std::string> Json5Reader::quoted() {
  const char quote = text_[at_++];
  if (quote == '\'') is_json_ = false;
  const char ends[] = {quote, '\\', '\n', '\r'};
  std::string out;
  for (;;) {
    const auto end = text_.find_first_of(std::string_view(ends, sizeof ends), at_);
    if (end == text_.npos) return complain("a text has no end");
    const std::string_view plain = text_.substr(at_, end - at_);
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
    if (std::ranges::any_of(plain, is_control)) is_json_ = false;
    out += plain;
    at_ = end;
    if (take(quote)) return valid_utf8(out);
    if (!take('\\')) return complain("a text has no end");
    TRY_VOID(escape(&out));
  }
}

Result<std::string> Json5Reader::name() {
  if (peek() == '"' || peek() == '\'') return quoted();
  is_json_ = false;
  std::string out;
  while (!at_end()) {
    if (at_name_part(!out.empty())) {
      out.push_back(text_[at_++]);
    } else if (take_text("\\u")) {
      TRY_VOID(unicode_escape(&out, 4));
    } else {
      break;
    }
  }
  if (out.empty()) return complain("a member's name was expected");
  return valid_utf8(out);
}

// After a comma JSON requires another member before the end.
Result<void> Json5Reader::note_end(char end) {
  TRY_VOID(skip_blanks());
  if (peek() == end) is_json_ = false;
  return ok();
}

Result<Json> Json5Reader::object(std::size_t depth) {
  Json object = Json::object();
  auto& members = object.get_ref<Json::object_t&>();
  std::unordered_map<std::string, std::size_t> places;  // looked up in a list it would be slow
  for (;;) {
    TRY_VOID(skip_blanks());
    if (take('}')) return object;
    TRY(std::string key, name());
    TRY_VOID(skip_blanks());
    if (!take(':')) return complain("':' was expected");
    TRY_VOID(skip_blanks());
    TRY(Json member, value(depth + 1));
    const auto [place, is_new] = places.try_emplace(key, members.size());
    if (is_new) {
      members.emplace_back(std::move(key), std::move(member));
    } else {
      is_json_ = false;
      (members.begin() + static_cast<std::ptrdiff_t>(place->second))->second = std::move(member);
    }
    if (++members_ > most_members_) return complain("too many members");
    TRY_VOID(skip_blanks());
    if (take(',')) {
      TRY_VOID(note_end('}'));
    } else if (peek() != '}') {
      return complain("',' or '}' was expected");
    }
  }
}

Result<Json> Json5Reader::array(std::size_t depth) {
  Json array = Json::array();
  for (;;) {
    TRY_VOID(skip_blanks());
    if (take(']')) return array;
    TRY(Json element, value(depth + 1));
    array.push_back(std::move(element));
    TRY_VOID(skip_blanks());
    if (take(',')) {
      TRY_VOID(note_end(']'));
    } else if (peek() != ']') {
      return complain("',' or ']' was expected");
    }
  }
}

Result<Json> Json5Reader::number() {
  const bool is_negative = take('-');
  if (!is_negative && take('+')) is_json_ = false;
  double magnitude = 0;
  if (take_text("Infinity")) {
    is_json_ = false;
    magnitude = std::numeric_limits<double>::infinity();
  } else if (take_text("NaN")) {
    is_json_ = false;
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else if (take_text("0x") || take_text("0X")) {
    is_json_ = false;
    const std::size_t first = at_;
    for (; is_hex_digit(peek()); ++at_) magnitude = magnitude * 16 + hex_value(peek());
    if (at_ == first) return complain("a hexadecimal digit was expected");
  } else {
    // from_chars does not read ".5" and "5." in all forms on every library, so the digits are kept.
    const std::size_t first = at_;
    while (is_digit(peek())) ++at_;
    const bool has_whole = at_ > first;
    if (has_whole && text_[first] == '0' && at_ - first > 1) return complain("an octal number");
    std::string digits(has_whole ? text_.substr(first, at_ - first) : "0");
    bool has_part = false;
    if (take('.')) {
      const std::size_t part = at_;
      while (is_digit(peek())) ++at_;
      has_part = at_ > part;
      if (!has_part) is_json_ = false;
      if (has_part) digits.append(".").append(text_.substr(part, at_ - part));
    }
    if (!has_whole && !has_part) return complain("a value was expected");
    if (!has_whole) is_json_ = false;
    if (take('e') || take('E')) {
      digits += 'e';
      if (take('-'))
        digits += '-';
      else
        take('+');
      if (!is_digit(peek())) return complain("a digit was expected");
      while (is_digit(peek())) digits += text_[at_++];
    }
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), magnitude);
    if (error != std::errc()) {
      magnitude = digits.contains("e-") ? 0 : std::numeric_limits<double>::infinity();
    }
  }
  if (at_name_part(true)) return complain("a number goes on oddly");
  return Json(is_negative ? -magnitude : magnitude);
}

Result<Json> Json5Reader::word() {
  const std::size_t before = at_;
  std::string found;
  while (at_name_part(at_ > before)) found += text_[at_++];
  if (found == "null") return Json(nullptr);
  if (found == "true" || found == "false") return Json(found == "true");
  at_ = before;
  return complain("a value was expected");
}

Result<Json> Json5Reader::value(std::size_t depth) {
  if (depth > kMaxJson5Depth) return complain("nested too deep");
  const char c = peek();
  if (take('{')) return object(depth);
  if (take('[')) return array(depth);
  if (c == '"' || c == '\'') {
    TRY(std::string text, quoted());
    return Json(std::move(text));
  }
  if (is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'I' || c == 'N') return number();
  return word();
}

Result<Json> read_json5(std::string_view text) {
  bool is_json = false;
  return read_json5(text, &is_json);
}

Result<Json> read_json5(std::string_view text, bool* is_json, Json5Limits limits) {
  if (text.size() > limits.bytes) {
    return fail(errc::limit, "a document over " + std::to_string(limits.bytes >> 20) + " MiB");
  }
  Json5Reader reader(text, limits.members);
  TRY_VOID(reader.skip_blanks());
  TRY(Json value, reader.value());
  TRY_VOID(reader.skip_blanks());
  if (!reader.at_end()) return reader.complain("nothing more was expected");
  *is_json = reader.is_json();
  return value;
}

}  // namespace clawperator::agent_skills
