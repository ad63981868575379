#include "runtime/contract/schema.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/action_row.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/aliases.hpp"

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

std::string count_text(std::size_t n) { return std::to_string(n); }

// The app does not know a padded word.
void trim_params(Action& action) {
  for (const ParamUse& use : row_of(action.type()).params) {
    if (!kParams[use.row].is_trimmed) continue;
    if (const auto* text = param_as<std::string>(action, use.name())) {
      use.set(action, std::string(trim_js(*text)));
    }
  }
  for (ForeignParam& foreign : action.rest) {
    if (!kParams[foreign.row].is_trimmed) continue;
    auto& text = std::get<std::string>(foreign.value);
    text = std::string(trim_js(text));
  }
}

// Each checker reads one value; null counts as missing. A value of the right type is stored in the
// last argument.
class Schema {
 public:
  explicit Schema(Issues& issues) : issues_(issues) {}

  void read(const Json& root, Execution& into) {
    const IssuePath at;
    if (!root.is_object()) return wrong_type(at, "object", &root);
    const auto id = TextLength{.min = 1, .max = kMaxIdLength};
    const auto source = TextLength{.min = 1, .max = kMaxSourceLength};
    const auto member = [&](std::string_view name) { return find_member(root, name); };
    text(at / "commandId", member("commandId"), id, into.command_id);
    text(at / "taskId", member("taskId"), id, into.task_id);
    text(at / "source", member("source"), source, into.source);
    expected_format(at / "expectedFormat", member("expectedFormat"));
    const IssuePath timeout = at / "timeoutMs";
    if (number(timeout, member("timeoutMs"), into.timeout_ms)) range(timeout, into.timeout_ms);
    actions(at / "actions", member("actions"), into.actions);
    mode(at / "mode", member("mode"), into.mode);
    unknown_keys(at, root, [](const std::string& name) {
      return std::ranges::find(kFields, name) != std::end(kFields);
    });
    if (wrong_ == 0) issues_.append(std::move(broken_rules_));
  }

  void check(Execution& execution) {
    const IssuePath at;
    range(at / "timeoutMs", execution.timeout_ms);
    count(at / "actions", execution.actions.size());
    for (std::size_t i = 0; i < execution.actions.size(); ++i)
      own_action(at / "actions" / i, execution.actions[i]);
    if (wrong_ == 0) issues_.append(std::move(broken_rules_));
  }

 private:
  void wrong(IssueKind kind, const IssuePath& at, std::string message) {
    issues_.add(kind, at, std::move(message));
    ++wrong_;
  }

  void wrong_type(const IssuePath& at, std::string_view expected, const Json* got) {
    wrong(IssueKind::invalid_type, at,
          got == nullptr ? "Required"
                         : "Expected " + std::string(expected) + ", received " + got->type_name());
  }

