#pragma once
// The arguments of a tool call: read as their schema says, and as some hosts send them ("12" for
// 12, "true" for true). What is wrong is told in words that a model can act on. Pure.

#include "base/error.hpp"
#include "runtime/act/action.hpp"
#include "runtime/contract/json_document.hpp"

namespace clawperator::mcp {

enum class Type { text, whole, boolean, selector, steps, texts };

struct Property {
  std::string_view name;
  Type type;
  std::string_view meaning;
  std::span<const std::string_view> choices{};  // of a text; none: any
  bool required = false;
};

// JSON Schema of an object that has these and no other members.
std::string input_schema(std::span<const Property> properties);

class Arguments {
 public:
  // Fails with usage: an argument that is not known, missing, or of another type.
  static Result<Arguments> read(const Json* given, std::span<const Property> properties);

  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  // Fails outside of low..high.
  [[nodiscard]] Result<std::optional<int>> whole(std::string_view name, int low, int high) const;
  // What a member of that name should fulfil: {"id","text","text_contains",...}.
  [[nodiscard]] Result<std::optional<NodeMatcher>> selector(std::string_view name) const;
  // Of an array of texts; empty where there is none.
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  // JSON text of the member, as it was given.
  [[nodiscard]] std::string json(std::string_view name) const;

 private:
  explicit Arguments(std::shared_ptr<const Json> members) : members_(std::move(members)) {}

  std::shared_ptr<const Json> members_;
};

}  // namespace clawperator::mcp
