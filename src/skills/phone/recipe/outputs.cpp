#include "skills/phone/recipe/outputs.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "adbproto/crypto/sha256.hpp"
#include "base/js_string.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "skills/phone/recipe/errc.hpp"

namespace clawperator::recipe {
namespace {

constexpr auto kRedactions =
    std::to_array<std::pair<std::string_view, Redaction>>({{"none", Redaction::none},
                                                           {"hash", Redaction::hash},
                                                           {"mask", Redaction::mask},
                                                           {"drop", Redaction::drop}});

Redaction redaction_of(const Part& output, std::string_view type) {
  const std::string* word = output.text("redaction");
  const auto named =
      word ? std::ranges::find(kRedactions, *word, [](const auto& each) { return each.first; })
           : kRedactions.end();
  if (named != kRedactions.end()) return named->second;
  return type == "string" ? Redaction::mask : Redaction::none;
}

bool reads(const Recipe& recipe, std::string_view id) {
  return std::ranges::any_of(recipe.steps, [id](const Block& block) {
    const Part step = part_of(block);
    return *step.text("id") == id && *step.text("type") == "read_text";
  });
}

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kInNumber = "0123456789.,";

// From here on a double has gaps between whole numbers.
constexpr double kMostWhole = 9007199254740992;

// Whether the number behind `before` is below zero; nullopt: nothing shows whether the minus is its
// sign. A currency may be between them.
std::optional<bool> is_negative(std::string_view before) {
  std::size_t at = before.npos, end = 0;
  for (const std::string_view minus : {"-", "\u2212", "\u2013"}) {
    const auto found = before.rfind(minus);
    if (found != before.npos && found >= end) at = found, end = found + minus.size();
  }
  if (at == before.npos) return false;
  if (at > 0 && is_letter_or_digit(before[at - 1])) return false;  // a hyphen
  const auto separates = [](char c) { return is_letter(c) || kBlanks.contains(c); };
  if (std::ranges::any_of(before.substr(end), separates)) return std::nullopt;
  return true;
}

// "1,5" has a decimal comma, as many languages write it. A comma or a point before three digits may
// separate thousands, so such a text is refused.
std::optional<double> number_of(std::string_view text) {
  const auto begin = text.find_first_of(kDigits);
  if (begin == text.npos) return std::nullopt;
  std::string_view word = text.substr(begin);
  word = word.substr(0, word.find_first_not_of(kInNumber));
  word = trimmed_end(word, ".,");
  if (text.substr(begin + word.size()).find_first_of(kDigits) != text.npos) return std::nullopt;
  std::string number(word);
  if (const auto mark = number.find_first_of(".,"); mark != number.npos) {
    const bool may_be_thousands = number.size() - mark == 4 && number.substr(0, mark) != "0";
    if (may_be_thousands || number.find_first_of(".,", mark + 1) != number.npos) {
      return std::nullopt;
    }
    number[mark] = '.';
  }
  const std::string_view before = text.substr(0, begin);
  const auto negative = is_negative(before);
  if (!negative || before.ends_with('.') || before.ends_with(',')) return std::nullopt;
  double value = 0;
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (error != std::errc{} || stop != end || value >= kMostWhole) return std::nullopt;
  return *negative ? -value : value;
}

}  // namespace

std::expected<std::vector<Output>, std::vector<Fault>> outputs_of(const Recipe& recipe) {
  std::vector<Output> outputs;
  Faults faults;
  part_of(recipe.frontmatter).member("outputs")->each([&](const std::string&, Part part) {
    const std::string& name = *part.text("name");
    const std::string* step = part.text("step");
    Output output{.name = name,
                  .type = *part.text("type"),
                  .step = step ? *step : name,
                  .place = part.member("name")->place()};
    output.redaction = redaction_of(part, output.type);
    if (!reads(recipe, output.step)) {
      faults.add(
          errc::recipe_reference_invalid, output.place,
          "no read_text step has the id " + in_quotes(output.step) + ": give the output a `step`");
    }
    outputs.push_back(std::move(output));
  });
  if (!faults.empty()) return std::unexpected(std::move(faults).in_order());
  return outputs;
}

std::optional<Json> value_of(std::string_view type, std::string_view text) {
  if (type == "string") return Json(text);
  if (type == "number") {
    const auto number = number_of(text);
    return number ? std::optional<Json>(*number) : std::nullopt;
  }
  const std::string word = ascii_lower(trim_js(text));
  if (is_one_of(word, "on true yes 1")) return Json(true);
  if (is_one_of(word, "off false no 0")) return Json(false);
  return std::nullopt;
}

std::optional<Json> redacted(const Json& value, Redaction redaction) {
  switch (redaction) {
    case Redaction::none: return value;
    case Redaction::hash: return Json("sha256:" + adbproto::sha256_of(js_text(value)));
    case Redaction::mask: return Json(kMask);
    case Redaction::drop: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace clawperator::recipe