  template <class IsKnown>
  void unknown_keys(const IssuePath& at, const Json& object, IsKnown is_known) {
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

  void length(const IssuePath& at, std::string_view text, TextLength length) {
    const std::size_t units = utf16_length(text);
    if (units < length.min)
      issues_.add(IssueKind::too_small, at,
                  "String must contain at least " + count_text(length.min) + " character(s)");
    if (length.max != 0 && units > length.max)
      issues_.add(IssueKind::too_big, at,
                  "String must contain at most " + count_text(length.max) + " character(s)");
  }

  void range(const IssuePath& at, double timeout) {
    if (timeout < kMinTimeoutMs)
      issues_.add(IssueKind::too_small, at,
                  "Number must be greater than or equal to " + number_json(kMinTimeoutMs));
    if (timeout > kMaxTimeoutMs)
      issues_.add(IssueKind::too_big, at,
                  "Number must be less than or equal to " + number_json(kMaxTimeoutMs));
  }

  void pixel(const IssuePath& at, double value) {
    if (value != std::trunc(value))
      issues_.add(IssueKind::invalid_type, at, "Expected integer, received float");
    if (value < 0)
      issues_.add(IssueKind::too_small, at, "Number must be greater than or equal to 0");
  }

  void count(const IssuePath& at, std::size_t actions) {
    if (actions == 0)
      issues_.add(IssueKind::too_small, at, "Array must contain at least 1 element(s)");
    if (actions > kMaxActions)
      issues_.add(IssueKind::too_big, at,
                  "Array must contain at most " + count_text(kMaxActions) + " element(s)");
  }

  void says_something(const IssuePath& at, const NodeMatcher& matcher) {
    const auto is_said = [&](const MatcherField& each) {
      const auto& value = matcher.*each.field;
      return value && !is_blank(*value);
    };
    if (std::ranges::none_of(matcher_fields(), is_said))
      issues_.add(IssueKind::custom, at, "Matcher must have at least one field");
  }

  void rules(const IssuePath& at, Action& action) {
    check_rules(action, at / "params", broken_rules_);
    trim_params(action);
  }

  void text(const IssuePath& at, const Json* value, TextLength limits, std::string& into) {
    const std::string* text = string_value(value);
    if (text == nullptr) return wrong_type(at, "string", value);
    length(at, *text, limits);
    into = *text;
  }

  bool number(const IssuePath& at, const Json* value, double& into) {
    const bool is_one = value != nullptr && value->is_number();
    if (is_one) into = value->get<double>();
    if (!is_one) wrong_type(at, "number", value);
    return is_one;
  }

  void expected_format(const IssuePath& at, const Json* value) {
    const std::string* text = string_value(value);
    if (text != nullptr && *text == kExpectedFormat) return;
    wrong(IssueKind::invalid_literal, at,
          "Invalid literal value, expected " + quote_json(kExpectedFormat));
  }

  void mode(const IssuePath& at, const Json* value, std::optional<std::string>& into) {
    if (value == nullptr) return;
    const std::string* text = string_value(value);
    if (text == nullptr) return wrong_type(at, kModesShown, value);
    into = *text;
    if (std::ranges::find(kModes, *text) != std::end(kModes)) return;
    wrong(
        IssueKind::invalid_enum_value, at,
        "Invalid enum value. Expected " + std::string(kModesShown) + ", received '" + *text + "'");
  }

  void matcher(const IssuePath& at, const Json& value, NodeMatcher& into) {
    if (!value.is_object()) return wrong_type(at, "object", &value);
    const std::size_t before = wrong_;
    for (const auto& [name, field, aliases] : matcher_fields()) {
      const Json* member = find_member(value, name);
      if (member == nullptr) continue;
      text(at / name, member, {.max = kMaxMatcherValueLength}, (into.*field).emplace());
    }
    unknown_keys(at, value, [](const std::string& name) {
      return std::ranges::find(matcher_fields(), name, &MatcherField::name) !=
             matcher_fields().end();
    });
    if (wrong_ == before) says_something(at, into);
  }

  void axis(const IssuePath& at, const Json* value, double& into) {
    if (number(at, value, into)) pixel(at, into);
  }

  void coordinate(const IssuePath& at, const Json& value, Coordinate& into) {
    if (!value.is_object()) return wrong_type(at, "object", &value);
    axis(at / "x", find_member(value, "x"), into.x);
    axis(at / "y", find_member(value, "y"), into.y);
    unknown_keys(at, value, [](const std::string& name) { return name == "x" || name == "y"; });
  }

  void retry(const IssuePath& at, const Json& value, Retry& into) {
    if (!value.is_object()) return wrong_type(at, "object", &value);
    into.json = write_json(value);
    const auto take = [&](std::string_view name, std::optional<double>& member) {
      const Json* number = find_member(value, name);
      if (number && number->is_number()) member = number->get<double>();
    };
    take("maxAttempts", into.max_attempts);
    take("initialDelayMs", into.initial_delay_ms);
    take("maxDelayMs", into.max_delay_ms);
    take("backoffMultiplier", into.backoff_multiplier);
  }

  void param(const IssuePath& at, const ParamRow& row, const Json& value, ParamValue& into) {
    switch (row.kind) {
      case ParamKind::text:
        return text(at, &value, {.max = row.max_length}, into.emplace<std::string>());
      case ParamKind::number: number(at, &value, into.emplace<double>()); return;
      case ParamKind::matcher: return matcher(at, value, into.emplace<Selector>().fields);
      case ParamKind::coordinate: return coordinate(at, value, into.emplace<Coordinate>());
      case ParamKind::object: return retry(at, value, into.emplace<Retry>());
      case ParamKind::boolean:
        into.emplace<bool>(value == true);
        if (!value.is_boolean()) wrong_type(at, "boolean", &value);
    }
  }

  void params(const IssuePath& at, const Json& value, Action& into) {
    if (!value.is_object()) return wrong_type(at, "object", &value);
    const ActionRow& kind = row_of(into.type());
    for (std::size_t row = 0; row < kParams.size(); ++row) {
      const Json* member = find_member(value, kParams[row].name);
      if (member == nullptr) continue;
      ParamValue read;
      param(at / kParams[row].name, kParams[row], *member, read);
      if (const ParamUse* use = kind.find(row)) {
        use->set(into, std::move(read));
      } else if (!kParams[row].is_ours) {
        into.rest.push_back({row, std::move(read)});
      }
    }
    unknown_keys(at, value,
                 [](const std::string& name) { return find_param_row(name) != nullptr; });
  }

  // The length counts after trimming, because the name is looked up trimmed.
  std::optional<ActionType> action_type(const IssuePath& at, const Json* value) {
    const std::string* type = string_value(value);
    if (type == nullptr) {
      wrong_type(at, "string", value);
      return std::nullopt;
    }
    length(at, trim_js(*type), {.max = kMaxTypeLength});
    const auto known = find_action(*type);
    if (!known && !unsupported_) unsupported_ = *type;
    return known;
  }

  void action(const IssuePath& at, const Json& value, Action& into) {
    if (!value.is_object()) return wrong_type(at, "object", &value);
    const std::size_t before = wrong_;
    std::string id;
    text(at / "id", find_member(value, "id"), {.min = 1, .max = kMaxIdLength}, id);
    const auto type = action_type(at / "type", find_member(value, "type"));
    // An unknown type has no parameters of its own, as the doctor's ping: each one is foreign.
    into = bare_action(type.value_or(ActionType::doctor_ping), std::move(id));
    if (const Json* member = find_member(value, "params")) {
      into.has_params = true;
      params(at / "params", *member, into);
    }
    unknown_keys(at, value, [](const std::string& name) {
      return name == "id" || name == "type" || name == "params";
    });
    if (wrong_ == before && type) rules(at, into);
  }

  // Actions above the limit are counted, but not kept.
  void actions(const IssuePath& at, const Json* value, std::vector<Action>& into) {
    if (value == nullptr || !value->is_array()) return wrong_type(at, "array", value);
    count(at, value->size());
    const std::size_t before = wrong_;
    for (std::size_t i = 0; i < value->size(); ++i) {
      Action read;
      action(at / i, (*value)[i], read);
      if (i < kMaxActions) into.push_back(std::move(read));
    }
    if (wrong_ == before && unsupported_) {
      issues_.add_choice(at, "All action types must be supported", *unsupported_, action_names());
    }
  }

  void own_selector(const IssuePath& at, Selector& selector) {
    if (selector.as_given) {
      const Json given = resolve_matcher_aliases(*std::exchange(selector.as_given, nullptr));
      return matcher(at, given, selector.fields = {});
    }
    for (const auto& [name, field, aliases] : matcher_fields()) {
      auto& value = selector.fields.*field;
      if (!value) continue;
      value = valid_utf8(*value);
      length(at / name, *value, {.max = kMaxMatcherValueLength});
    }
    says_something(at, selector.fields);
  }

  void own_action(const IssuePath& at, Action& action) {
    const ActionRow& kind = row_of(action.type());
    const std::size_t before = wrong_;
    for (std::size_t row = 0; row < kParams.size(); ++row) {
      const ParamUse* use = kind.find(row);
      const ParamRef value = use ? use->get(action) : ParamRef();
      if (value.index() == 0) continue;
      const IssuePath place = at / "params" / kParams[row].name;
      if (const auto* text = std::get_if<const std::string*>(&value)) {
        std::string valid = valid_utf8(**text);
        length(place, valid, {.max = kParams[row].max_length});
        use->set(action, std::move(valid));
      } else if (const auto* selector = std::get_if<const Selector*>(&value)) {
        Selector read = **selector;
        own_selector(place, read);
        use->set(action, std::move(read));
      } else if (const auto* point = std::get_if<const Coordinate*>(&value)) {
        pixel(place / "x", (*point)->x);
        pixel(place / "y", (*point)->y);
      }
    }
    if (wrong_ == before) rules(at, action);
  }

  Issues& issues_;
  // Values of the wrong type, or missing: the rules are not applied then. Wrong sizes, ranges and
  // unknown keys leave an action usable.
  std::size_t wrong_ = 0;
  Issues broken_rules_{};
  std::optional<std::string> unsupported_;  // the first type that is no action's
};

}  // namespace

Execution read_execution(const Json& document, Issues& issues) {
  Execution execution;
  Schema(issues).read(document, execution);
  return execution;
}

void check_execution(Execution& execution, Issues& issues) { Schema(issues).check(execution); }

}  // namespace clawperator
