#include "runtime/mcp/picture_points.hpp"

#include <nlohmann/json.hpp>

#include "runtime/engine/screen_size.hpp"
#include "runtime/mcp/acting.hpp"
#include "runtime/mcp/call_executor.hpp"

namespace clawperator::mcp {
namespace {

struct Axis {
  std::string_view name;
  std::uint32_t ScreenSize::* side;
};

constexpr auto kAxes = std::to_array<Axis>({{"x", &ScreenSize::width},
                                            {"y", &ScreenSize::height},
                                            {"x1", &ScreenSize::width},
                                            {"y1", &ScreenSize::height},
                                            {"x2", &ScreenSize::width},
                                            {"y2", &ScreenSize::height}});

std::string sides_of(ScreenSize size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

// The middle of the pixel of the picture.
Result<int> on_screen(const Axis& axis, int at, const act::SeenPicture& picture) {
  const std::int64_t side = picture.size.*axis.side;
  if (at >= side) {
    return fail(errc::usage, std::string(axis.name) + " " + std::to_string(at) +
                                 " is outside of the picture, which is " + sides_of(picture.size));
  }
  return static_cast<int>((2 * std::int64_t{at} + 1) * (picture.screen.*axis.side) / (2 * side));
}

}  // namespace

Task<void> use_screen_points(Call* call) {
  const auto is_given = [&](const Axis& axis) { return call->arguments.has(axis.name); };
  if (call->arguments.text("space") != "picture" || std::ranges::none_of(kAxes, is_given)) {
    co_return ok();
  }
  const act::Seen& seen = call->defaults->seen;
  if (seen.by != act::Seen::By::connection) {
    co_return fail(errc::usage,
                   "over HTTP the server does not know which picture you have: divide x and y by "
                   "its scale, and leave out space");
  }
  CallExecutor executor(call);
  CO_TRY(const auto device, co_await executor.open(target_of(*call)));
  call->last_device = device->serial();
  const std::string place = device->facts().place;
  const auto picture = act::picture_of(seen, place.empty() ? device->serial() : place);
  if (!picture) {
    co_return fail(errc::usage, "you have no picture of " + device->serial() +
                                    ": take a screenshot, then give its points");
  }
  const auto now = (co_await ask_screen_now(device.get())).size;
  if (now && *now != picture->screen) {
    co_return fail(errc::usage, "the screen is " + sides_of(*now) + " now, and was " +
                                    sides_of(picture->screen) +
                                    " in the picture: take another screenshot");
  }
  for (const Axis& axis : kAxes) {
    const auto at = call->arguments.whole(axis.name);
    if (!at) continue;
    CO_TRY(const int pixel, on_screen(axis, *at, *picture));
    call->arguments = call->arguments.with(axis.name, pixel);
  }
  co_return ok();
}

}  // namespace clawperator::mcp
