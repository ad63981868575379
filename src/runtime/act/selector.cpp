#include "runtime/act/selector.hpp"

#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/parse.hpp"

namespace clawperator::act {

Result<Selector> read_selector(std::string_view text, std::string_view name) {
  auto json = read_json(text, kMaxExecutionText);
  std::string problem;
  if (!json && json.error().code() == errc::limit) problem = ": " + json.error().message();
  if (!json && problem.empty()) problem = " must be valid JSON";
  if (json && !json->is_object()) problem = " must be a JSON object";
  if (!problem.empty()) {
    return fail(errc::execution_validation_failed, std::string(name) + problem);
  }
  return Selector{.as_given = std::make_shared<const Json>(*std::move(json))};
}

Json to_document(const Selector& selector) {
  if (selector.as_given) return *selector.as_given;
  Json matcher = Json::object();
  const auto put = [&](const char* name, const std::optional<std::string>& value) {
    if (value) matcher[name] = valid_utf8(*value);
  };
  put("resourceId", selector.fields.resource_id);
  put("role", selector.fields.role);
  put("textEquals", selector.fields.text_equals);
  put("textContains", selector.fields.text_contains);
  put("contentDescEquals", selector.fields.description_equals);
  put("contentDescContains", selector.fields.description_contains);
  return matcher;
}

}  // namespace clawperator::act
