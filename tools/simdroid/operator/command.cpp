#include "simdroid/operator/command.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace simdroid {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr std::size_t kMaxPayload = 64000;
constexpr std::size_t kMaxActions = 64;

struct NamedKind {
  std::string_view name;
  ActionKind kind;
  bool Capabilities::* needs = nullptr;  // null: every version has the name
};

// The canonical name of a kind comes first.
constexpr std::array kKinds = {
    NamedKind{"open_app", ActionKind::open_app},
    NamedKind{"open_uri", ActionKind::open_uri},
    NamedKind{"close_app", ActionKind::close_app},
    NamedKind{"start_recording", ActionKind::start_recording},
    NamedKind{"stop_recording", ActionKind::stop_recording},
    NamedKind{"wait_for_node", ActionKind::wait_for_node},
    NamedKind{"find_node", ActionKind::wait_for_node},
    NamedKind{"click", ActionKind::click},
    NamedKind{"scroll_and_click", ActionKind::scroll_and_click},
    NamedKind{"scroll", ActionKind::scroll},
    NamedKind{"scroll_until", ActionKind::scroll_until},
    NamedKind{"read_text", ActionKind::read_text},
    NamedKind{"enter_text", ActionKind::enter_text},
    NamedKind{"type_text", ActionKind::enter_text},
    NamedKind{"snapshot_ui", ActionKind::snapshot_ui},
    NamedKind{"snapshot", ActionKind::snapshot_ui, &Capabilities::snapshot_name},
    NamedKind{"take_screenshot", ActionKind::take_screenshot},
    NamedKind{"sleep", ActionKind::sleep},
    NamedKind{"press_key", ActionKind::press_key},
    NamedKind{"key_press", ActionKind::press_key},
    NamedKind{"wait_for_navigation", ActionKind::wait_for_navigation},
    NamedKind{"read_key_value_pair", ActionKind::read_key_value_pair},
    NamedKind{"doctor_ping", ActionKind::doctor_ping},
};

// One action's parameters; the first mistake is kept.
class Params {
 public:
  Params(const json& object, const Capabilities& can) : object_(object), can_(can) {}

  std::string text(const char* key) {
    const auto found = object_.find(key);
    if (found == object_.end() || found->is_null()) return {};
    if (!found->is_string()) return wrong(std::string(key) + " must be a string"), std::string();
    return found->get<std::string>();
  }
  std::string required_text(const char* key) {
    std::string value = text(key);
    if (trimmed(value).empty()) wrong(std::string(key) + " is required");
    return value;
  }
  bool flag(const char* key, bool fallback) {
    const auto found = object_.find(key);
    return found != object_.end() && found->is_boolean() ? found->get<bool>() : fallback;
  }
  double number(const char* key, double fallback, double low, double high) {
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_number()) return fallback;
    return std::clamp(found->get<double>(), low, high);
  }
  int whole(const char* key, int fallback, int low, int high) {
    return static_cast<int>(number(key, fallback, low, high));
  }
  milliseconds duration(const char* key, int fallback, int low, int high) {
    return milliseconds(static_cast<std::int64_t>(number(key, fallback, low, high)));
  }
  [[nodiscard]] bool has(const char* key) const {
    const auto found = object_.find(key);
    return found != object_.end() && !found->is_null();
  }
  [[nodiscard]] const Capabilities& can() const { return can_; }
  Matcher matcher(const char* key);
  Matcher required_matcher(const char* key);
  std::optional<Point> coordinate();
  Retry retry(const char* key, const Retry& preset);
  template <class Value, std::size_t N>
  Value choice(const char* key, Value fallback,
               const std::array<std::pair<std::string_view, Value>, N>& words);

  void wrong(std::string what) {
    if (mistake_.empty()) mistake_ = std::move(what);
  }
  [[nodiscard]] const std::string& mistake() const { return mistake_; }

 private:
  std::vector<Matcher> relation(const char* key);
  void check_matcher(const json& object, const std::string& name);

  const json& object_;
  const Capabilities& can_;
  std::string mistake_;
};

constexpr std::array<std::string_view, 6> kMatcherFields{
    "resourceId", "role", "textEquals", "textContains", "contentDescEquals", "contentDescContains"};

