#pragma once
// A broadcast payload after the app's parser: bounded, clamped, defaults filled in.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/operator/matcher.hpp"
#include "simdroid/operator/operator_version.hpp"
#include "simdroid/profile.hpp"
#include "simdroid/ui/ui_world.hpp"

namespace simdroid {

enum class ActionKind : std::uint8_t {
  open_app,
  open_uri,
  close_app,
  start_recording,
  stop_recording,
  wait_for_node,
  click,
  scroll_and_click,
  scroll,
  scroll_until,
  read_text,
  enter_text,
  snapshot_ui,
  take_screenshot,
  sleep,
  press_key,
  wait_for_navigation,
  read_key_value_pair,
  doctor_ping,
};

std::string_view action_name(ActionKind kind);

// Attempts 1, 2, ... with pauses initial, initial*multiplier, ... up to max, each +-jitter.
struct Retry {
  int max_attempts = 1;
  Duration initial_delay{};
  Duration max_delay{};
  double multiplier = 2.0;
  double jitter_ratio = 0.15;
};

inline constexpr Retry kNoRetry{};
inline constexpr Retry kUiReadiness{5, std::chrono::milliseconds(500),
                                    std::chrono::milliseconds(3000)};
inline constexpr Retry kAppLaunch{4, std::chrono::milliseconds(750),
                                  std::chrono::milliseconds(4000)};
inline constexpr Retry kUiScroll{4, std::chrono::milliseconds(400),
                                 std::chrono::milliseconds(2000)};

enum class Validator : std::uint8_t { none, temperature, version, regex };

struct DeviceAction {
  std::string id;
  ActionKind kind{};
  std::string application_id, uri, text, session_id, expected_package, validator_pattern;
  Matcher matcher;  // the label's, for read_key_value_pair
  Matcher container, expected_node;
  std::optional<Point> coordinate;
  Click click = Click::click;
  Direction direction = Direction::down;
  Validator validator = Validator::none;
  Key key = Key::back;
  double distance_ratio = 0.7;
  int max_swipes = 10, max_scrolls = 20, no_position_change_threshold = 3;
  Duration settle_delay = std::chrono::milliseconds(250);
  Duration max_duration = std::chrono::milliseconds(10000);
  Duration duration{};
  std::optional<Duration> timeout;
  bool find_first_scrollable_child = true, click_after = false, submit = false, all = false;
  bool clear = false, strict = false, skip_navigation_wait = false;
  Duration navigation_timeout = std::chrono::milliseconds(15000);
  Retry retry, scroll_retry = kUiScroll, click_retry = kUiReadiness;
};

struct Command {
  std::string command_id, task_id, source;
  Duration timeout = std::chrono::milliseconds(30000);
  std::vector<DeviceAction> actions;
};

// Parses like an app with the capabilities `can`. The error's message is that of its parser in the
// log.
Result<Command> parse_command(std::string_view payload, const Capabilities& can = {});

}  // namespace simdroid
