#include "runtime/engine/shell_backend/shell_action.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxParams = 1 << 20;  // as kMaxExecutionText, which holds them

// The parameters of one action; what is absent or of another type has its default.
class ParamReader {
 public:
  explicit ParamReader(const Json* object) : object_(object) {}

  [[nodiscard]] std::string text(std::string_view name) const {
    const std::string* value = string_value(find_member(*object_, name));
    return value ? *value : std::string();
  }
  [[nodiscard]] bool flag(std::string_view name, bool otherwise) const {
    const Json* value = find_member(*object_, name);
    return value && value->is_boolean() ? value->get<bool>() : otherwise;
  }
  [[nodiscard]] double number(std::string_view name, double otherwise, double low,
                              double high) const {
    const Json* value = find_member(*object_, name);
    return value && value->is_number() ? std::clamp(value->get<double>(), low, high) : otherwise;
  }
  [[nodiscard]] int whole(std::string_view name, int otherwise, int low, int high) const {
    return static_cast<int>(number(name, otherwise, low, high));
  }
  [[nodiscard]] milliseconds time(std::string_view name, milliseconds otherwise, int high) const {
    const double fallback = static_cast<double>(otherwise.count());
    return milliseconds(static_cast<std::int64_t>(number(name, fallback, 0, high)));
  }
  [[nodiscard]] bool has(std::string_view name) const { return find_member(*object_, name); }
  [[nodiscard]] std::optional<ParamReader> object(std::string_view name) const {
    const Json* value = find_member(*object_, name);
    return value && value->is_object() ? std::optional(ParamReader(value)) : std::nullopt;
  }
  [[nodiscard]] std::optional<NodeMatcher> matcher(std::string_view name) const {
    const Json* value = find_member(*object_, name);
    return value && value->is_object() ? std::optional(read_matcher(*value)) : std::nullopt;
  }
  [[nodiscard]] std::optional<Point> point(std::string_view name) const {
    const auto at = object(name);
    if (!at) return std::nullopt;
    return Point{at->whole("x", 0, 0, kMaxPixel), at->whole("y", 0, 0, kMaxPixel)};
  }
  [[nodiscard]] ShellRetry retry(const ShellRetry& preset) const {
    const auto given = object("retry");
    if (!given) return preset;
    return {given->whole("maxAttempts", preset.max_attempts, 1, 10),
            given->time("initialDelayMs", preset.initial_delay, 30000),
            given->time("maxDelayMs", preset.max_delay, 60000),
            given->number("backoffMultiplier", preset.multiplier, 1, 5)};
  }

 private:
  // Above any screen's side (kMaxFrameSide); an int holds it.
  static constexpr int kMaxPixel = 100000;

  const Json* object_;
};

std::unexpected<Error> cannot(const Action& action, Errc code, std::string_view why) {
  const std::string type(action_name(action.type));
  return fail(
      code, "--backend shell: " + type + " " + std::string(why),
      ErrorMembers()
          .text("hint", "With the Operator app (the default backend) it works.")
          .object("details", ErrorMembers().text("actionId", action.id).text("actionType", type))
          .str());
}

// What is a hand's business and no shell's.
Result<void> check_can(const Action& action, const ParamReader& params) {
  const std::string click = ascii_lower(params.text("clickType"));
  switch (action.type) {
    case ActionType::start_recording:
    case ActionType::stop_recording:
      return cannot(action, errc::not_implemented, "is done inside the Operator app alone");
    case ActionType::read_text:
      if (!params.has("validator")) return ok();
      return cannot(action, errc::not_implemented,
                    "has a validator, whose rules are the Operator app's");
    case ActionType::enter_text:
      if (can_type(params.text("text"))) return ok();
      return cannot(action, errc::input_text_unsupported,
                    "can type what an American keyboard has and nothing else: printable ASCII, "
                    "without line breaks and tabs");
    case ActionType::click:
    case ActionType::scroll_until:
    case ActionType::scroll_and_click:
      if (click.empty() || click == "default" || click == "click" || click == "long_click" ||
          click == "longclick") {
        return ok();
      }
      return cannot(action, errc::not_implemented,
                    "can click and press long; clickType \"" + click.substr(0, 80) +
                        "\" needs the Operator app");
    default: return ok();
  }
}

