#pragma once
// The functions of the tools.

#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

Task<ToolAnswer> call_devices(Call call);
Task<ToolAnswer> call_doctor(Call call);
Task<ToolAnswer> call_snapshot(Call call);
Task<ToolAnswer> call_screenshot(Call call);

Task<ToolAnswer> call_tap(Call call);
Task<ToolAnswer> call_long_press(Call call);
Task<ToolAnswer> call_swipe(Call call);
Task<ToolAnswer> call_type_text(Call call);
Task<ToolAnswer> call_press_key(Call call);
Task<ToolAnswer> call_open_app(Call call);
Task<ToolAnswer> call_open_url(Call call);
Task<ToolAnswer> call_close_app(Call call);
Task<ToolAnswer> call_wait_for(Call call);
Task<ToolAnswer> call_execute(Call call);

}  // namespace clawperator::mcp
