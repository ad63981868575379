#include "base/version.hpp"

#include <charconv>

namespace base {

namespace {

// Reads and removes the decimal number at the beginning of `text`; nullopt without a number, or if
// it does not fit.
std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || text.front() == '-') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool is_suffix(std::string_view text) {
  constexpr std::string_view kLegal =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-.";
  return text.empty() ||
         (text.size() > 1 && text.front() == '-' && text.find_first_not_of(kLegal) == text.npos);
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  std::array<int, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && !text.starts_with('.')) return std::nullopt;
    if (i > 0) text.remove_prefix(1);
    const auto number = text.empty() ? std::nullopt : take_number(text);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  if (!is_suffix(text)) return std::nullopt;
  return Version{numbers[0], numbers[1], numbers[2]};
}

std::string to_string(const Version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

}  // namespace base