std::string direction_of(const ParamReader& params) {
  const std::string given = ascii_lower(trimmed(params.text("direction")));
  return given.empty() ? "down" : given;
}

// `recents` is APP_SWITCH; the contract lets these three through.
int key_of(const ParamReader& params) { return find_key(trimmed(params.text("key"))).value_or(0); }

std::optional<milliseconds> timeout_of(const Action& action, const ParamReader& params) {
  if (!params.has("timeoutMs")) return std::nullopt;
  const int most = action.type == ActionType::wait_for_navigation ? 30000 : 120000;
  return params.time("timeoutMs", milliseconds(0), most);
}

ShellAction read_params(const Action& action, const ParamReader& params) {
  ShellAction read;
  read.id = action.id;
  read.type = action.type;
  read.application_id = action.application_id.value_or("");
  read.uri = params.text("uri");
  read.text = params.text("text");
  read.is_secret = action.is_secret;
  read.expected_package = trimmed(params.text("expectedPackage"));
  read.direction = direction_of(params);
  const bool labelled = action.type == ActionType::read_key_value_pair;
  read.matcher = params.matcher(labelled ? "labelMatcher" : "matcher");
  read.container = params.matcher("container");
  read.expected_node = params.matcher("expectedNode");
  read.coordinate = params.point("coordinate");
  read.long_press = ascii_lower(params.text("clickType")).starts_with("long");
  read.key = key_of(params);
  read.distance_ratio = params.number("distanceRatio", read.distance_ratio, 0, 1);
  read.max_swipes = params.whole("maxSwipes", read.max_swipes, 1, 50);
  read.max_scrolls = params.whole("maxScrolls", read.max_scrolls, 1, 200);
  read.no_position_change_threshold =
      params.whole("noPositionChangeThreshold", read.no_position_change_threshold, 1, 20);
  read.settle_delay = params.time("settleDelayMs", read.settle_delay, 10000);
  read.max_duration = params.time("maxDurationMs", read.max_duration, 120000);
  read.duration = params.time("durationMs", read.duration, 120000);
  read.timeout = timeout_of(action, params);
  read.find_first_scrollable_child = params.flag("findFirstScrollableChild", true);
  read.click_after = params.flag("clickAfter", action.type == ActionType::scroll_and_click);
  read.submit = params.flag("submit", false);
  read.all = params.flag("all", false);
  read.strict = params.flag("strict", false);
  read.retry = params.retry(action.type == ActionType::scroll ? ShellRetry{} : kLooks);
  return read;
}

}  // namespace

milliseconds ShellRetry::pause(int after_attempt) const {
  const auto first = static_cast<double>(initial_delay.count());
  const auto most = static_cast<double>(std::max(initial_delay, max_delay).count());
  const double wanted = std::min(most, first * std::pow(multiplier, after_attempt - 1));
  return milliseconds(static_cast<std::int64_t>(wanted));
}

Result<std::vector<ShellAction>> read_shell_actions(const Execution& execution) {
  std::vector<ShellAction> actions;
  for (const Action& action : execution.actions) {
    TRY(const Json object, read_json(action.params.value_or("{}"), kMaxParams));
    const ParamReader params(&object);
    TRY_VOID(check_can(action, params));
    actions.push_back(read_params(action, params));
  }
  return actions;
}

bool needs_tree(const ShellAction& action) {
  switch (action.type) {
    case ActionType::open_app:
    case ActionType::open_uri:
    case ActionType::close_app:
    case ActionType::take_screenshot:
    case ActionType::sleep:
    case ActionType::press_key: return false;
    case ActionType::click: return action.matcher.has_value();
    default: return true;
  }
}

}  // namespace clawperator
