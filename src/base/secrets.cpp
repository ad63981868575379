#include "base/secrets.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace base {
namespace {

using Spellings = std::vector<std::string>;

constexpr std::size_t kShortest = 3;    // a shorter secret is not masked inside other texts
constexpr std::size_t kMinCutPart = 4;  // of a secret that is cut off

std::string in_base(std::uint32_t number, std::uint32_t base, std::size_t width, bool upper) {
  const std::string_view digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string text;
  for (; number != 0 || text.size() < width; number /= base) text += digits[number % base];
  std::ranges::reverse(text);
  return text;
}

std::string unit_escape(std::uint32_t unit, bool upper) {
  return "\\u" + in_base(unit, 16, 4, upper);
}

std::string code_escape(char32_t code, bool upper) {
  if (code < 0x10000) return unit_escape(code, upper);
  const std::uint32_t rest = code - 0x10000;
  return unit_escape(0xD800 + (rest >> 10), upper) + unit_escape(0xDC00 + (rest & 0x3FF), upper);
}

Spellings in_json(std::string_view character, char32_t code) {
  constexpr std::string_view kPlain = "\"\\/\b\f\n\r\t";
  constexpr std::string_view kEscaped = "\"\\/bfnrt";
  Spellings all{code_escape(code, false), code_escape(code, true)};
  const auto at = character.size() == 1 ? kPlain.find(character.front()) : kPlain.npos;
  if (at != kPlain.npos) all.push_back({'\\', kEscaped[at]});
  return all;
}

// A JSON text within a JSON string.
std::string escaped_again(std::string_view json) {
  std::string text;
  for (const char c : json) {
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text;
}

Spellings in_xml(std::string_view character, char32_t code) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&apos;"}};
  Spellings all{"&#" + in_base(code, 10, 2, false) + ";", "&#x" + in_base(code, 16, 1, false) + ";",
                "&#x" + in_base(code, 16, 1, true) + ";"};
  for (const auto& [plain, name] : kNames) {
    if (character == plain) all.emplace_back(name);
  }
  return all;
}

// No writer of JSON escapes ASCII letters and digits.
Spellings spellings_of(std::string_view character) {
  Spellings all{std::string(character)};
  const char first = character.front();
  if (is_letter_or_digit(first)) return all;
  const char32_t code = code_point(character);
  for (const std::string& spelled : in_json(character, code)) {
    all.push_back(spelled);
    all.push_back(escaped_again(spelled));
  }
  std::ranges::move(in_xml(character, code), std::back_inserter(all));
  if (character == " ") all.emplace_back("%s");     // `input text`
  if (character == "'") all.emplace_back("'\\''");  // inside a shell's quotes
  return all;
}

// Or one byte that belongs to no character.
std::string_view take_character(std::string_view* text) {
  const std::size_t size = std::max<std::size_t>(sequence_length(*text), 1);
  const std::string_view character = text->substr(0, size);
  text->remove_prefix(size);
  return character;
}

// The position after the quote that ends the string at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return std::min(at + 1, json.size());
}

bool is_name(std::string_view json, std::size_t behind) {
  const auto next = json.find_first_not_of(kBlanks, behind);
  return next != json.npos && json[next] == ':';
}

// Attributes of a node's place and kind, not of its visible text.
bool is_structure(std::string_view attribute, std::string_view value) {
  return value == "true" || value == "false" ||
         is_one_of(attribute, "bounds index rotation class package resource-id");
}

std::string_view name_before(std::string_view tag) {
  if (!tag.ends_with('=')) return {};
  tag.remove_suffix(1);
  return tag.substr(tag.find_last_of(" \t\r\n<") + 1);
}

}  // namespace

std::optional<std::size_t> Secrets::Pattern::end_of(std::string_view where, std::size_t at,
                                                    bool cut) const {
  std::vector<std::size_t> ends{at};
  for (std::size_t known = 0; known < spellings.size(); ++known) {
    std::vector<std::size_t> next;
    for (const std::size_t end : ends) {
      const std::string_view rest = where.substr(end);
      for (const std::string& spelled : spellings[known]) {
        if (rest.starts_with(spelled)) next.push_back(end + spelled.size());
        const bool is_over = rest.size() < spelled.size() && spelled.starts_with(rest);
        if (cut && is_over && known >= kMinCutPart) return where.size();
      }
    }
    std::ranges::sort(next);
    const auto twice = std::ranges::unique(next);
    next.erase(twice.begin(), twice.end());
    ends = std::move(next);
    if (ends.empty()) return std::nullopt;
  }
  return ends.back();
}

