// Fingers and keys by the device's own `input`: they need no Operator app.

#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "base/number.hpp"
#include "cli/afterwards.hpp"
#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/grammar/suggest.hpp"
#include "cli/target_argument.hpp"
#include "runtime/act/effect.hpp"
#include "runtime/act/input_body.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/device/target.hpp"
#include "runtime/host/verbs/device_keys.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kInputOptions = join(kInputScreenOptions, kVerifyOptions);

constexpr auto kSwipeOptions =
    join(std::array{Option{"--ms", "--duration", Arity::one, "<0-10000>",
                           "how long the finger takes; default 300, as Android's"}},
         kInputOptions);

constexpr auto kDragOptions =
    join(std::array{Option{"--ms", "", Arity::one, "<1000-10000>",
                           "how long it takes, the taking hold included; default 1500"}},
         kInputOptions);

constexpr auto kGestureLimit = std::chrono::milliseconds(10000);

Task<InputDone> resolve_and_give(TargetOptions target, DeviceInput input) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  CO_TRY(const PictureProof proof, co_await give_input(device.get(), std::move(input)));
  co_return InputDone{device->serial(), proof};
}

Result<Answer> perform(const Invocation& invocation, DeviceInput input) {
  TRY(const auto afterwards, read_afterwards(invocation.arguments));
  const auto verify = afterwards ? afterwards->verify : std::nullopt;
  input.verify = verify;
  TRY(const InputDone done,
      run_chore(invocation.globals, resolve_and_give(invocation.globals.target, std::move(input)),
                std::string(invocation.command->name)));
  JsonObject json = verb_answer(done.device);
  act::Effect effect;
  if (verify) {
    effect = act::effect_of(done.proof, *verify);
    effect.tell(json);
  } else {
    json.text("effect", "unobserved");
  }
  json.append(screen_after(invocation, done.device, afterwards));
  return Answer{json.str(), {}, {}, verify && !effect.holds() ? 1 : 0};
}

Result<Answer> give(const Invocation& invocation, act::InputBody body) {
  DeviceInput input{.command_id = invocation.stamp.long_id("input"),
                    .calls = std::move(body.calls),
                    .limit = body.limit};
  return perform(invocation, std::move(input));
}

// Pixels of the screen, each under its name.
Result<Json> read_pixels(const Arguments& arguments, std::string_view type,
                         std::span<const char* const> names) {
  const auto& words = arguments.positionals();
  Json body{{"type", type}};
  std::string list;
  for (const char* name : names) list += std::string(" ") + name;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto pixel = i < words.size() ? whole_number<int>(words[i]) : std::nullopt;
    if (!pixel || *pixel < 0 || *pixel > act::kMaxCoordinate) {
      const std::string wrong = i < words.size() ? "'" + clipped(words[i]) + "' is no pixel. " : "";
      return validation_error(wrong + "Give pixels of the screen, from 0 to " +
                              std::to_string(act::kMaxCoordinate) + ":" + list);
    }
    body[names[i]] = *pixel;
  }
  return body;
}

Result<Answer> run_tap(const Invocation& invocation) {
  constexpr std::array kNames{"x", "y"};
  TRY(const Json body, read_pixels(invocation.arguments, "tap", kNames));
  TRY(act::InputBody input, act::read_input(body));
  return give(invocation, std::move(input));
}

Result<Answer> run_swipe(const Invocation& invocation) {
  constexpr std::array kNames{"x1", "y1", "x2", "y2"};
  TRY(Json body, read_pixels(invocation.arguments, "swipe", kNames));
  if (const std::string* time = invocation.arguments.value("--ms")) {
    const auto ms = whole_number<int>(*time);
    if (!ms || *ms < 0 || *ms > act::kMaxSwipeMs) {
      return validation_error("--ms must be a whole number from 0 to " +
                              std::to_string(act::kMaxSwipeMs));
    }
    body["durationMs"] = *ms;
  }
  TRY(act::InputBody input, act::read_input(body));
  return give(invocation, std::move(input));
}

