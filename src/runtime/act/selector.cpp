#include "runtime/act/selector.hpp"

#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
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

}  // namespace clawperator::act
