#pragma once
// What each verb asks the device to do. Pure, but that `--ref` reads the store of snapshots.

#include "cli/grammar/command.hpp"
#include "runtime/act/action.hpp"

namespace clawperator::cli {

Result<act::Screenshot> ask_screenshot(const Invocation& invocation);
Result<act::Click> ask_click(const Invocation& invocation);
Result<act::EnterText> ask_type(const Invocation& invocation);
Result<act::ReadText> ask_read(const Invocation& invocation);
Result<act::ReadValue> ask_read_value(const Invocation& invocation);
Result<act::WaitForNode> ask_wait(const Invocation& invocation);
Result<act::WaitForNavigation> ask_wait_for_nav(const Invocation& invocation);
Result<act::PressKey> ask_press(const Invocation& invocation);
Result<act::PressKey> ask_back(const Invocation& invocation);
Result<act::Action> ask_open(const Invocation& invocation);
Result<act::CloseApp> ask_close(const Invocation& invocation);
Result<act::Sleep> ask_sleep(const Invocation& invocation);
Result<act::Scroll> ask_scroll(const Invocation& invocation);
Result<act::Action> ask_scroll_until(const Invocation& invocation);
Result<act::Action> ask_scroll_and_click(const Invocation& invocation);

}  // namespace clawperator::cli
