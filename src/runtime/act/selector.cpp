#include "runtime/act/selector.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"
#include "runtime/contract/aliases.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/parse.hpp"

namespace clawperator::act {

Result<Selector> read_selector(std::string_view text, std::string_view name) {
  auto json = read_callers_json(text, kMaxExecutionText);
  std::string problem;
  if (!json && json.error().code() == errc::limit) problem = ": " + json.error().message();
  if (!json && problem.empty()) problem = " must be valid JSON";
  if (json && !json->is_object()) problem = " must be a JSON object";
  if (!problem.empty()) {
    return fail(errc::execution_validation_failed, std::string(name) + problem);
  }
  Selector selector{.as_given = std::make_shared<const Json>(*std::move(json))};
  for (const auto& [field, member, aliases] : matcher_fields()) {
    if (const auto* value = string_member(*selector.as_given, field)) {
      selector.fields.*member = *value;
    }
  }
  return selector;
}

Result<NodeMatcher> read_matcher(const Json& given, const std::string& where) {
  constexpr std::size_t kMostOfName = 64;  // of a client's text; our own names are shorter
  const std::string names =
      joined(std::vector<std::string>(kMatcherNames.begin(), kMatcherNames.end()), ", ");
  const Json named = resolve_matcher_aliases(given);
  if (!named.is_object()) return fail(errc::usage, where + " must be an object of " + names);
  NodeMatcher node;
  for (const auto& [name, value] : named.get_ref<const Json::object_t&>()) {
    const auto field = std::ranges::find(matcher_fields(), name, &MatcherField::name);
    const std::string* text = string_value(&value);
    if (field == matcher_fields().end() || !text || is_blank(*text)) {
      return fail(errc::usage, where + "." + name.substr(0, kMostOfName) + " is not one of " +
                                   names + " with a text that is not blank");
    }
    node.*(field->field) = *text;
  }
  if (node == NodeMatcher{}) return fail(errc::usage, where + " is empty");
  return node;
}

}  // namespace clawperator::act
