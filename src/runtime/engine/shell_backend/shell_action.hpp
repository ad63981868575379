#pragma once
// An action as the device's shell can carry it out: its parameters with the app's own defaults and
// bounds filled in. What the shell cannot do truthfully is refused here, before anything is sent.

#include "base/error.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator {

// Attempts 1, 2, ... with pauses initial, initial * multiplier, ... up to max.
struct ShellRetry {
  int max_attempts = 1;
  std::chrono::milliseconds initial_delay{};
  std::chrono::milliseconds max_delay{};
  double multiplier = 2.0;

  [[nodiscard]] std::chrono::milliseconds pause(int after_attempt) const;
};

// Fewer than the app's five: each look waits for an idle screen by itself.
inline constexpr ShellRetry kLooks{3, std::chrono::milliseconds(500),
                                   std::chrono::milliseconds(3000)};

struct ShellAction {
  std::string id;
  ActionType type{};
  std::string application_id{}, uri{}, text{}, expected_package{}, direction{};
  std::optional<NodeMatcher> matcher{};  // the label's, for read_key_value_pair
  std::optional<NodeMatcher> container{}, expected_node{};
  std::optional<Point> coordinate{};
  bool long_press = false;
  bool is_secret = false;  // what is typed
  int key = 0;
  double distance_ratio = 0.7;
  int max_swipes = 10, max_scrolls = 20, no_position_change_threshold = 3;
  std::chrono::milliseconds settle_delay{250}, max_duration{25000}, duration{};
  std::optional<std::chrono::milliseconds> timeout{};
  bool find_first_scrollable_child = true, click_after = false, submit = false, all = false;
  bool strict = false;
  ShellRetry retry{};

  [[nodiscard]] const char* click_name() const { return long_press ? "long_click" : "click"; }
};

// input_text_unsupported, not_implemented; `execution` is validated.
Result<std::vector<ShellAction>> read_shell_actions(const Execution& execution);

// Whether a look at the screen's tree is part of it.
bool needs_tree(const ShellAction& action);

}  // namespace clawperator
