#pragma once
// What each verb asks the device to do. Pure, but that `--ref` reads the store of snapshots.

#include "cli/grammar/command.hpp"
#include "runtime/act/action.hpp"

namespace clawperator::cli {

Result<Screenshot> ask_screenshot(const Invocation& invocation);
Result<Click> ask_click(const Invocation& invocation);
Result<EnterText> ask_type(const Invocation& invocation);
Result<ReadText> ask_read(const Invocation& invocation);
Result<ReadValue> ask_read_value(const Invocation& invocation);
Result<WaitForNode> ask_wait(const Invocation& invocation);
Result<WaitForNavigation> ask_wait_for_nav(const Invocation& invocation);
Result<PressKey> ask_press(const Invocation& invocation);
Result<PressKey> ask_back(const Invocation& invocation);
Result<Action> ask_open(const Invocation& invocation);
Result<CloseApp> ask_close(const Invocation& invocation);
Result<Sleep> ask_sleep(const Invocation& invocation);
Result<Scroll> ask_scroll(const Invocation& invocation);
Result<Action> ask_scroll_until(const Invocation& invocation);
Result<Action> ask_scroll_and_click(const Invocation& invocation);

}  // namespace clawperator::cli