void Secrets::add(std::string_view text) {
  if (text.empty() || has(text)) return;
  Pattern pattern{.text = std::string(text), .spellings = {}};
  while (!text.empty()) pattern.spellings.push_back(spellings_of(take_character(&text)));
  pattern.is_short = pattern.spellings.size() < kShortest;
  for (const std::string& spelled : pattern.spellings.front()) beginnings_ += spelled.front();
  patterns_.push_back(std::move(pattern));
}

void Secrets::add(const Secrets& more) {
  for (const Pattern& pattern : more.patterns_) add(pattern.text);
}

bool Secrets::has(std::string_view text) const {
  return std::ranges::find(patterns_, text, &Pattern::text) != patterns_.end();
}

std::vector<std::string> Secrets::texts() const {
  std::vector<std::string> all;
  all.reserve(patterns_.size());
  for (const Pattern& pattern : patterns_) all.push_back(pattern.text);
  return all;
}

std::string Secrets::replaced(std::string_view text, bool cut) const {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = text.find_first_of(beginnings_, at)) != text.npos;) {
    std::size_t end = at;
    for (const Pattern& pattern : patterns_) {
      const auto found = pattern.end_of(text, at, cut && !pattern.is_short);
      const bool counts = found && (!pattern.is_short || (at == 0 && *found == text.size()));
      if (counts) end = std::max(end, *found);
    }
    if (end == at) {
      ++at;
      continue;
    }
    out.append(text.substr(done, at - done)).append(kMask);
    done = at = end;
  }
  return out.append(text.substr(done));
}

std::string Secrets::masked(std::string_view text) const { return replaced(text, false); }

std::string Secrets::masked_beginning(std::string_view text) const { return replaced(text, true); }

std::string Secrets::masked_string(std::string_view quoted) const {
  const Json value = Json::parse(quoted, nullptr, false);
  if (!value.is_string()) return masked(quoted);  // not JSON
  const std::string& text = value.get_ref<const std::string&>();
  const std::string shown = masked(text);
  return shown == text ? std::string(quoted) : quote_json(shown);
}

std::string Secrets::masked_json(std::string_view json) const {
  if (empty()) return std::string(json);
  std::string out;
  std::string_view name;
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] != '"') {
      out += json[at++];
      continue;
    }
    const std::size_t end = end_of_string(json, at);
    const std::string_view quoted = json.substr(at, end - at);
    if (is_name(json, end)) name = quoted;
    const bool stays = is_name(json, end) || name.ends_with("Id\"") || name == R"("device")";
    out += stays ? std::string(quoted) : masked_string(quoted);
    at = end;
  }
  return out;
}

Error Secrets::masked(const Error& error) const {
  if (empty()) return error;
  return {error.code(), masked(error.message()), masked_json(error.members()),
          error.system_error()};
}

std::string Secrets::masked_xml(std::string_view xml) const {
  std::string out;
  for (std::size_t at = 0; at < xml.size();) {
    const std::size_t tag = std::min(xml.find('<', at), xml.size());
    out += masked(xml.substr(at, tag - at));
    for (at = tag; at < xml.size() && xml[at] != '>';) {
      const std::size_t quote = std::min(xml.find_first_of("\"'>", at), xml.size());
      out += xml.substr(at, quote - at);
      const std::string_view name = name_before(xml.substr(at, quote - at));
      at = quote;
      if (at == xml.size() || xml[at] == '>') break;
      const std::size_t end = std::min(xml.find(xml[at], at + 1), xml.size());
      const std::string_view value = xml.substr(at + 1, end - at - 1);
      out += xml[at];
      out += is_structure(name, value) ? std::string(value) : masked(value);
      at = end;
      if (at < xml.size()) out += xml[at++];
    }
    if (at < xml.size()) out += xml[at++];
  }
  return out;
}

}  // namespace base