Result<Answer> run_text(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return missing_argument("input text requires text.", "input text <text>");
  TRY(act::InputBody input, act::read_input(Json{{"type", "text"}, {"text", words.front()}}));
  return give(invocation, std::move(input));
}

Result<act::InputBody> read_keys(const Arguments& arguments) {
  if (arguments.positionals().empty()) {
    return missing_argument("key requires the name of a key.", "key <name|code>...");
  }
  act::InputBody all{};
  for (const std::string& word : arguments.positionals()) {
    const auto key = find_key(word);
    if (!key) {
      return validation_error("no key is called '" + clipped(word) +
                              "'; see the names of android.view.KeyEvent: enter, tab, del, "
                              "volume_up, dpad_down, ...");
    }
    TRY(act::InputBody one, act::read_input(Json{{"type", "key"}, {"key", *key}}));
    all.calls.push_back(std::move(one.calls.front()));
    all.limit = one.limit;
  }
  return all;
}

Result<Answer> run_key(const Invocation& invocation) {
  TRY(act::InputBody input, read_keys(invocation.arguments));
  return give(invocation, std::move(input));
}

InputPoint point_of(const Json& body, const char* x, const char* y) {
  return {body[x].get<int>(), body[y].get<int>()};
}

Result<Answer> run_double_tap(const Invocation& invocation) {
  constexpr std::array kNames{"x", "y"};
  TRY(const Json body, read_pixels(invocation.arguments, "tap", kNames));
  DeviceInput input{
      .command_id = invocation.stamp.long_id("input"), .calls = {}, .limit = kGestureLimit};
  input.line = double_tap_line(point_of(body, "x", "y"));
  input.line_since = kDoubleTaps;
  return perform(invocation, std::move(input));
}

Result<Answer> run_drag(const Invocation& invocation) {
  constexpr std::array kNames{"x1", "y1", "x2", "y2"};
  constexpr int kDragMs = 1500;
  TRY(const Json body, read_pixels(invocation.arguments, "drag", kNames));
  int duration = kDragMs;
  if (const std::string* time = invocation.arguments.value("--ms")) {
    duration = whole_number<int>(*time).value_or(0);
    if (duration < kShortestDrag || duration > act::kMaxSwipeMs) {
      return validation_error("--ms must be a whole number from " + std::to_string(kShortestDrag) +
                              " to " + std::to_string(act::kMaxSwipeMs));
    }
  }
  DeviceInput input{.command_id = invocation.stamp.long_id("input"),
                    .calls = {},
                    .limit = kGestureLimit + std::chrono::milliseconds(duration)};
  input.calls.push_back(
      drag_words(point_of(body, "x1", "y1"), point_of(body, "x2", "y2"), duration));
  return perform(invocation, std::move(input));
}

Result<Answer> run_hide_keyboard(const Invocation& invocation) {
  const std::string command_id = invocation.stamp.long_id("input");
  TRY(const auto afterwards, read_afterwards(invocation.arguments));
  TRY(const auto done,
      do_on_device<Effect>(invocation.globals, "hide-keyboard", [command_id](auto* device) {
        return hide_keyboard(device, command_id);
      }));
  JsonObject json = verb_answer(done.device_id, done.value);
  json.append(screen_after(invocation, done.device_id, afterwards));
  return Answer{json.str(), {}, {}, 0};
}

constexpr std::string_view kSwipeDetails =
    "By the device's own input command, without the Operator app, on every Android. The pixels "
    "are\n"
    "those of the screen as it is turned now. Exit 0 says that the device took the gesture, not\n"
    "that an app did something about it, which --verify tells by pictures; the longer it takes, "
    "the\n"
    "less it flings.";

constexpr std::string_view kKeyDetails =
    "By the device's own input command, without the Operator app, on every Android: names as in\n"
    "android.view.KeyEvent, with or without KEYCODE_ and in any case, or numbers. Several are\n"
    "pressed one after the other. `press` asks the Operator app for back, home and recents.";

