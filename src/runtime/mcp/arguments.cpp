#include "runtime/mcp/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/text.hpp"
#include "runtime/act/selector.hpp"
#include "runtime/mcp/as_meant.hpp"

namespace clawperator::mcp {
namespace {

constexpr std::size_t kMaxShownName = 64;  // of a client's text; our own names are shorter

// A point is named by all of its coordinates, and by nothing else beside them.
constexpr std::string_view kCoordinates[] = {"x", "y", "x1", "y1", "x2", "y2"};
constexpr std::string_view kPlaces[] = {"ref", "selector", "direction"};

std::unexpected<Error> wrong(std::string_view name, std::string_view wanted) {
  return fail(errc::usage, "argument '" + std::string(name) + "' must be " + std::string(wanted));
}

Result<void> check_choice(const Property& property, const std::string& text) {
  if (property.choices.empty()) return ok();
  if (std::ranges::find(property.choices, text) != property.choices.end()) return ok();
  const std::vector<std::string> words(property.choices.begin(), property.choices.end());
  return wrong(property.name, "one of " + joined(words, ", "));
}

Result<Json> typed_whole(const Property& property, const Json& value) {
  const auto number = number_of(value);
  if (!number || *number != std::floor(*number)) return wrong(property.name, "a whole number");
  if (*number >= property.least && *number <= property.most) return Json(*number);
  if (*number == 0 && !property.required) return Json();
  return wrong(property.name, "a whole number from " + std::to_string(property.least) + " to " +
                                  std::to_string(property.most));
}

// An argument of the right type; null where it is blank.
Result<Json> typed(const Property& property, const Json& value) {
  switch (property.type) {
    case Type::text: {
      const std::string* text = string_value(&value);
      if (!text) return wrong(property.name, "a text");
      TRY_VOID(check_choice(property, *text));
      return value;
    }
    case Type::whole: return typed_whole(property, value);
    case Type::boolean: {
      const auto parsed = boolean_of(value);
      if (!parsed) return wrong(property.name, "true or false");
      return Json(*parsed);
    }
    case Type::selector:
      if (!value.is_object()) return wrong(property.name, "an object");
      return without_blanks(value);
    case Type::steps:
      if (!value.is_array()) return wrong(property.name, "an array of actions");
      return plain_steps(value);
    case Type::calls:
      if (!value.is_array()) return wrong(property.name, "an array of steps");
      return value;
    case Type::texts:
      if (!value.is_array() || !std::ranges::all_of(value, &Json::is_string)) {
        return wrong(property.name, "an array of texts");
      }
      return value;
    case Type::conditions:
      if (!value.is_array()) return wrong(property.name, "an array of conditions");
      return plain_conditions(value);
  }
  std::unreachable();
}

std::string names_of(std::span<const Property> properties) {
  std::string list;
  for (const Property& property : properties) {
    list += (list.empty() ? "" : ", ") + std::string(property.name);
  }
  return list.empty() ? "none" : list;
}

// The value of a property; null where it is blank.
Result<Json> read_value(const Property& property, const Json& given) {
  const bool is_text = property.type == Type::text;
  const Json value = is_text ? given : read_text(given);
  const bool is_empty_text = is_text && property.required && value.is_string();
  if (is_blank_value(value) && !is_empty_text) return Json();
  return typed(property, value);
}

Result<Json> read_members(const Json& given, std::span<const Property> properties) {
  Json members = Json::object();
  for (const auto& [name, value] : given.get_ref<const Json::object_t&>()) {
    const auto property = std::ranges::find(properties, name, &Property::name);
    if (property == properties.end()) {
      if (is_blank_value(value)) continue;
      return fail(errc::usage, "there is no argument '" + name.substr(0, kMaxShownName) +
                                   "'; known are: " + names_of(properties));
    }
    TRY(Json member, read_value(*property, value));
    if (!member.is_null()) members[name] = std::move(member);
  }
  return members;
}

// Hosts that fill in omitted arguments put "" for a text and 0 for a number. So a zero pause beside
// "" counts as omitted, and so does the point 0,0 beside another place.
Json without_fillings(const Json& members, const Json& given) {
  const auto is_zero = [](const Json& value) { return value.is_number() && value == 0; };
  const auto has = [&](std::string_view name) { return find_member(members, name) != nullptr; };
  const auto is_far = [&](std::string_view name) { return has(name) && !is_zero(members[name]); };
  const bool is_filled = std::ranges::any_of(given, [](const Json& value) { return value == ""; });
  const bool has_point =
      std::ranges::none_of(kPlaces, has) || std::ranges::any_of(kCoordinates, is_far);
  Json kept = Json::object();
  for (const auto& [name, value] : members.get_ref<const Json::object_t&>()) {
    const bool is_coordinate = std::ranges::find(kCoordinates, name) != std::end(kCoordinates);
    if (is_zero(value) && (is_coordinate ? !has_point : is_filled)) continue;
    kept[name] = value;
  }
  return kept;
}

}  // namespace

Result<Arguments> Arguments::read(const Json* given, std::span<const Property> properties) {
  const Json arguments = given ? read_text(*given) : Json();
  Json members = Json::object();
  if (arguments.is_object()) {
    TRY(members, read_members(arguments, properties));
    members = without_fillings(members, arguments);
  } else if (!is_blank_value(arguments)) {
    return fail(errc::usage, "arguments must be an object");
  }
  for (const Property& property : properties) {
    if (property.required && !members.contains(property.name)) {
      return fail(errc::usage, "argument '" + std::string(property.name) + "' is missing");
    }
  }
  return Arguments(std::make_shared<const Json>(std::move(members)));
}

bool Arguments::has(std::string_view name) const { return find_member(*members_, name) != nullptr; }

std::optional<std::string> Arguments::text(std::string_view name) const {
  const std::string* text = string_value(find_member(*members_, name));
  return text ? std::optional(*text) : std::nullopt;
}

bool Arguments::flag(std::string_view name) const {
  const Json* value = find_member(*members_, name);
  return value && value->is_boolean() && value->get<bool>();
}

std::optional<int> Arguments::whole(std::string_view name) const {
  const Json* value = find_member(*members_, name);
  return value ? std::optional(static_cast<int>(value->get<double>())) : std::nullopt;
}

Arguments Arguments::with(std::string_view name, const Json& value) const {
  Json members = *members_;
  members[name] = value;
  return Arguments(std::make_shared<const Json>(std::move(members)));
}

Result<std::optional<NodeMatcher>> Arguments::selector(std::string_view name) const {
  const Json* given = find_member(*members_, name);
  if (!given) return std::nullopt;
  return act::read_matcher(*given, std::string(name));
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  const Json* value = find_member(*members_, name);
  return value ? value->get<std::vector<std::string>>() : std::vector<std::string>{};
}

Result<std::optional<act::Conditions>> Arguments::conditions(std::string_view name,
                                                             bool all) const {
  const Json* given = find_member(*members_, name);
  if (!given) return std::nullopt;
  return act::read_conditions(*given, name, all);
}

const Json* Arguments::value(std::string_view name) const { return find_member(*members_, name); }

}  // namespace clawperator::mcp