// Errors that the parser of 0.10 reports and older ones ignore.
void Params::check_matcher(const json& object, const std::string& name) {
  bool has_field = false;
  for (const auto& [key, value] : object.items()) {
    if (key == "ancestor" || key == "descendant") {
      has_field = true;
      continue;
    }
    if (std::ranges::find(kMatcherFields, key) == kMatcherFields.end()) {
      wrong(name + " has the unknown field " + key);
    } else if (!value.is_string()) {
      wrong(name + "." + key + " must be a string");
    } else {
      has_field = has_field || !trimmed(value.get_ref<const std::string&>()).empty();
    }
  }
  if (!has_field) wrong(name + " has no fields");
}

// One node above or below; it has no relations of its own.
std::vector<Matcher> Params::relation(const char* key) {
  if (!can_.strict_matchers || !has(key)) return {};
  for (const char* inner : {"ancestor", "descendant"}) {
    if (object_[key].is_object() && object_[key].contains(inner)) {
      wrong(std::string(key) + " may not have the field " + inner);
    }
  }
  return {matcher(key)};
}

Matcher Params::matcher(const char* key) {
  if (!has(key)) return {};
  const json& object = object_[key];
  if (!object.is_object()) return wrong(std::string(key) + " must be an object"), Matcher{};
  Params fields(object, can_);
  if (can_.strict_matchers) fields.check_matcher(object, key);
  Matcher matcher;
  const auto take = [&](const char* name, std::optional<std::string>& into) {
    if (std::string value = fields.text(name); !value.empty()) into = std::move(value);
  };
  take("resourceId", matcher.resource_id);
  take("role", matcher.role);
  take("textEquals", matcher.text_equals);
  take("textContains", matcher.text_contains);
  take("contentDescEquals", matcher.description_equals);
  take("contentDescContains", matcher.description_contains);
  matcher.ancestor = fields.relation("ancestor");
  matcher.descendant = fields.relation("descendant");
  if (!fields.mistake().empty()) wrong(fields.mistake());
  if (!matcher.given()) wrong(std::string(key) + " has no fields");
  return matcher;
}

Matcher Params::required_matcher(const char* key) {
  Matcher found = matcher(key);
  if (!found.given()) wrong(std::string(key) + " is required");
  return found;
}

std::optional<Point> Params::coordinate() {
  if (!has("coordinate")) return std::nullopt;
  const json& object = object_["coordinate"];
  const bool shaped = object.is_object() && object.contains("x") && object.contains("y") &&
                      object["x"].is_number() && object["y"].is_number();
  if (!shaped) return wrong("coordinate must have x and y"), std::nullopt;
  Params fields(object, can_);
  return Point{fields.whole("x", 0, 0, 100000), fields.whole("y", 0, 0, 100000)};
}

Retry Params::retry(const char* key, const Retry& preset) {
  if (!has(key) || !object_[key].is_object()) return preset;
  Params fields(object_[key], can_);
  const auto ms = [](Duration d) {
    return static_cast<int>(std::chrono::duration_cast<milliseconds>(d).count());
  };
  return {fields.whole("maxAttempts", preset.max_attempts, 1, 10),
          fields.duration("initialDelayMs", ms(preset.initial_delay), 0, 30000),
          fields.duration("maxDelayMs", ms(preset.max_delay), 0, 60000),
          fields.number("backoffMultiplier", preset.multiplier, 1, 5),
          fields.number("jitterRatio", preset.jitter_ratio, 0, 1)};
}

// Lower-cased, not trimmed: a padded word is unknown, as on the device.
template <class Value, std::size_t N>
Value Params::choice(const char* key, Value fallback,
                     const std::array<std::pair<std::string_view, Value>, N>& words) {
  if (!has(key)) return fallback;
  const std::string word = ascii_lower(text(key));
  for (const auto& [name, value] : words) {
    if (name == word) return value;
  }
  wrong("unsupported " + std::string(key) + ": " + word);
  return fallback;
}

constexpr std::array<std::pair<std::string_view, Click>, 5> kClicks{
    {{"default", Click::click},
     {"click", Click::click},
     {"long_click", Click::long_click},
     {"longclick", Click::long_click},
     {"focus", Click::focus}}};
