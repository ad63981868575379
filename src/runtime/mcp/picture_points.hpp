#pragma once
// Points of a picture, as a model reads them from it, become points of the screen that it shows.

#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

// With `space: picture` the call's coordinates become those of the screen; other calls stay as they
// are. usage: there is no picture of that device, the screen has another size now, or a point lies
// outside of the picture. Errors of opening a device. The call stays on the device.
Task<void> use_screen_points(Call* call);

}  // namespace clawperator::mcp
