#include "base/text.hpp"

#include <algorithm>

namespace base {

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower_char);
  return out;
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return trimmed_end(text);
}

std::string_view trimmed_end(std::string_view text, std::string_view blanks) {
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string joined(std::span<const std::string> texts, std::string_view between) {
  std::string all;
  for (const std::string& each : texts) {
    if (&each != texts.data()) all += between;
    all += each;
  }
  return all;
}

std::string replaced(std::string_view text, std::string_view mark, std::string_view value) {
  std::string out;
  for (auto at = text.find(mark); at != text.npos; at = text.find(mark)) {
    out.append(text.substr(0, at)).append(value);
    text.remove_prefix(at + mark.size());
  }
  return out.append(text);
}

std::string percent_encoded(std::string_view text, std::string_view also_kept) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kUnreserved = "-._~";
  std::string encoded;
  for (const char c : text) {
    if (is_letter_or_digit(c) || kUnreserved.contains(c) || also_kept.contains(c)) {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded.append({'%', kDigits[byte >> 4U], kDigits[byte & 15U]});
    }
  }
  return encoded;
}

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string_view take_line(std::string_view* text) {
  const auto end = text->find('\n');
  const std::string_view line = trimmed(text->substr(0, end));
  text->remove_prefix(end == text->npos ? text->size() : end + 1);
  return line;
}

std::string_view first_line(std::string_view text, std::size_t at_most) {
  return text.substr(0, std::min(text.find_first_of("\r\n"), at_most));
}

std::string_view last_lines(std::string_view text, std::size_t count) {
  std::size_t from = text.size();
  if (text.ends_with('\n')) --from;
  for (std::size_t lines = 0; lines < count; ++lines) {
    from = from == 0 ? text.npos : text.rfind('\n', from - 1);
    if (from == text.npos) return text;
  }
  return text.substr(from + 1);
}

std::string_view last_bytes(std::string_view text, std::size_t at_most) {
  return text.substr(text.size() - std::min(text.size(), at_most));
}

}  // namespace base
