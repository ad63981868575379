#pragma once
// The outputs that a frontmatter declares: the text of a step as a value, and what of the value may
// be printed. Pure.

#include "skills/phone/recipe/recipe.hpp"

namespace clawperator::recipe {

enum class Redaction : std::uint8_t {
  none,
  hash,  // "sha256:" and 64 hex digits: shows whether it changes; short values can be guessed
  mask,  // base::kMask
  drop,  // it is left out
};

struct Output {
  std::string name{};
  std::string type{};  // string, number, boolean
  Redaction redaction{};
  std::string step{};  // the read_text step whose text it is
  TextPlace place{};
};

// Of a recipe without faults. recipe_reference_invalid for one whose step reads no text.
std::expected<std::vector<Output>, std::vector<Fault>> outputs_of(const Recipe& recipe);

// A text as a value of that type. A number is the only number in its text, as 21.5 in "21,5 °C";
// one that may be another number, too, is none. A boolean is one of on, off, true, false, yes, no,
// 1, 0. nullopt: it is none.
std::optional<Json> value_of(std::string_view type, std::string_view text);

// The value as it may be printed; nullopt: not at all.
std::optional<Json> redacted(const Json& value, Redaction redaction);

}  // namespace clawperator::recipe
