#include "runtime/host/verbs/pinch.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "runtime/android/screen_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/screen_size.hpp"
#include "runtime/engine/screenshot.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {
namespace {

constexpr int kPinchFrames = 24;
constexpr int kNearest = 5;  // the fingers at their nearest: this part of the distance
constexpr auto kTouchLimit = std::chrono::milliseconds(30000);
constexpr auto kAfterPinch = std::chrono::milliseconds(500);

// Fractions of the screen as it is turned, to the panel, which never is.
TouchPoint on_panel(double x, double y, int quarter_turns) {
  const auto at = [](double part) {
    return static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * kTouchRange));
  };
  switch (quarter_turns) {
    case 1: return {at(1 - y), at(x)};
    case 2: return {at(1 - x), at(1 - y)};
    case 3: return {at(y), at(1 - x)};
    default: return {at(x), at(y)};
  }
}

std::unexpected<Error> no_touch(std::string_view why) {
  return fail(
      errc::unsupported,
      "Android's input command has one finger, and this phone lets the shell make no second "
      "one: " +
          std::string(why),
      ErrorMembers()
          .text("hint", "Maps and photos zoom by a double tap as well: clawperator double-tap X Y")
          .str());
}

Task<void> require_touch(adbproto::Device* device) {
  CO_TRY(const CommandOutput said, co_await run_on_device(device, touch_probe_line()));
  if (!said.out.contains("uhid")) {
    co_return no_touch("/dev/uhid is missing, or it may not write it (Android 8.1 and newer).");
  }
  if (!said.out.contains("/hid")) co_return no_touch("it has no hid program.");
  co_return ok();
}

struct Screen {
  ScreenSize size{};
  int quarter_turns = 0;
};

Task<Screen> ask_screen(adbproto::Device* device) {
  CO_TRY(const CommandOutput state, co_await run_on_device(device, screen_state_line()));
  CO_TRY_VOID(judge_interactive(device->serial(), parse_screen_state(state.out)));
  CO_TRY(const CommandOutput displays, co_await run_on_device(device, displays_line()));
  const auto size = co_await ask_screen_size(device);
  const auto turns = main_rotation(displays.out);
  if (size && turns) co_return Screen{*size, *turns};
  co_return fail(errc::device_shell_unavailable,
                 "the device does not tell the size of its screen and how it is turned");
}

// nullopt where nothing can be seen.
using Look = std::optional<FrameTiles>;

Task<Look> take_look(adbproto::Device* device, bool* several_displays) {
  auto tiles = co_await capture_tiles(device, several_displays);
  if (!tiles && is_link_error(tiles.error())) {
    co_return fail(errc::link_lost, tiles.error().message());
  }
  co_return tiles && !tiles->black ? Look(*std::move(tiles)) : Look{};
}

Task<void> send_touch(adbproto::Device* device, const PinchPath* path) {
  CO_TRY(const CommandOutput done,
         co_await order_on_device(device, virtual_touch_line(path->frames), kTouchLimit));
  const bool touched = done.text().contains(kTouchMark);
  std::string said = done.err + done.out;
  if (const auto mark = said.find(kTouchMark); mark != said.npos)
    said.erase(mark, kTouchMark.size());
  if (touched && done.exit_status == 0 && trimmed(said).empty()) co_return ok();
  CommandOutput rest{done.exit_status, {}, said};
  if (touched) co_return std::unexpected(unknown_end(said_no("the fingers did not move", rest)));
  co_return no_touch("it did not take the virtual touchscreen. " + one_message(said));
}

}  // namespace

std::optional<PinchPath> pinch_path(const PinchRequest& request, ScreenSize screen,
                                    int quarter_turns) {
  if (quarter_turns % 2 != 0) std::swap(screen.width, screen.height);
  const auto width = static_cast<int>(screen.width);
  const auto height = static_cast<int>(screen.height);
  PinchPath path;
  path.centre = request.centre.value_or(InputPoint{width / 2, height / 2});
  path.distance = request.distance.value_or(std::min(width, height) / 2);
  // Along a diagonal: neither axis is a list's.
  const double half = path.distance / 2.0 * std::sqrt(0.5);
  const bool fits = path.centre.x - half >= 0 && path.centre.x + half <= width - 1 &&
                    path.centre.y - half >= 0 && path.centre.y + half <= height - 1;
  if (!fits || path.distance < kNearest) return std::nullopt;
  for (int i = 0; i < kPinchFrames; ++i) {
    const double done = static_cast<double>(i) / (kPinchFrames - 1);
    const double apart = request.out ? done : 1 - done;
    const double off = half * (1.0 / kNearest + apart * (1 - 1.0 / kNearest));
    const auto finger = [&](double side) {
      return on_panel((path.centre.x + side * off) / (width - 1),
                      (path.centre.y + side * off) / (height - 1), quarter_turns);
    };
    path.frames.push_back({finger(-1), finger(1)});
  }
  return path;
}

Task<Pinched> pinch(adbproto::Device* device, PinchRequest request) {
  CO_TRY_VOID(co_await require_touch(device));
  CO_TRY(const Screen screen, co_await ask_screen(device));
  const auto path = pinch_path(request, screen.size, screen.quarter_turns);
  if (!path) {
    co_return fail(
        errc::off_screen,
        "a finger would leave the screen: choose another point, or a smaller --distance");
  }
  bool several_displays = false;
  CO_TRY(const Look first, co_await take_look(device, &several_displays));
  CO_TRY(const Look second, co_await take_look(device, &several_displays));
  CO_TRY_VOID(co_await send_touch(device, &*path));
  co_await adbproto::sleep_for(kAfterPinch);
  CO_TRY(const Look after, or_unknown_end(co_await take_look(device, &several_displays)));
  Pinched done{ReadBack::unknown, path->centre, path->distance};
  if (first && after && first == second) {
    done.effect = second == after ? ReadBack::unchanged : ReadBack::changed;
  }
  co_return done;
}

}  // namespace clawperator
