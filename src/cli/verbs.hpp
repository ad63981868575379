#pragma once
// The action of each verb, from its arguments. Pure: with `--ref` only the options are checked, and
// runtime/act/ref reads the snapshot store later.

#include "cli/grammar/command.hpp"
#include "runtime/act/action.hpp"

namespace clawperator::cli {

Result<Screenshot> screenshot_from(const Invocation& invocation);
Result<Click> click_from(const Invocation& invocation);
Result<EnterText> type_from(const Invocation& invocation);
Result<ReadText> read_from(const Invocation& invocation);
Result<ReadValue> read_value_from(const Invocation& invocation);
Result<WaitForNode> wait_from(const Invocation& invocation);
Result<WaitForNavigation> wait_for_nav_from(const Invocation& invocation);
Result<PressKey> press_from(const Invocation& invocation);
Result<PressKey> back_from(const Invocation& invocation);
Result<Action> open_from(const Invocation& invocation);
Result<CloseApp> close_from(const Invocation& invocation);
Result<Sleep> sleep_from(const Invocation& invocation);
Result<Scroll> scroll_from(const Invocation& invocation);
Result<Action> scroll_until_from(const Invocation& invocation);
Result<Action> scroll_and_click_from(const Invocation& invocation);

}  // namespace clawperator::cli