constexpr std::array<std::pair<std::string_view, Direction>, 4> kDirections{
    {{"down", Direction::down},
     {"up", Direction::up},
     {"left", Direction::left},
     {"right", Direction::right}}};
constexpr std::array<std::pair<std::string_view, Key>, 3> kGlobalKeys{
    {{"back", Key::back}, {"home", Key::home}, {"recents", Key::recents}}};
constexpr std::array<std::pair<std::string_view, Validator>, 3> kValidators{
    {{"temperature", Validator::temperature},
     {"version", Validator::version},
     {"regex", Validator::regex}}};

// The parameters of every action on a node since 0.10.
void read_strictness(DeviceAction& action, Params& params) {
  if (!params.can().strict_matchers) return;
  action.strict = params.flag("strict", false);
  action.container = params.matcher("container");
}

void read_scrolling(DeviceAction& action, Params& params) {
  action.container = params.matcher("container");
  action.direction = params.choice("direction", Direction::down, kDirections);
  action.distance_ratio = params.number("distanceRatio", 0.7, 0, 1);
  action.settle_delay = params.duration("settleDelayMs", 250, 0, 10000);
  action.max_swipes = params.whole("maxSwipes", 10, 1, 50);
  action.max_scrolls = params.whole("maxScrolls", 20, 1, 200);
  action.max_duration = params.duration("maxDurationMs", 10000, 0, 120000);
  action.no_position_change_threshold = params.whole("noPositionChangeThreshold", 3, 1, 20);
  action.find_first_scrollable_child = params.flag("findFirstScrollableChild", true);
  action.click = params.choice("clickType", Click::click, kClicks);
}

void read_click(DeviceAction& action, Params& params) {
  action.matcher = params.matcher("matcher");
  action.coordinate = params.coordinate();
  action.click = params.choice("clickType", Click::click, kClicks);
  if (action.matcher.given() == action.coordinate.has_value()) {
    params.wrong("click needs either matcher or coordinate");
  }
  if (action.coordinate && (action.strict || action.container.given())) {
    params.wrong("click with coordinate takes neither strict nor container");
  }
}

void read_text_params(DeviceAction& action, Params& params) {
  action.matcher = params.required_matcher("matcher");
  action.container = params.matcher("container");
  action.validator = params.choice("validator", Validator::none, kValidators);
  action.validator_pattern = params.text("validatorPattern");
  action.all = params.flag("all", false);
  if (action.validator == Validator::regex && action.validator_pattern.empty()) {
    params.wrong("validatorPattern is required");
  }
}

void read_navigation(DeviceAction& action, Params& params) {
  action.expected_package = params.text("expectedPackage");
  action.expected_node = params.matcher("expectedNode");
  action.timeout = params.duration("timeoutMs", 0, 1, 30000);
  if (!params.has("timeoutMs")) params.wrong("timeoutMs is required");
  if (trimmed(action.expected_package).empty() && !action.expected_node.given()) {
    params.wrong("expectedPackage or expectedNode is required");
  }
}

void read_enter_text(DeviceAction& action, Params& params) {
  action.matcher = params.required_matcher("matcher");
  action.text = params.text("text");
  if (action.text.empty()) params.wrong("text is required");
  action.submit = params.flag("submit", false);
  action.clear = params.can().clears_text && params.flag("clear", false);
}

bool acts_on_nodes(ActionKind kind) {
  constexpr std::array kOnNodes{ActionKind::click,           ActionKind::enter_text,
                                ActionKind::read_text,       ActionKind::wait_for_node,
                                ActionKind::scroll,          ActionKind::scroll_until,
                                ActionKind::scroll_and_click};
  return std::ranges::find(kOnNodes, kind) != kOnNodes.end();
}

