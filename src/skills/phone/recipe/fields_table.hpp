#pragma once
// The fields of a recipe's frontmatter and steps. The parser, the checks and the JSON Schema are
// made from these rows. The actions and their parameters are rows of the contract.

#include "runtime/contract/action.hpp"

namespace clawperator::recipe {

enum class Need : std::uint8_t { optional, recommended, required };

enum class Shape : std::uint8_t {
  text,      // not blank
  any_text,  // also an empty one
  whole,
  number,
  boolean,
  scalar,     // a text, a number, true, false or null
  texts,      // a list; so below
  object,     // its fields are `inside`
  objects,    //
  selector,   // its fields are selector_fields()
  selectors,  //
};

// How a text is spelled.
struct Form {
  std::string_view pattern;  // for the JSON Schema
  std::string_view shown;    // an example, for messages
  bool (*fits)(std::string_view) = nullptr;
};

struct Field {
  std::string_view name;
  Shape shape{};
  std::string_view meaning{};
  Need need = Need::optional;
  std::string_view choices{};  // of a text or of the texts, between blanks; empty: any
  const Form* form = nullptr;
  std::span<const Field> inside{};
  std::int64_t least = 0;         // of a whole number, and of the elements of a list
  std::int64_t most = INT32_MAX;  // of a whole number; of a text: UTF-16 units
  bool takes_inputs = false;      // ${inputs.NAME}
  std::string_view execution{};  // of a selector's key and of a parameter: its name in an execution
};

std::span<const Field> frontmatter_fields();
std::span<const Field> selector_fields();

// A type of step.
struct StepType {
  ActionType action{};
  std::string_view name{};
  std::vector<Field> params{};
  std::vector<Field> fields{};  // of the step; `params` is one of them
};
// Those that a recipe may have; null for another name.
std::span<const StepType> step_types();
const StepType* find_step_type(std::string_view name);

const Field* find_field(std::span<const Field> fields, std::string_view name);

// Steps of ours stand beside a recipe's own, so no id of a recipe begins like theirs.
inline constexpr std::string_view kConfirmId = "confirm-";
inline constexpr std::string_view kAfterId = "after-";
inline constexpr std::string_view kFreshId = "fresh-";

}  // namespace clawperator::recipe
