#include "runtime/contract/schema.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/action_table.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kFields[] = {"commandId", "taskId",  "source", "expectedFormat",
                                        "timeoutMs", "actions", "mode"};
constexpr std::string_view kModes[] = {"artifact_compiled", "direct"};
constexpr std::string_view kModesShown = "'artifact_compiled' | 'direct'";

struct TextLength {
  std::size_t min = 0;
  std::size_t max = 0;  // 0 is unbounded
};

// Checkers return the verdict on one value; null stands for a missing one.
class SchemaCheck {
 public:
  explicit SchemaCheck(Issues& issues) : issues_(issues) {}

  Verdict execution(const Json& root);

 private:
  Verdict wrong_type(const IssuePath& at, std::string_view expected, const Json* got);
  Verdict text(const IssuePath& at, const Json* value, TextLength length);
  Verdict number(const IssuePath& at, const Json* value);
  Verdict timeout(const IssuePath& at, const Json* value);
  Verdict expected_format(const IssuePath& at, const Json* value);
  Verdict mode(const IssuePath& at, const Json* value);
  Verdict actions(const IssuePath& at, const Json* value);
  Verdict action(const IssuePath& at, const Json& value);
  Verdict action_type(const IssuePath& at, const Json* value);
  Verdict params(const IssuePath& at, const Json& value);
  Verdict param(const IssuePath& at, const ParamRow& row, const Json& value);
  Verdict matcher(const IssuePath& at, const Json& value);
  Verdict coordinate(const IssuePath& at, const Json& value);
  Verdict axis(const IssuePath& at, const Json* value);

  template <class IsKnown>
  void unknown_keys(const IssuePath& at, const Json& object, IsKnown is_known);

  Issues& issues_;
};

void worsen(Verdict& all, Verdict one) { all = std::max(all, one); }

std::string count_text(std::size_t n) { return std::to_string(n); }

Verdict SchemaCheck::wrong_type(const IssuePath& at, std::string_view expected, const Json* got) {
  issues_.add(IssueKind::invalid_type, at,
              got == nullptr
                  ? "Required"
                  : "Expected " + std::string(expected) + ", received " + got->type_name());
  return Verdict::aborted;
}

template <class IsKnown>
void SchemaCheck::unknown_keys(const IssuePath& at, const Json& object, IsKnown is_known) {
  std::vector<std::string> unknown;
  std::string shown;
  for (const auto& [name, value] : object.get_ref<const Json::object_t&>()) {
    if (is_known(name)) continue;
    shown += (shown.empty() ? "'" : ", '") + name + "'";
    unknown.push_back(name);
  }
  if (unknown.empty()) return;
  issues_.add(IssueKind::unrecognized_keys, at, "Unrecognized key(s) in object: " + shown,
              std::move(unknown));
}

Verdict SchemaCheck::text(const IssuePath& at, const Json* value, TextLength length) {
  const std::string* text = string_value(value);
  if (text == nullptr) return wrong_type(at, "string", value);
  const std::size_t units = utf16_length(*text);
  if (units < length.min)
    issues_.add(IssueKind::too_small, at,
                "String must contain at least " + count_text(length.min) + " character(s)");
  if (length.max != 0 && units > length.max)
    issues_.add(IssueKind::too_big, at,
                "String must contain at most " + count_text(length.max) + " character(s)");
  return Verdict::usable;
}

Verdict SchemaCheck::number(const IssuePath& at, const Json* value) {
  if (value == nullptr || !value->is_number()) return wrong_type(at, "number", value);
  return Verdict::usable;
}

Verdict SchemaCheck::timeout(const IssuePath& at, const Json* value) {
  if (number(at, value) == Verdict::aborted) return Verdict::aborted;
  const double ms = value->get<double>();
  if (ms < kMinTimeoutMs)
    issues_.add(IssueKind::too_small, at,
                "Number must be greater than or equal to " + number_json(kMinTimeoutMs));
  if (ms > kMaxTimeoutMs)
    issues_.add(IssueKind::too_big, at,
                "Number must be less than or equal to " + number_json(kMaxTimeoutMs));
  return Verdict::usable;
}

Verdict SchemaCheck::expected_format(const IssuePath& at, const Json* value) {
  const std::string* text = string_value(value);
  if (text != nullptr && *text == kExpectedFormat) return Verdict::usable;
  issues_.add(IssueKind::invalid_literal, at,
              "Invalid literal value, expected " + quote_json(kExpectedFormat));
  return Verdict::aborted;
}

Verdict SchemaCheck::mode(const IssuePath& at, const Json* value) {
  if (value == nullptr) return Verdict::usable;
  const std::string* text = string_value(value);
  if (text == nullptr) return wrong_type(at, kModesShown, value);
  if (std::ranges::find(kModes, *text) != std::end(kModes)) return Verdict::usable;
  issues_.add(
      IssueKind::invalid_enum_value, at,
      "Invalid enum value. Expected " + std::string(kModesShown) + ", received '" + *text + "'");
  return Verdict::aborted;
}

