#include "runtime/contract/action_table.hpp"

#include <algorithm>

#include "base/js_string.hpp"
#include "base/text.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kDoctorPing = "doctor_ping";

// In the order of ActionType.
constexpr auto kActionNames = std::to_array<std::string_view>({
    "open_app",
    "open_uri",
    "close_app",
    "start_recording",
    "stop_recording",
    "wait_for_node",
    "click",
    "scroll_and_click",
    "scroll",
    "scroll_until",
    "read_text",
    "enter_text",
    "snapshot_ui",
    "take_screenshot",
    "sleep",
    "press_key",
    "wait_for_navigation",
    "read_key_value_pair",
    kDoctorPing,
});
static_assert(kActionNames.size() == static_cast<std::size_t>(ActionType::doctor_ping) + 1);

constexpr auto kActionAliases = std::to_array<AliasRow>({
    {"open_url", "open_uri"},
    {"tap", "click"},
    {"press", "click"},
    {"wait_for", "wait_for_node"},
    {"find", "wait_for_node"},
    {"find_node", "wait_for_node"},
    {"read", "read_text"},
    {"snapshot", "snapshot_ui"},
    {"screenshot", "take_screenshot"},
    {"capture_screenshot", "take_screenshot"},
    {"type_text", "enter_text"},
    {"text_entry", "enter_text"},
    {"input_text", "enter_text"},
    {"key_press", "press_key"},
});

constexpr auto kParams = std::to_array<ParamRow>({
    {"applicationId", ParamKind::text},
    {"sessionId", ParamKind::text},
    {"uri", ParamKind::text, kMaxUriLength},
    {"durationMs", ParamKind::number},
    {"path", ParamKind::text},
    {"matcher", ParamKind::matcher},
    {"coordinate", ParamKind::coordinate},
    {"text", ParamKind::text, kMaxMatcherValueLength},
    {"submit", ParamKind::boolean},
    {"clear", ParamKind::boolean},
    {"secret", ParamKind::boolean, 0, {}, false, true},
    {"clickType", ParamKind::text, 0, "default click long_click longclick focus"},
    {"container", ParamKind::matcher},
    {"direction", ParamKind::text, 0, "down up left right", true},
    {"maxSwipes", ParamKind::number},
    {"distanceRatio", ParamKind::number},
    {"settleDelayMs", ParamKind::number},
    {"maxScrolls", ParamKind::number},
    {"maxDurationMs", ParamKind::number},
    {"noPositionChangeThreshold", ParamKind::number},
    {"findFirstScrollableChild", ParamKind::boolean},
    {"clickAfter", ParamKind::boolean},
    {"validator", ParamKind::text, 0, "temperature version regex"},
    {"validatorPattern", ParamKind::text},
    {"key", ParamKind::text, 0, "back home recents", true},
    {"retry", ParamKind::object},
    {"scrollRetry", ParamKind::object},
    {"clickRetry", ParamKind::object},
    {"expectedPackage", ParamKind::text, kMaxMatcherValueLength},
    {"expectedNode", ParamKind::matcher},
    {"labelMatcher", ParamKind::matcher},
    {"timeoutMs", ParamKind::number},
    {"all", ParamKind::boolean},
    {"strict", ParamKind::boolean},
});

constexpr auto kMatcherFields = std::to_array<std::string_view>({
    "resourceId",
    "role",
    "textEquals",
    "textContains",
    "contentDescEquals",
    "contentDescContains",
});

constexpr auto kTopLevelAliases = std::to_array<AliasRow>({
    {"command_id", "commandId"},
    {"task_id", "taskId"},
    {"expected_format", "expectedFormat"},
    {"timeout_ms", "timeoutMs"},
});

constexpr auto kParamAliases = std::to_array<AliasRow>({
    {"application_id", "applicationId"},
    {"app_id", "applicationId"},
    {"appId", "applicationId"},
    {"app", "applicationId"},
    {"package", "applicationId"},
    {"package_id", "applicationId"},
    {"packageId", "applicationId"},
    {"session_id", "sessionId"},
    {"url", "uri"},
    {"duration_ms", "durationMs"},
    {"file", "path"},
    {"filePath", "path"},
    {"output_path", "path"},
    {"selector", "matcher"},
    {"node", "matcher"},
    {"element", "matcher"},
    {"value", "text"},
    {"click_type", "clickType"},
    {"longPress", "clickType"},
    {"within", "container"},
    {"container_selector", "container"},
    {"max_swipes", "maxSwipes"},
    {"distance_ratio", "distanceRatio"},
    {"settle_delay_ms", "settleDelayMs"},
    {"max_scrolls", "maxScrolls"},
    {"max_duration_ms", "maxDurationMs"},
    {"no_position_change_threshold", "noPositionChangeThreshold"},
    {"find_first_scrollable_child", "findFirstScrollableChild"},
    {"click_after", "clickAfter"},
    {"validator_pattern", "validatorPattern"},
    {"expected_package", "expectedPackage"},
    {"expected_node", "expectedNode"},
    {"wait_for", "expectedNode"},
    {"label_matcher", "labelMatcher"},
    {"label_selector", "labelMatcher"},
    {"timeout_ms", "timeoutMs"},
});

constexpr auto kMatcherAliases = std::to_array<AliasRow>({
    {"resource_id", "resourceId"},
    {"id", "resourceId"},
    {"text", "textEquals"},
    {"text_contains", "textContains"},
    {"content_desc", "contentDescEquals"},
    {"content_desc_equals", "contentDescEquals"},
    {"description", "contentDescEquals"},
    {"accessibility_label", "contentDescEquals"},
    {"content_desc_contains", "contentDescContains"},
    {"description_contains", "contentDescContains"},
    {"accessibility_label_contains", "contentDescContains"},
});

}  // namespace

std::string_view action_name(ActionType type) {
  return kActionNames[static_cast<std::size_t>(type)];
}

bool only_looks(ActionType type) {
  constexpr ActionType kLooks[] = {
      ActionType::snapshot_ui,   ActionType::take_screenshot,     ActionType::read_text,
      ActionType::wait_for_node, ActionType::wait_for_navigation, ActionType::read_key_value_pair,
      ActionType::sleep,         ActionType::doctor_ping};
  return std::ranges::find(kLooks, type) != std::end(kLooks);
}

std::optional<ActionType> find_action(std::string_view spelling) {
  const std::string lowered = ascii_lower(trim_js(spelling));
  std::string_view name = lowered;
  const auto alias = std::ranges::find(kActionAliases, name, &AliasRow::alias);
  if (alias != kActionAliases.end()) name = alias->canonical;
  const auto found = std::ranges::find(kActionNames, name);
  if (found == kActionNames.end() || name == kDoctorPing) return std::nullopt;
  return static_cast<ActionType>(found - kActionNames.begin());
}

std::span<const ParamRow> param_table() { return kParams; }
const ParamRow& param_row(std::string_view name) {
  return *std::ranges::find(kParams, name, &ParamRow::name);
}
std::span<const std::string_view> matcher_fields() { return kMatcherFields; }
std::span<const AliasRow> top_level_aliases() { return kTopLevelAliases; }
std::span<const AliasRow> param_aliases() { return kParamAliases; }
std::span<const AliasRow> matcher_aliases() { return kMatcherAliases; }
std::span<const AliasRow> action_aliases() { return kActionAliases; }

}  // namespace clawperator
