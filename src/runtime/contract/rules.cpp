#include "runtime/contract/rules.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/text.hpp"
#include "runtime/contract/action_manual.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/js_regex.hpp"
#include "runtime/contract/operator_app.hpp"

namespace clawperator {
namespace {

// Published by the Node CLI: "must not exceed 30000ms".
constexpr double kMaxNavigationWaitMs = 30000;

// One action under inspection. Every message begins with the canonical type.
struct Subject {
  std::string type;
  const Json* params;  // null when the action has none
  IssuePath at;        // actions.<i>.params
  Issues* issues;

  [[nodiscard]] const Json* get(std::string_view name) const {
    return params == nullptr ? nullptr : find_member(*params, name);
  }
  [[nodiscard]] const std::string* text(std::string_view name) const {
    return string_value(get(name));
  }

  void refuse(const IssuePath& path, std::string_view rest) const {
    issues->add(IssueKind::custom, path, type + std::string(rest));
  }
  void refuse_params(std::string_view rest) const { refuse(at, rest); }
  void refuse_field(std::string_view name, std::string_view rest) const { refuse(at / name, rest); }
};

std::string param(std::string_view name) { return " params." + std::string(name); }

bool is_blank_or_absent(const std::string* text) { return text == nullptr || is_blank(*text); }

void require(const Subject& action, std::string_view name) {
  if (action.get(name) == nullptr) action.refuse_field(name, " requires" + param(name));
}

void require_not_blank(const Subject& action, std::string_view name) {
  if (is_blank_or_absent(action.text(name))) action.refuse_field(name, " requires" + param(name));
}

void not_blank_if_given(const Subject& action, std::string_view name, std::string_view must) {
  const std::string* text = action.text(name);
  if (text != nullptr && is_blank(*text))
    action.refuse_field(name, param(name) + std::string(must));
}

// The app drops a plan that has a word which it does not know, and never answers.
void check_choice(const Subject& action, std::string_view name) {
  const std::string* given = action.text(name);
  if (given == nullptr) return;
  const ParamRow& row = param_row(name);
  if (is_one_of(ascii_lower(row.is_trimmed ? trim_js(*given) : *given), row.choices)) return;
  std::vector<std::string> allowed;
  std::string list;
  for (const std::string_view word : split(row.choices, ' ')) {
    list.append(list.empty() ? "" : ", ").append(word);
    allowed.emplace_back(word);
  }
  action.issues->add_choice(action.at / name,
                            action.type + param(name) + " must be one of: " + list, *given,
                            std::move(allowed));
}

struct Range {
  double low;
  double high;
  std::string_view shown;
};

void within(const Subject& action, std::string_view name, Range range) {
  const Json* value = action.get(name);
  if (value == nullptr) return;
  const double number = value->get<double>();
  if (number < range.low || number > range.high)
    action.refuse_field(name, param(name) + " must be in " + std::string(range.shown));
}

void integer_within(const Subject& action, std::string_view name, Range range) {
  const Json* value = action.get(name);
  if (value == nullptr) return;
  const double number = value->get<double>();
  if (number != std::trunc(number) || number < range.low || number > range.high)
    action.refuse_field(name, param(name) + " must be an integer in " + std::string(range.shown));
}

bool is_strict(const Subject& action) {
  const Json* strict = action.get("strict");
  return strict != nullptr && strict->get<bool>();
}

// An app leaves out what it does not know, and takes one of several nodes.
void check_strict(ActionType type, const Subject& action) {
  if (!is_strict(action)) return;
  const auto page = std::ranges::find(action_manual(), type, &ActionPage::type);
  const bool knows =
      page != action_manual().end() &&
      std::ranges::find(page->params, "strict", &ParamUse::name) != page->params.end();
  if (!knows) action.refuse_field("strict", " does not support params.strict");
}

void check_sleep(const Subject& action) {
  const Json* duration = action.get("durationMs");
  if (duration == nullptr || duration->get<double>() < 0)
    action.refuse_field("durationMs", " requires params.durationMs >= 0");
  else if (duration->get<double>() > kMaxTimeoutMs)
    action.refuse_field("durationMs", ".durationMs must not exceed 120000 ms");
}

void check_click(const Subject& action) {
  const bool has_matcher = action.get("matcher") != nullptr;
  const bool has_coordinate = action.get("coordinate") != nullptr;
  if (!has_matcher && !has_coordinate)
    action.refuse_params(" requires params.matcher or params.coordinate");
  if (has_matcher && has_coordinate)
    action.refuse_params(" params.matcher and params.coordinate are mutually exclusive");
  check_choice(action, "clickType");
  const std::string* click_type = action.text("clickType");
  if (has_coordinate && click_type != nullptr && ascii_lower(*click_type) == "focus")
    action.refuse_field("clickType", " params.coordinate does not support clickType='focus'");
  if (has_coordinate && is_strict(action))
    action.refuse_field("strict", " params.coordinate does not support strict");
}

void check_read_text(const Subject& action) {
  require(action, "matcher");
  check_choice(action, "validator");
  const std::string* validator = action.text("validator");
  if (validator == nullptr || ascii_lower(*validator) != "regex") return;
  const std::string* pattern = action.text("validatorPattern");
  if (is_blank_or_absent(pattern))
    action.refuse_field("validatorPattern",
                        " with validator='regex' requires params.validatorPattern");
  else if (!is_js_regex(*pattern))
    action.refuse_field("validatorPattern",
                        " params.validatorPattern is not a valid regex pattern");
}

void check_enter_text(const Subject& action) {
  require(action, "matcher");
  const std::string* text = action.text("text");
  const Json* clear = action.get("clear");
  const bool empties = text != nullptr && clear != nullptr && clear->get<bool>();
  if ((text == nullptr || text->empty()) && !empties)
    action.refuse_field("text", " requires non-empty params.text");
}

// A stopped app loses its accessibility permission: the Operator would never answer again.
void check_close_app(const Subject& action) {
  require_not_blank(action, "applicationId");
  const std::string* app = action.text("applicationId");
  if (is_blank_or_absent(app)) return;
  if (!is_package_name(trim_js(*app)))
    action.refuse_field("applicationId",
                        " params.applicationId is no package's name: com.example.app");
  if (is_published_operator(trim_js(*app)))
    action.refuse_field("applicationId", std::string(kNotTheOperator));
}

// Without a direction the device scrolls down.
void check_scroll(const Subject& action) {
  check_choice(action, "direction");
  within(action, "distanceRatio", {0, 1, "[0.0, 1.0]"});
  within(action, "settleDelayMs", {0, 10000, "[0, 10000]"});
}

void check_scroll_until(const Subject& action) {
  const Json* click_after = action.get("clickAfter");
  if (click_after != nullptr && click_after->get<bool>() && action.get("matcher") == nullptr)
    action.refuse_field("matcher", " params.clickAfter=true requires params.matcher");
  check_scroll(action);
  check_choice(action, "clickType");
  integer_within(action, "maxScrolls", {1, 200, "[1, 200]"});
  within(action, "maxDurationMs", {0, 120000, "[0, 120000]"});
  integer_within(action, "noPositionChangeThreshold", {1, 20, "[1, 20]"});
}

void check_scroll_and_click(const Subject& action) {
  require(action, "matcher");
  check_choice(action, "direction");
  check_choice(action, "clickType");
}

void check_press_key(const Subject& action) {
  require_not_blank(action, "key");
  if (!is_blank_or_absent(action.text("key"))) check_choice(action, "key");
}

void check_wait_for_navigation(const Subject& action) {
  if (is_blank_or_absent(action.text("expectedPackage")) && action.get("expectedNode") == nullptr)
    action.refuse_params(" requires at least one of params.expectedPackage or params.expectedNode");
  const Json* timeout = action.get("timeoutMs");
  if (timeout == nullptr || timeout->get<double>() <= 0)
    action.refuse_field("timeoutMs", " requires params.timeoutMs > 0");
  else if (timeout->get<double>() > kMaxNavigationWaitMs)
    action.refuse_field("timeoutMs", " params.timeoutMs must not exceed 30000");
}

}  // namespace

void check_rules(ActionType type, const Json& action, const IssuePath& at, Issues& issues) {
  const Subject subject{std::string(action_name(type)), find_member(action, "params"),
                        at / "params", &issues};
  check_strict(type, subject);
  switch (type) {
    case ActionType::open_app: return require_not_blank(subject, "applicationId");
    case ActionType::close_app: return check_close_app(subject);
    case ActionType::open_uri: return require_not_blank(subject, "uri");
    case ActionType::start_recording:
    case ActionType::stop_recording:
      return not_blank_if_given(subject, "sessionId", " must not be blank");
    case ActionType::wait_for_node: return require(subject, "matcher");
    case ActionType::scroll_and_click: return check_scroll_and_click(subject);
    case ActionType::click: return check_click(subject);
    case ActionType::scroll: return check_scroll(subject);
    case ActionType::scroll_until: return check_scroll_until(subject);
    case ActionType::read_text: return check_read_text(subject);
    case ActionType::enter_text: return check_enter_text(subject);
    case ActionType::doctor_ping:
    case ActionType::snapshot_ui: return;
    case ActionType::take_screenshot:
      return not_blank_if_given(subject, "path", " must be a non-empty string");
    case ActionType::sleep: return check_sleep(subject);
    case ActionType::press_key: return check_press_key(subject);
    case ActionType::wait_for_navigation: return check_wait_for_navigation(subject);
    case ActionType::read_key_value_pair: return require(subject, "labelMatcher");
  }
}

}  // namespace clawperator