constinit const Command kInputTap = {
    "input tap",
    "",
    "<x> <y>",
    "Tap a point of the screen",
    "By the device's own input command, without the Operator app, on every Android.",
    "input tap 540 1200\n",
    Reach::device,
    kInputOptions,
    run_tap,
    {},
    2};

constinit const Command kInputSwipe = {"input swipe",
                                       "",
                                       "<x1> <y1> <x2> <y2> [--ms <n>]",
                                       "Draw a finger over the screen",
                                       kSwipeDetails,
                                       "input swipe 540 1800 540 600\n",
                                       Reach::device,
                                       kSwipeOptions,
                                       run_swipe,
                                       {},
                                       4};

constinit const Command kInputText = {
    "input text",
    "",
    "<text>",
    "Type on the device's own keyboard",
    "Into the field that has the focus, at its cursor: what an American keyboard has, and nothing\n"
    "at all where one letter is none of it. `type` asks the Operator app and knows every letter.",
    "input text hello\n",
    Reach::device,
    kInputOptions,
    run_text,
    {},
    1};

constinit const Command kInputKey = {"input key",
                                     "keyevent",
                                     "<name|code>...",
                                     "Press any of Android's keys",
                                     kKeyDetails,
                                     "input key enter\n",
                                     Reach::device,
                                     kInputOptions,
                                     run_key,
                                     {},
                                     64};

constexpr std::array<const Command*, 4> kInputSubcommands{&kInputTap, &kInputSwipe, &kInputText,
                                                          &kInputKey};

}  // namespace

constinit const Command kInput = {
    "input",
    "",
    "tap|swipe|text|key ...",
    "Fingers and keys by the device's own input command",
    "They need no Operator app. `swipe` and `key` are short for those of here.",
    "input tap 540 1200\n"
    "input key enter\n",
    Reach::device,
    {},
    nullptr,
    kInputSubcommands};

constinit const Command kSwipe = {"swipe",
                                  "",
                                  "<x1> <y1> <x2> <y2> [--ms <n>]",
                                  "Draw a finger over the screen",
                                  kSwipeDetails,
                                  "swipe 540 1800 540 600\n"
                                  "swipe 100 1200 980 1200 --ms 800\n",
                                  Reach::device,
                                  kSwipeOptions,
                                  run_swipe,
                                  {},
                                  4};

constinit const Command kDoubleTap = {
    "double-tap",
    "",
    "<x> <y>",
    "Tap a point of the screen twice, fast",
    "By the device's own input command, without the Operator app, on Android 12 to 16: before, "
    "two\n"
    "taps cannot follow each other closely enough, and it is refused.",
    "double-tap 540 1200\n",
    Reach::device,
    kInputOptions,
    run_double_tap,
    {},
    2};

constinit const Command kDrag = {
    "drag",
    "",
    "<x1> <y1> <x2> <y2> [--ms <n>]",
    "Take hold of something and put it elsewhere",
    "A long press, then the finger moves: by the device's own input command, without the Operator\n"
    "app, on Android 7 to 16. `swipe` moves at once.",
    "drag 200 600 200 1400\n",
    Reach::device,
    kDragOptions,
    run_drag,
    {},
    4};

constinit const Command kHideKeyboard = {
    "hide-keyboard",
    "",
    "",
    "Put the soft keyboard away",
    "Escape, and back where that does not do it; nothing where no keyboard is shown. It is done\n"
    "when the phone says so and the same screen is in front. On Android 7 to 16.",
    "hide-keyboard\n",
    Reach::device,
    kScreenOptions,
    run_hide_keyboard};

constinit const Command kKey = {"key",
                                "",
                                "<name|code>...",
                                "Press any of Android's keys",
                                kKeyDetails,
                                "key enter\n"
                                "key volume_up volume_up\n"
                                "key KEYCODE_WAKEUP\n",
                                Reach::device,
                                kInputOptions,
                                run_key,
                                {},
                                64};

}  // namespace clawperator::cli
