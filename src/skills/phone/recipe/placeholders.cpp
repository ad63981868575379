#include "skills/phone/recipe/placeholders.hpp"

#include <algorithm>

#include "base/js_string.hpp"
#include "base/text.hpp"
#include "skills/phone/recipe/errc.hpp"

namespace clawperator::recipe {
namespace {

// The limit of the contract is 512 UTF-16 units. The rest is judged there.
constexpr std::size_t kMaxFilled = 4096;

constexpr std::string_view kOpen = "${";
constexpr std::string_view kInputs = "${inputs.";

std::string_view name_at(std::string_view text) {
  if (!text.starts_with(kInputs)) return {};
  text.remove_prefix(kInputs.size());
  const auto end = text.find('}');
  if (end == text.npos) return {};
  const std::string_view name = text.substr(0, end);
  const auto fits = [](char c) { return is_letter_or_digit(c) || c == '_'; };
  return std::ranges::all_of(name, fits) ? name : std::string_view();
}

}  // namespace

std::vector<Placeholder> placeholders_in(std::string_view text) {
  std::vector<Placeholder> found;
  for (std::size_t at = 0; (at = text.find(kOpen, at)) != text.npos;) {
    const std::string_view name = name_at(text.substr(at));
    const std::size_t length = name.empty() ? kOpen.size() : kInputs.size() + name.size() + 1;
    found.push_back({at, length, name});
    at += length;
  }
  return found;
}

Result<std::string> fill_in(std::string_view text, const Values& values) {
  std::string filled;
  std::size_t at = 0;
  for (const auto& [offset, length, name] : placeholders_in(text)) {
    filled += text.substr(at, offset - at);
    at = offset + length;
    const auto value = values.find(name);
    if (value == values.end() || is_blank(value->second)) {
      return fail(errc::recipe_input_missing,
                  "input " + in_quotes(name) + " has no value: add it to --vars");
    }
    filled += value->second;
    if (filled.size() > kMaxFilled) {
      return fail(errc::recipe_input_invalid,
                  "input " + in_quotes(name) + " is too long: a text has at most 512 characters");
    }
  }
  return filled.append(text.substr(at));
}

}  // namespace clawperator::recipe