Verdict SchemaCheck::matcher(const IssuePath& at, const Json& value) {
  if (!value.is_object()) return wrong_type(at, "object", &value);
  Verdict all = Verdict::usable;
  bool says_something = false;
  for (const std::string_view field : matcher_fields()) {
    const Json* member = find_member(value, field);
    if (member == nullptr) continue;
    worsen(all, text(at / field, member, {.max = kMaxMatcherValueLength}));
    says_something =
        says_something || (string_value(member) != nullptr && !is_blank(*string_value(member)));
  }
  unknown_keys(at, value, [](const std::string& name) {
    return std::ranges::find(matcher_fields(), name) != matcher_fields().end();
  });
  if (all == Verdict::usable && !says_something)
    issues_.add(IssueKind::custom, at, "Matcher must have at least one field");
  return all;
}

Verdict SchemaCheck::axis(const IssuePath& at, const Json* value) {
  if (number(at, value) == Verdict::aborted) return Verdict::aborted;
  const double pixels = value->get<double>();
  if (pixels != std::trunc(pixels))
    issues_.add(IssueKind::invalid_type, at, "Expected integer, received float");
  if (pixels < 0)
    issues_.add(IssueKind::too_small, at, "Number must be greater than or equal to 0");
  return Verdict::usable;
}

Verdict SchemaCheck::coordinate(const IssuePath& at, const Json& value) {
  if (!value.is_object()) return wrong_type(at, "object", &value);
  Verdict all = axis(at / "x", find_member(value, "x"));
  worsen(all, axis(at / "y", find_member(value, "y")));
  unknown_keys(at, value, [](const std::string& name) { return name == "x" || name == "y"; });
  return all;
}

Verdict SchemaCheck::param(const IssuePath& at, const ParamRow& row, const Json& value) {
  switch (row.kind) {
    case ParamKind::text: return text(at, &value, {.max = row.max_length});
    case ParamKind::number: return number(at, &value);
    case ParamKind::matcher: return matcher(at, value);
    case ParamKind::coordinate: return coordinate(at, value);
    case ParamKind::boolean:
      return value.is_boolean() ? Verdict::usable : wrong_type(at, "boolean", &value);
    case ParamKind::object:
      return value.is_object() ? Verdict::usable : wrong_type(at, "object", &value);
  }
  return Verdict::aborted;
}

Verdict SchemaCheck::params(const IssuePath& at, const Json& value) {
  if (!value.is_object()) return wrong_type(at, "object", &value);
  Verdict all = Verdict::usable;
  for (const ParamRow& row : param_table())
    if (const Json* member = find_member(value, row.name))
      worsen(all, param(at / row.name, row, *member));
  unknown_keys(at, value, [](const std::string& name) {
    return std::ranges::find(param_table(), name, &ParamRow::name) != param_table().end();
  });
  return all;
}

// The length counts after trimming, as the name is looked up.
Verdict SchemaCheck::action_type(const IssuePath& at, const Json* value) {
  const std::string* type = string_value(value);
  if (type == nullptr) return wrong_type(at, "string", value);
  const Json trimmed = std::string(trim_js(*type));
  return text(at, &trimmed, {.max = kMaxTypeLength});
}

Verdict SchemaCheck::action(const IssuePath& at, const Json& value) {
  if (!value.is_object()) return wrong_type(at, "object", &value);
  Verdict all = text(at / "id", find_member(value, "id"), {.min = 1, .max = kMaxIdLength});
  worsen(all, action_type(at / "type", find_member(value, "type")));
  if (const Json* member = find_member(value, "params"))
    worsen(all, params(at / "params", *member));
  unknown_keys(at, value, [](const std::string& name) {
    return name == "id" || name == "type" || name == "params";
  });
  return all;
}

Verdict SchemaCheck::actions(const IssuePath& at, const Json* value) {
  if (value == nullptr || !value->is_array()) return wrong_type(at, "array", value);
  if (value->empty())
    issues_.add(IssueKind::too_small, at, "Array must contain at least 1 element(s)");
  if (value->size() > kMaxActions)
    issues_.add(IssueKind::too_big, at,
                "Array must contain at most " + count_text(kMaxActions) + " element(s)");
  Verdict all = Verdict::usable;
  for (std::size_t i = 0; i < value->size(); ++i) worsen(all, action(at / i, (*value)[i]));
  const auto is_supported = [](const Json& element) {
    return find_action(*string_value(find_member(element, "type"))).has_value();
  };
  if (all == Verdict::usable && !std::ranges::all_of(*value, is_supported))
    issues_.add(IssueKind::custom, at, "All action types must be supported");
  return all;
}

Verdict SchemaCheck::execution(const Json& root) {
  const IssuePath at;
  if (!root.is_object()) return wrong_type(at, "object", &root);
  const auto id = TextLength{.min = 1, .max = kMaxIdLength};
  const auto source = TextLength{.min = 1, .max = kMaxSourceLength};
  Verdict all = text(at / "commandId", find_member(root, "commandId"), id);
  worsen(all, text(at / "taskId", find_member(root, "taskId"), id));
  worsen(all, text(at / "source", find_member(root, "source"), source));
  worsen(all, expected_format(at / "expectedFormat", find_member(root, "expectedFormat")));
  worsen(all, timeout(at / "timeoutMs", find_member(root, "timeoutMs")));
  worsen(all, actions(at / "actions", find_member(root, "actions")));
  worsen(all, mode(at / "mode", find_member(root, "mode")));
  unknown_keys(at, root, [](const std::string& name) {
    return std::ranges::find(kFields, name) != std::end(kFields);
  });
  return all;
}

}  // namespace

Verdict check_schema(const Json& execution, Issues& issues) {
  return SchemaCheck(issues).execution(execution);
}

}  // namespace clawperator
