// Takes a token out of what a hub answers, in one pass for each of two spellings.

#include <vector>

#include "base/text.hpp"
#include "skills/hub/client.hpp"

namespace clawperator::hub {
namespace {

constexpr std::string_view kHidden = "***";

// A text as it is read: `starts` says where each of its characters stands in `source`.
struct Spelled {
  std::string_view source{};
  std::string read{};
  std::vector<std::uint32_t> starts{};

  [[nodiscard]] std::size_t start(std::size_t at) const { return starts.empty() ? at : starts[at]; }
};

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = lower_char(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Of so many hex digits at the front; -1: they are none.
int hex_number(std::string_view text, std::size_t digits) {
  if (text.size() < digits) return -1;
  int number = 0;
  for (const char c : text.substr(0, digits)) {
    const int value = hex_value(c);
    if (value < 0) return -1;
    number = number * 16 + value;
  }
  return number;
}

// The character that begins a text, and how long its spelling is: "%2F", "\\/", "\\u002f".
char spelled_char(std::string_view text, std::size_t* length) {
  *length = 1;
  if (text[0] == '%') {
    const int code = hex_number(text.substr(1), 2);
    if (code >= 0) *length = 3;
    return code >= 0 ? static_cast<char>(code) : '%';
  }
  if (text[0] != '\\' || text.size() < 2) return text[0];
  *length = 2;
  if (text[1] != 'u') return text[1];
  const int code = hex_number(text.substr(2), 4);
  if (code < 0 || code >= 0x80) return 'u';  // no token has others
  *length = 6;
  return static_cast<char>(code);
}

Spelled read_spelled(std::string_view source) {
  Spelled spelled{source, {}, {}};
  spelled.read.reserve(source.size());
  spelled.starts.reserve(source.size() + 1);
  for (std::size_t at = 0; at < source.size();) {
    std::size_t length = 0;
    spelled.read += spelled_char(source.substr(at), &length);
    spelled.starts.push_back(static_cast<std::uint32_t>(at));
    at += length;
  }
  spelled.starts.push_back(static_cast<std::uint32_t>(source.size()));
  return spelled;
}

// How much of the token may still be its beginning where it goes on otherwise (Knuth, Morris,
// Pratt): each byte of a text is looked at once, whatever the two look like.
std::vector<std::size_t> fallbacks_of(std::string_view token) {
  std::vector<std::size_t> fallbacks(token.size());
  for (std::size_t at = 1, known = 0; at < token.size(); ++at) {
    while (known > 0 && token[at] != token[known]) known = fallbacks[known - 1];
    if (token[at] == token[known]) ++known;
    fallbacks[at] = known;
  }
  return fallbacks;
}

std::string hidden_in(const Spelled& spelled, std::string_view text, std::string_view token) {
  const auto fallbacks = fallbacks_of(token);
  std::string shown;
  std::size_t done = 0;
  std::size_t known = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    while (known > 0 && text[at] != token[known]) known = fallbacks[known - 1];
    if (text[at] == token[known]) ++known;
    if (known < token.size()) continue;
    shown += spelled.source.substr(done, spelled.start(at + 1 - token.size()) - done);
    shown += kHidden;
    done = spelled.start(at + 1);
    known = 0;
  }
  shown += spelled.source.substr(done);
  return shown;
}

}  // namespace

std::string without_token(std::string_view text, const std::string& token) {
  if (token.empty()) return std::string(text);
  std::string shown = hidden_in(Spelled{text, {}, {}}, text, token);
  if (!shown.contains('%') && !shown.contains('\\')) return shown;
  const Spelled spelled = read_spelled(shown);
  return hidden_in(spelled, spelled.read, token);
}

}  // namespace clawperator::hub
