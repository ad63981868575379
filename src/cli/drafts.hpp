#pragma once
// What each verb asks the device to do. Pure: the same words and stamp give the same text.

#include "cli/draft.hpp"

namespace clawperator::cli {

Result<Draft> draft_snapshot(const Invocation& invocation);
Result<Draft> draft_screenshot(const Invocation& invocation);
Result<Draft> draft_click(const Invocation& invocation);
Result<Draft> draft_type(const Invocation& invocation);
Result<Draft> draft_read(const Invocation& invocation);
Result<Draft> draft_read_value(const Invocation& invocation);
Result<Draft> draft_wait(const Invocation& invocation);
Result<Draft> draft_wait_for_nav(const Invocation& invocation);
Result<Draft> draft_press(const Invocation& invocation);
// The execution of `press` for this key.
Draft press_draft(const Invocation& invocation, std::string_view key);
Result<Draft> draft_back(const Invocation& invocation);
Result<Draft> draft_open(const Invocation& invocation);
Result<Draft> draft_close(const Invocation& invocation);
Result<Draft> draft_sleep(const Invocation& invocation);
Result<Draft> draft_scroll(const Invocation& invocation);
Result<Draft> draft_scroll_until(const Invocation& invocation);
Result<Draft> draft_scroll_and_click(const Invocation& invocation);

}  // namespace clawperator::cli
