#include "runtime/contract/aliases.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"
#include "runtime/contract/param.hpp"

namespace clawperator {
namespace {

struct TopLevel {
  std::string_view name, aliases;
};
constexpr TopLevel kTopLevel[] = {{"commandId", "command_id"},
                                  {"taskId", "task_id"},
                                  {"expectedFormat", "expected_format"},
                                  {"timeoutMs", "timeout_ms"}};

// `rows` have a name and its aliases.
template <class Rows>
Json rename_keys(Json object, const Rows& rows) {
  if (!object.is_object()) return object;
  const auto canonical = [&](std::string_view key) {
    const auto is_alias = [&](const auto& row) { return is_one_of(key, row.aliases); };
    const auto row = std::ranges::find_if(rows, is_alias);
    return row == std::ranges::end(rows) ? key : row->name;
  };
  auto& members = object.get_ref<Json::object_t&>();
  const bool named_well = std::ranges::all_of(
      members, [&](const auto& member) { return canonical(member.first) == member.first; });
  if (named_well) return object;
  Json renamed = Json::object();
  for (auto& [key, value] : members) {
    const std::string name(canonical(key));
    if (name != key && object.contains(name)) continue;
    renamed[name] = std::move(value);
  }
  return renamed;
}

Json resolve_params(Json params) {
  params = rename_keys(std::move(params), kParams);
  if (!params.is_object()) return params;
  for (auto& [name, value] : params.get_ref<Json::object_t&>()) {
    const ParamRow* row = find_param_row(name);
    if (row && row->kind == ParamKind::matcher) value = resolve_matcher_aliases(std::move(value));
    if (name == "clickType" && value == true) value = "long_click";
  }
  return params;
}

// The one type that stands for another with a parameter.
void resolve_long_press(Json& action) {
  const std::string* type = string_member(action, "type");
  if (!type || ascii_lower(trim_js(*type)) != "long_press") return;
  Json& params = action.emplace("params", Json::object()).first.value();
  if (params.is_object()) params.emplace("clickType", "long_click");
}

}  // namespace

Json resolve_matcher_aliases(Json matcher) {
  return rename_keys(std::move(matcher), matcher_fields());
}

Json resolve_aliases(Json execution) {
  execution = rename_keys(std::move(execution), kTopLevel);
  if (find_member(execution, "actions") == nullptr || !execution["actions"].is_array())
    return execution;
  for (Json& action : execution["actions"]) {
    if (find_member(action, "params") != nullptr)
      action["params"] = resolve_params(std::move(action["params"]));
    resolve_long_press(action);
  }
  return execution;
}

}  // namespace clawperator