void read_params(DeviceAction& action, Params& params) {
  action.retry = params.retry("retry", kUiReadiness);
  if (acts_on_nodes(action.kind)) read_strictness(action, params);
  switch (action.kind) {
    case ActionKind::open_app:
      action.skip_navigation_wait = params.flag("skipNavigationWait", false);
      action.navigation_timeout = params.duration("navigationTimeoutMs", 15000, 1000, 120000);
      [[fallthrough]];
    case ActionKind::close_app:
      action.application_id = params.required_text("applicationId");
      action.retry = params.retry("retry", kAppLaunch);
      return;
    case ActionKind::open_uri:
      action.uri = params.required_text("uri");
      action.retry = params.retry("retry", kAppLaunch);
      return;
    case ActionKind::start_recording:
    case ActionKind::stop_recording: action.session_id = params.text("sessionId"); return;
    case ActionKind::wait_for_node:
      action.matcher = params.required_matcher("matcher");
      if (params.has("timeoutMs")) action.timeout = params.duration("timeoutMs", 1, 1, 120000);
      return;
    case ActionKind::click: return read_click(action, params);
    case ActionKind::scroll_and_click:
      action.matcher = params.required_matcher(params.has("matcher") ? "matcher" : "target");
      read_scrolling(action, params);
      action.click_after = params.flag("clickAfter", true);
      action.scroll_retry = params.retry("scrollRetry", kUiScroll);
      action.click_retry = params.retry("clickRetry", kUiReadiness);
      return;
    case ActionKind::scroll:
      read_scrolling(action, params);
      action.retry = params.retry("retry", kNoRetry);
      return;
    case ActionKind::scroll_until:
      action.matcher = params.matcher("matcher");
      read_scrolling(action, params);
      action.click_after = params.flag("clickAfter", false);
      return;
    case ActionKind::read_text: return read_text_params(action, params);
    case ActionKind::enter_text: return read_enter_text(action, params);
    case ActionKind::sleep: action.duration = params.duration("durationMs", 0, 0, 120000); return;
    case ActionKind::press_key:
      action.key = params.choice("key", Key::back, kGlobalKeys);
      if (!params.has("key")) params.wrong("key is required");
      return;
    case ActionKind::wait_for_navigation: return read_navigation(action, params);
    case ActionKind::read_key_value_pair:
      action.matcher = params.required_matcher("labelMatcher");
      return;
    case ActionKind::snapshot_ui:
    case ActionKind::take_screenshot:
    case ActionKind::doctor_ping: return;
  }
}

Result<DeviceAction> parse_action(const json& value, const Capabilities& can) {
  if (!value.is_object()) return fail(errc::invalid_argument, "an action must be an object");
  Params fields(value, can);
  DeviceAction action;
  action.id = fields.required_text("id");
  const std::string type = ascii_lower(fields.required_text("type"));
  const auto known = std::find_if(kKinds.begin(), kKinds.end(), [&](const NamedKind& kind) {
    return kind.name == type && (kind.needs == nullptr || can.*kind.needs);
  });
  if (known == kKinds.end()) fields.wrong("unsupported action type: " + type);
  if (!fields.mistake().empty()) return fail(errc::invalid_argument, fields.mistake());
  action.kind = known->kind;

  const json empty = json::object();
  const auto object = value.find("params");
  const bool present = object != value.end() && object->is_object();
  Params params(present ? *object : empty, can);
  read_params(action, params);
  if (!params.mistake().empty()) {
    return fail(errc::invalid_argument, type + ": " + params.mistake());
  }
  return action;
}

}  // namespace

std::string_view action_name(ActionKind kind) {
  return std::find_if(kKinds.begin(), kKinds.end(),
                      [kind](const NamedKind& known) { return known.kind == kind; })
      ->name;
}

Result<Command> parse_command(std::string_view payload, const Capabilities& can) {
  if (payload.size() > kMaxPayload) return fail(errc::limit, "payload exceeds 64000 bytes");
  const json value = json::parse(payload, nullptr, false);
  if (!value.is_object()) return fail(errc::invalid_argument, "payload is not a JSON object");
  Params fields(value, can);
  Command command;
  command.command_id = fields.required_text("commandId");
  command.task_id = fields.required_text("taskId");
  command.source = fields.text("source");
  command.timeout = fields.duration("timeoutMs", 30000, 1000, 120000);
  if (!fields.mistake().empty()) return fail(errc::invalid_argument, fields.mistake());
  const auto actions = value.find("actions");
  if (actions == value.end() || !actions->is_array() || actions->empty()) {
    return fail(errc::invalid_argument, "actions is required");
  }
  if (actions->size() > kMaxActions) return fail(errc::limit, "more than 64 actions");
  for (const json& action : *actions) {
    TRY(DeviceAction parsed, parse_action(action, can));
    command.actions.push_back(std::move(parsed));
  }
  return command;
}

}  // namespace simdroid
