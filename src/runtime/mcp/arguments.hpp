#pragma once
// The arguments of a tool call: read by their schema, and as some hosts send them (as_meant). An
// error's text contains the necessary change. Pure.

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "runtime/act/condition.hpp"

namespace clawperator::mcp {

// `steps`: actions of the app's own plan; `calls`: other tools with their arguments.
enum class Type { text, whole, boolean, selector, steps, calls, texts, conditions };

struct Property {
  std::string_view name;
  Type type;
  std::string_view meaning;
  std::span<const std::string_view> choices{};  // of a text; none: any
  bool required = false;
  int least = 0;  // of a whole number
  int most = 0;   // of a whole number; of a text its longest, where there is a limit
  // Whether the list of tools has it: a model reads all of that. Programs know the others.
  bool is_listed = true;
};

constexpr Property whole_argument(std::string_view name, int least, int most,
                                  std::string_view meaning = "") {
  return {name, Type::whole, meaning, {}, false, least, most};
}

class Arguments {
 public:
  // Fails with usage for an argument that is unknown, missing, or breaks its property. Blank values
  // are left out, except a required text; so is 0 where a host fills in what a model left out.
  static Result<Arguments> read(const Json* given, std::span<const Property> properties);

  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] std::optional<int> whole(std::string_view name) const;
  // The conditions for the node.
  [[nodiscard]] Result<std::optional<NodeMatcher>> selector(std::string_view name) const;
  // The same with another whole number.
  [[nodiscard]] Arguments with(std::string_view name, const Json& value) const;
  // Of an array of texts; empty where there is none.
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  // The conditions of an array; nullopt where there is none.
  [[nodiscard]] Result<std::optional<act::Conditions>> conditions(std::string_view name,
                                                                  bool all) const;
  // The member as it was given; null where there is none.
  [[nodiscard]] const Json* value(std::string_view name) const;

 private:
  explicit Arguments(std::shared_ptr<const Json> members) : members_(std::move(members)) {}

  std::shared_ptr<const Json> members_;
};

}  // namespace clawperator::mcp
