#include "runtime/contract/aliases.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/contract/action_table.hpp"

namespace clawperator {
namespace {

std::string_view canonical_key(std::string_view key, std::span<const AliasRow> aliases) {
  const auto row = std::ranges::find(aliases, key, &AliasRow::alias);
  return row == aliases.end() ? key : row->canonical;
}

Json rename_keys(Json object, std::span<const AliasRow> aliases) {
  if (!object.is_object()) return object;
  const auto& members = object.get_ref<const Json::object_t&>();
  const bool named_well = std::ranges::all_of(members, [&](const auto& member) {
    return canonical_key(member.first, aliases) == member.first;
  });
  if (named_well) return object;
  Json renamed = Json::object();
  for (auto& [key, value] : object.get_ref<Json::object_t&>()) {
    const std::string canonical(canonical_key(key, aliases));
    if (canonical != key && object.contains(canonical)) continue;
    renamed[canonical] = std::move(value);
  }
  return renamed;
}

Json resolve_params(Json params) {
  params = rename_keys(std::move(params), param_aliases());
  if (!params.is_object()) return params;
  for (auto& [name, value] : params.get_ref<Json::object_t&>()) {
    const auto row = std::ranges::find(param_table(), name, &ParamRow::name);
    if (row != param_table().end() && row->kind == ParamKind::matcher)
      value = rename_keys(std::move(value), matcher_aliases());
    if (name == "clickType" && value == true) value = "long_click";
  }
  return params;
}

}  // namespace

Json resolve_aliases(Json execution) {
  execution = rename_keys(std::move(execution), top_level_aliases());
  if (find_member(execution, "actions") == nullptr || !execution["actions"].is_array())
    return execution;
  for (Json& action : execution["actions"])
    if (find_member(action, "params") != nullptr)
      action["params"] = resolve_params(std::move(action["params"]));
  return execution;
}

}  // namespace clawperator
