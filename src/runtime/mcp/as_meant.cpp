#include "runtime/mcp/as_meant.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/param.hpp"

namespace clawperator::mcp {
namespace {

// Of a parameter by any of its names.
std::optional<ParamKind> kind_of(std::string_view name) {
  const auto is_it = [name](const ParamRow& row) {
    return row.name == name || is_one_of(name, row.aliases);
  };
  const auto row = std::ranges::find_if(kParams, is_it);
  return row == kParams.end() ? std::nullopt : std::optional(row->kind);
}

Json plain_numbers(const Json& point) {
  Json plain = Json::object();
  for (const auto& [name, value] : point.get_ref<const Json::object_t&>()) {
    const auto number = number_of(value);
    plain[name] = number ? Json(*number) : value;
  }
  return plain;
}

Json plain_param(std::string_view name, const Json& value) {
  const auto kind = kind_of(name);
  if (!kind || *kind == ParamKind::text) return value;
  if (*kind == ParamKind::number) {
    const auto number = number_of(value);
    return number ? Json(*number) : value;
  }
  if (*kind == ParamKind::boolean) {
    const auto boolean = boolean_of(value);
    return boolean ? Json(*boolean) : value;
  }
  Json object = read_text(value);
  if (!object.is_object()) return object;
  return *kind == ParamKind::coordinate ? plain_numbers(object) : without_blanks(object);
}

bool is_origin(const Json& point) {
  return whole_value(find_member(point, "x"), 0, 0) && whole_value(find_member(point, "y"), 0, 0);
}

Json plain_params(const Json& params) {
  Json plain = Json::object();
  bool has_matcher = false;
  for (const auto& [name, value] : params.get_ref<const Json::object_t&>()) {
    const Json param = plain_param(name, value);
    if (is_blank_value(param)) continue;
    has_matcher = has_matcher || kind_of(name) == ParamKind::matcher;
    plain[name] = param;
  }
  const Json* point = find_member(plain, "coordinate");
  if (has_matcher && point && is_origin(*point)) plain.erase("coordinate");
  return plain;
}

Json plain_step(const Json& given) {
  Json step = read_text(given);
  if (!step.is_object()) return step;
  Json plain = Json::object();
  for (const auto& [name, value] : step.get_ref<const Json::object_t&>()) {
    const Json member = name == "params" ? read_text(value) : value;
    if (member.is_null()) continue;
    plain[name] = name == "params" && member.is_object() ? plain_params(member) : member;
  }
  return plain;
}

Json plain_condition(const Json& given) {
  Json condition = read_text(given);
  if (!condition.is_object()) return condition;
  Json plain = Json::object();
  for (const auto& [name, value] : condition.get_ref<const Json::object_t&>()) {
    const auto boolean = is_one_of(name, "gone still") ? boolean_of(value) : std::nullopt;
    const Json object = read_text(value);
    const Json member = object.is_object() ? without_blanks(object) : value;
    if (!is_blank_value(member)) plain[name] = boolean ? Json(*boolean) : member;
  }
  return plain;
}

}  // namespace

bool is_blank_value(const Json& value) {
  if (value.is_object()) return std::ranges::all_of(value, is_blank_value);
  if (value.is_string()) return string_value(&value)->empty();
  return value.is_null() || (value.is_array() && value.empty());
}

Json read_text(const Json& value) {
  const std::string* text = string_value(&value);
  if (!text) return value;
  auto read = read_callers_json(*text, text->size());
  if (!read || read->is_string() || read->is_number() || read->is_boolean()) return value;
  return *std::move(read);
}

std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const std::string* text = string_value(&value);
  const auto number = text ? whole_number<int>(*text) : std::nullopt;
  if (!number) return std::nullopt;
  return *number;
}

std::optional<bool> boolean_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  const std::string* text = string_value(&value);
  if (text && (*text == "true" || *text == "false")) return *text == "true";
  return std::nullopt;
}

Json without_blanks(const Json& object) {
  Json kept = Json::object();
  for (const auto& [name, value] : object.get_ref<const Json::object_t&>()) {
    if (!is_blank_value(value)) kept[name] = value;
  }
  return kept;
}

Json plain_steps(const Json& steps) {
  Json plain = Json::array();
  for (const Json& step : steps) plain.push_back(plain_step(step));
  return plain;
}

Json plain_conditions(const Json& conditions) {
  // Fillings come last, and have no members. A blank one elsewhere is a mistake: without it the
  // indexes in the answer would be those of other conditions.
  const auto is_filling = [](const Json& given) {
    const Json read = read_text(given);
    return read.empty() || read == "";
  };
  std::size_t count = conditions.size();
  while (count > 0 && is_filling(conditions[count - 1])) --count;
  Json plain = Json::array();
  for (std::size_t i = 0; i < count; ++i) plain.push_back(plain_condition(conditions[i]));
  return plain;
}

}  // namespace clawperator::mcp
