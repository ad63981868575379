#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "runtime/act/effect.hpp"
#include "runtime/act/input_body.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/host/verbs/apps.hpp"
#include "runtime/mcp/acting.hpp"
#include "runtime/mcp/call_executor.hpp"
#include "runtime/mcp/phone_words.hpp"
#include "runtime/mcp/picture_points.hpp"

namespace clawperator::mcp {
namespace {

std::unexpected<Error> names_nothing() {
  return fail(errc::usage, "give a ref, a selector or a point (x, y)");
}

Task<ToolAnswer> click(Call call, std::optional<std::string> click_type) {
  CO_TRY_VOID(co_await use_screen_points(&call));
  CO_TRY(auto place, read_place(call.arguments));
  if (!place) co_return names_nothing();
  Click click{.click_type = std::move(click_type)};
  if (is_for_one_alone(call)) click.strict = true;
  act::put_at(click, *place);
  co_return co_await perform_and_answer(call, std::move(click));
}

// Until the node is there, which is then tapped.
Task<ToolAnswer> scroll_and_tap(Call call, std::string direction) {
  if (call.arguments.has("nth")) {
    co_return fail(errc::usage, "nth counts nodes that are on the screen: not with scroll");
  }
  CO_TRY(auto node, read_node(call.arguments));
  if (!node) co_return fail(errc::usage, "scroll needs a selector or a ref");
  ScrollAndClick scroll;
  scroll.direction = std::move(direction);
  scroll.matcher = std::move(node);
  scroll.click_after = true;
  if (is_for_one_alone(call)) scroll.strict = true;
  co_return co_await perform_and_answer(call, std::move(scroll));
}

// A finger that moves up shows the content further down.
std::string content_direction(const std::string& finger) {
  if (finger == "up") return "down";
  if (finger == "down") return "up";
  return finger == "left" ? "right" : "left";
}

Task<ToolAnswer> give_input(Call call, DeviceInput input) {
  const auto verify = request_of(call, Snapshot{}).verify;
  input.command_id = "mcp-input-" + new_ulid();
  input.verify = verify;
  CallExecutor executor(&call);
  CO_TRY(const InputDone done, co_await executor.give_input(target_of(call), std::move(input)));
  call.last_device = done.device;
  // A key may bring any app to the front.
  const act::Seen& seen = call.defaults->seen;
  if (seen.in_front) seen.in_front->note(done.device, done.device, "");
  JsonObject json;
  json.text("backend", "shell");
  if (verify) act::effect_of(done.proof, *verify).write_to(json);
  CO_TRY(ToolAnswer answer, co_await observe_after(call, kSettle, std::move(json)));
  answer.device = done.device;
  co_return answer;
}

// Touches points of the app that the client was shown.
Task<ToolAnswer> touch(Call call, DeviceInput input) {
  CallExecutor executor(&call);
  CO_TRY_VOID(co_await act::check_app_shown(&executor, request_of(call, Snapshot{})));
  co_return co_await give_input(call, std::move(input));
}

// A model that does not know a package looks for it where it wants to open it.
Task<ToolAnswer> list_apps(Call call) {
  CallExecutor executor(&call);
  CO_TRY(const auto device, co_await executor.open(target_of(call)));
  CO_TRY(const auto packages, co_await adbproto::with_deadline(list_launchable(device.get()),
                                                               call.time_left(), "the call"));
  JsonObject json;
  json.boolean("ok", true).text("device", device->serial()).strings("apps", packages);
  co_return text_answer(json.str());
}

Result<Json> read_drag(const Arguments& arguments) {
  Json body{{"type", "swipe"}};
  for (const std::string_view name : {"x1", "y1", "x2", "y2"}) {
    const auto value = arguments.whole(name);
    if (!value) return fail(errc::usage, "give direction, or all of x1, y1, x2, y2");
    body[name] = *value;
  }
  if (const auto duration = arguments.whole("duration_ms")) body["durationMs"] = *duration;
  return body;
}

// A node becomes a point of the screen as it is now, because a device's own command takes no node.
Task<ToolAnswer> tap_twice(Call call) {
  if (call.arguments.has("scroll")) co_return fail(errc::usage, "count: 2 does not scroll");
  CO_TRY_VOID(co_await use_screen_points(&call));
  CO_TRY(const auto place, read_place(call.arguments));
  if (!place) co_return names_nothing();
  if (const auto* point = std::get_if<Point>(&*place)) {
    co_return co_await touch(call, act::double_tap({point->x, point->y}));
  }
  Click click;
  act::put_at(click, *place);
  CallExecutor executor(&call);
  CO_TRY(const Point at, co_await act::locate(&executor, request_of(call, std::move(click))));
  co_return co_await give_input(call, act::double_tap({at.x, at.y}));
}

}  // namespace

Task<ToolAnswer> call_tap(Call call) {
  if (call.arguments.whole("count").value_or(1) > 1) co_return co_await tap_twice(std::move(call));
  const auto scroll = call.arguments.text("scroll");
  if (scroll) co_return co_await scroll_and_tap(call, *scroll);
  co_return co_await click(call, std::nullopt);
}

Task<ToolAnswer> call_long_press(Call call) { co_return co_await click(call, "long_click"); }

Task<ToolAnswer> call_swipe(Call call) {
  const auto direction = call.arguments.text("direction");
  const bool has_points = call.arguments.has("x1") || call.arguments.has("x2");
  if (direction && has_points) {
    co_return fail(errc::usage, "give direction, or x1, y1, x2, y2, not both");
  }
  if (direction) {
    co_return co_await perform_and_answer(call, Scroll{.direction = content_direction(*direction)},
                                          {});
  }
  CO_TRY_VOID(co_await use_screen_points(&call));
  CO_TRY(const Json body, read_drag(call.arguments));
  CO_TRY(DeviceInput input, act::read_input(body));
  co_return co_await touch(call, std::move(input));
}

Task<ToolAnswer> call_type_text(Call call) {
  CO_TRY(auto field, read_node(call.arguments));
  if (!field) co_return fail(errc::usage, "give the field's ref or selector");
  EnterText enter{.matcher = std::move(field),
                  .text = call.arguments.text("text"),
                  .submit = call.arguments.flag("submit"),
                  .secret = call.arguments.flag("secret")};
  enter.clear = enter.text->empty();
  if (is_for_one_alone(call)) enter.strict = true;
  co_return co_await perform_and_answer(call, std::move(enter));
}

Task<ToolAnswer> call_press_key(Call call) {
  const std::string given(trimmed(*call.arguments.text("key")));
  const std::string key = ascii_lower(given);
  if (key == "back" || key == "home" || key == "recents") {
    co_return co_await perform_and_answer(call, PressKey{key});
  }
  if (auto verb = find_phone_word(given)) {
    DeviceInput input{.verb = std::move(verb), .kind = "key"};
    input.description = JsonObject().text("type", "key").text("key", key).str();
    co_return co_await give_input(call, std::move(input));
  }
  // A single digit is that digit's key; it is not the number of a key.
  const auto number = find_key(given.size() == 1 ? "KEYCODE_" + given : given);
  if (!number) {
    co_return fail(errc::usage, "no key is called '" + given.substr(0, 64) +
                                    "'; use notifications, quick_settings, hide_keyboard, "
                                    "rotate_portrait, rotate_landscape, rotate_auto, or the names "
                                    "of android.view.KeyEvent, as enter, tab, del, volume_up, "
                                    "app_switch, KEYCODE_DPAD_DOWN");
  }
  CO_TRY(DeviceInput input, act::read_input(Json{{"type", "key"}, {"key", *number}}));
  co_return co_await give_input(call, std::move(input));
}

Task<ToolAnswer> call_open_app(Call call) {
  if (!call.arguments.has("package")) co_return co_await list_apps(std::move(call));
  co_return co_await perform_and_answer(call, OpenApp{call.arguments.text("package")},
                                        kSettleOfApps);
}

Task<ToolAnswer> call_open_url(Call call) {
  co_return co_await perform_and_answer(call, OpenUri{call.arguments.text("url")}, kSettleOfApps);
}

Task<ToolAnswer> call_close_app(Call call) {
  co_return co_await perform_and_answer(call, CloseApp{call.arguments.text("package")});
}

}  // namespace clawperator::mcp
