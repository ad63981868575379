#pragma once
// The parameters of an action as the device's shell uses them, with the app's own defaults and
// bounds filled in. An action that the shell cannot do truthfully is refused here, before anything
// is sent.

#include "base/error.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

// Attempts 1, 2, ... with pauses initial, initial * multiplier, ... up to max.
struct ShellRetry {
  int max_attempts = 1;
  std::chrono::milliseconds initial_delay{};
  std::chrono::milliseconds max_delay{};
  double multiplier = 2.0;

  [[nodiscard]] std::chrono::milliseconds pause(int after_attempt) const;
};
// Default: three, fewer than the app's five, because each snapshot waits for an idle screen by
// itself.
ShellRetry shell_retry(const std::optional<Retry>& given);

int whole_of(std::optional<double> given, int otherwise, int low, int high);
std::chrono::milliseconds time_of(std::optional<double> given, std::chrono::milliseconds otherwise,
                                  int most_ms);

// The finger of a step that scrolls.
std::string direction_of(const Scroll& scroll);
double ratio_of(const Scroll& scroll);
std::chrono::milliseconds settle_of(const Scroll& scroll);

Point point_of(const Coordinate& at);
bool is_long(const std::optional<std::string>& click_type);
inline const char* click_name(bool is_long) { return is_long ? "long_click" : "click"; }

// input_text_unsupported, not_implemented; `execution` is validated.
Result<void> check_shell_can(const Execution& execution);

// Whether the action needs the screen's tree.
bool needs_tree(const Action& action);

}  // namespace clawperator
