#include "base/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include "base/utf8.hpp"

namespace base {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (static_cast<unsigned char>(c) >= 0x20) {
    out += c;
    return;
  }
  out += "\\u00";
  out += kHex[static_cast<unsigned char>(c) >> 4];
  out += kHex[static_cast<unsigned char>(c) & 0xf];
}

// C1 controls may act on a terminal, and bidi controls make a text look like another one: they are
// written as escapes. They have two or three bytes in UTF-8, and so four hex digits.
void append_sequence(std::string& out, std::string_view sequence) {
  if (!acts_on_terminal(sequence)) {
    out += sequence;
    return;
  }
  const char32_t point = code_point(sequence);
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[point >> shift & 0xfU];
}

// The length of the beginning of `text` that needs no escapes in JSON; text beyond ASCII is not
// judged here.
std::size_t plain_size(std::string_view text) {
  const auto is_special = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte > 0x7e || c == '"' || c == '\\';
  };
  return static_cast<std::size_t>(std::ranges::find_if(text, is_special) - text.begin());
}

// The code unit of "\uXXXX" at `at`.
std::optional<unsigned> escaped_unit(std::string_view text, std::size_t at) {
  unsigned unit = 0;
  const std::string_view digits = text.substr(std::min(at + 2, text.size())).substr(0, 4);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  const bool whole = error == std::errc() && end == digits.data() + 4;
  return whole && text.substr(at, 2) == "\\u" ? std::optional(unit) : std::nullopt;
}

bool is_surrogate(unsigned unit) { return unit >= 0xd800 && unit <= 0xdfff; }

// The length of the escape at `at`, if it is one whole character; false for half of one.
std::pair<std::size_t, bool> escape_length(std::string_view text, std::size_t at) {
  const auto unit = escaped_unit(text, at);
  if (!unit) return {std::min<std::size_t>(2, text.size() - at), true};
  if (!is_surrogate(*unit)) return {6, true};
  const auto next = *unit < 0xdc00 ? escaped_unit(text, at + 6) : std::nullopt;
  const bool pair = next && *next >= 0xdc00 && *next <= 0xdfff;
  return {pair ? 12 : 6, pair};
}

// A lone half of a surrogate pair, encoded as if it were a character.
bool is_encoded_half(std::string_view text, std::size_t at) {
  const auto is_from = [&](std::size_t i, unsigned char low) {
    const auto byte = static_cast<unsigned char>(text[i]);
    return byte >= low && byte <= 0xbf;
  };
  return text.size() - at > 2 && text[at] == '\xed' && is_from(at + 1, 0xa0) &&
         is_from(at + 2, 0x80);
}

// Number::toString of ECMAScript for a finite value that is neither zero nor negative: `digits`
// without leading or trailing zeros, the decimal point `point` places after their start.
std::string place_point(std::string_view digits, int point) {
  const int count = static_cast<int>(digits.size());
  const auto zeros = [](int n) { return std::string(static_cast<std::size_t>(n), '0'); };
  if (point > 0 && point <= 21) {
    if (count <= point) return std::string(digits) + zeros(point - count);
    const auto cut = static_cast<std::size_t>(point);
    return std::string(digits.substr(0, cut)) + "." + std::string(digits.substr(cut));
  }
  if (point > -6 && point <= 0) return "0." + zeros(-point) + std::string(digits);
  std::string out(digits.substr(0, 1));
  if (count > 1) out.append(".").append(digits.substr(1));
  const int exponent = point - 1;
  return out + (exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(exponent));
}

enum class Raw { kept, repaired };

std::string repaired(std::string_view text, Raw raw) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const bool escape = text[at] == '\\';
    std::size_t length = raw == Raw::kept ? 1 : sequence_length(text.substr(at));
    bool good = length != 0;
    if (escape) std::tie(length, good) = escape_length(text, at);
    if (length == 0) length = is_encoded_half(text, at) ? 3 : 1;
    out += good ? text.substr(at, length) : kReplacement;
    at += length;
  }
  return out;
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out.reserve(out.size() + text.size() + text.size() / 8 + 2);  // for a tree's quotation marks
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t plain = plain_size(text.substr(at));
    out += text.substr(at, plain);
    at += plain;
    if (at == text.size()) break;
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0) out += kReplacement;
    if (length == 1) append_escaped(out, text[at]);
    if (length > 1) append_sequence(out, text.substr(at, length));
    at += length == 0 ? 1 : length;
  }
  out += '"';
}

std::string quote_json(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

std::string repaired_json(std::string_view text) { return repaired(text, Raw::repaired); }

std::string with_whole_escapes(std::string_view text) { return repaired(text, Raw::kept); }

std::string number_json(double value) {
  if (!std::isfinite(value)) return "null";
  if (value == 0) return "0";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                 std::chars_format::scientific);
  // d.ddde[+-]xx, shortest digits
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t mark = text.find('e');
  std::string digits(text.substr(0, mark));
  std::erase(digits, '.');
  const std::string_view exponent_text = text.substr(mark + (text[mark + 1] == '+' ? 2 : 1));
  int exponent = 0;
  std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  return (value < 0 ? "-" : "") + place_point(digits, exponent + 1);
}

std::string strings_json(std::span<const std::string> texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ',';
    append_quoted(out, text);
  }
  return out += ']';
}

void JsonObject::begin(std::string_view name) {
  if (!members_.empty()) members_ += ',';
  append_quoted(members_, name);
  members_ += ':';
}

JsonObject& JsonObject::json(std::string_view name, std::string_view json) {
  begin(name);
  members_ += json;
  return *this;
}

JsonObject& JsonObject::append(const JsonObject& more) {
  if (!members_.empty() && !more.members_.empty()) members_ += ',';
  members_ += more.members_;
  return *this;
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  begin(name);
  append_quoted(members_, value);
  return *this;
}

JsonObject& JsonObject::text_or_null(std::string_view name,
                                     const std::optional<std::string>& value) {
  return value ? text(name, *value) : null(name);
}

JsonObject& JsonObject::number(std::string_view name, std::int64_t value) {
  return json(name, std::to_string(value));
}

JsonObject& JsonObject::real(std::string_view name, double value) {
  return json(name, number_json(value));
}

JsonObject& JsonObject::boolean(std::string_view name, bool value) {
  return json(name, value ? "true" : "false");
}

JsonObject& JsonObject::null(std::string_view name) { return json(name, "null"); }

JsonObject& JsonObject::strings(std::string_view name, std::span<const std::string> values) {
  return json(name, strings_json(values));
}

JsonObject& JsonObject::object(std::string_view name, const JsonObject& value) {
  return json(name, value.str());
}

}  // namespace base
