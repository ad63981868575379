#include "base/git_name.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace base {
namespace {

// The rest after `.git` or its short name; nullopt: the text begins with neither.
std::optional<std::string_view> rest_of_git(std::string_view name) {
  constexpr std::string_view kLong = ".git";
  constexpr std::string_view kShort = "git~";
  if (name.starts_with(kLong)) return name.substr(kLong.size());
  if (!name.starts_with(kShort)) return std::nullopt;
  const std::string_view number = name.substr(kShort.size());
  const auto end = std::ranges::find_if_not(number, is_digit);
  if (end == number.begin()) return std::nullopt;
  return number.substr(static_cast<std::size_t>(end - number.begin()));
}

}  // namespace

bool is_git_name(std::string_view name) {
  const std::string folded = ascii_lower(without_ignorable(name));
  const auto rest = rest_of_git(folded);
  if (!rest) return false;
  const auto end = rest->find_first_not_of(" .");
  return end == rest->npos || (*rest)[end] == ':' || (*rest)[end] == '\\';
}

}  // namespace base
