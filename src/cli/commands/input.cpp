// Touches and keys by the device's own `input` command: they need no Operator app.

#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/suggest.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/limited_task.hpp"
#include "cli/screen_options.hpp"
#include "runtime/act/effect.hpp"
#include "runtime/act/input_body.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/target.hpp"
#include "runtime/host/verbs/input.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kInputOptions = join(kInputScreenOptions, kVerifyOptions);

constexpr auto kSwipeOptions =
    join(std::array{Option{"--ms", "--duration", Arity::one, "<0-10000>",
                           "duration of the movement; default 300, like Android's"}},
         kInputOptions);

constexpr auto kDragOptions = join(std::array{Option{"--ms", "", Arity::one, "<1000-10000>",
                                                     "duration with the long press; default 1500"}},
                                   kInputOptions);

// Until Android 11 `input` is a Java program of about a second; a phone under load takes longer.
constexpr auto kGestureLimit = std::chrono::milliseconds(10000);

DeviceInput input_of(const Invocation& invocation, std::vector<Words> calls,
                     std::chrono::milliseconds limit) {
  DeviceInput input{.calls = std::move(calls), .limit = limit};
  input.command_id = invocation.stamp.long_id("input");
  return input;
}

Result<Answer> give(const Invocation& invocation, DeviceInput input) {
  TRY(const auto screen, read_screen_options(invocation.arguments));
  input.verify = screen.verify;
  TRY(const auto done,
      do_on_device<PictureProof>(
          invocation.globals, std::string(invocation.command->name),
          [&input](auto* device) { return give_input(device, std::move(input)); }));
  JsonObject json = verb_answer(done.device_id);
  act::Effect effect;
  if (screen.verify) {
    effect = act::effect_of(done.value, *screen.verify);
    effect.write_to(json);
  } else {
    json.text("effect", "unobserved");
  }
  json.append(screen_after(invocation, done.device_id, screen));
  return Answer{.json = json.str(), .exit_code = screen.verify && !effect.holds() ? 1 : 0};
}

Result<Answer> give(const Invocation& invocation, const Json& body) {
  TRY(DeviceInput input, act::read_input(body));
  input.command_id = invocation.stamp.long_id("input");
  return give(invocation, std::move(input));
}

constexpr std::array kPoint{"x", "y"};
constexpr std::array kTwoPoints{"x1", "y1", "x2", "y2"};

// Reads pixels of the screen, each under its name.
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

Result<std::optional<int>> read_ms(const Arguments& arguments, int least) {
  return whole_option(arguments, "--ms", least, act::kMaxSwipeMs,
                      errc::execution_validation_failed);
}

Result<Answer> run_tap(const Invocation& invocation) {
  TRY(const Json body, read_pixels(invocation.arguments, "tap", kPoint));
  return give(invocation, body);
}

Result<Answer> run_swipe(const Invocation& invocation) {
  TRY(Json body, read_pixels(invocation.arguments, "swipe", kTwoPoints));
  TRY(const auto ms, read_ms(invocation.arguments, 0));
  if (ms) body["durationMs"] = *ms;
  return give(invocation, body);
}

Result<Answer> run_text(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return missing_argument("input text requires text.", "input text <text>");
  return give(invocation, Json{{"type", "text"}, {"text", words.front()}});
}

Result<Answer> run_key(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) {
    return missing_argument("key requires the name of a key.", "key <name|code>...");
  }
  DeviceInput input = input_of(invocation, {}, {});
  for (const std::string& word : words) {
    const auto key = find_key(word);
    if (!key) {
      return validation_error("no key is called '" + clipped(word) +
                              "'; see the names of android.view.KeyEvent: enter, tab, del, "
                              "volume_up, dpad_down, ...");
    }
    TRY(DeviceInput one, act::read_input(Json{{"type", "key"}, {"key", *key}}));
    input.calls.push_back(std::move(one.calls.front()));
    input.limit = one.limit;
  }
  return give(invocation, std::move(input));
}

InputPoint point_of(const Json& body, const char* x, const char* y) {
  return {body[x].get<int>(), body[y].get<int>()};
}

Result<Answer> run_double_tap(const Invocation& invocation) {
  TRY(const Json body, read_pixels(invocation.arguments, "tap", kPoint));
  DeviceInput input = act::double_tap(point_of(body, "x", "y"));
  input.command_id = invocation.stamp.long_id("input");
  return give(invocation, std::move(input));
}

Result<Answer> run_drag(const Invocation& invocation) {
  constexpr int kDragMs = 1500;
  TRY(const Json body, read_pixels(invocation.arguments, "drag", kTwoPoints));
  TRY(const auto ms, read_ms(invocation.arguments, kShortestDrag));
  const int duration = ms.value_or(kDragMs);
  const std::vector<InputPoint> way{point_of(body, "x1", "y1"), point_of(body, "x2", "y2")};
  DeviceInput input = input_of(invocation, {drag_words(way.front(), way.back(), duration)},
                               kGestureLimit + std::chrono::milliseconds(duration));
  input.points = way;
  return give(invocation, std::move(input));
}

Result<Answer> run_hide_keyboard(const Invocation& invocation) {
  const std::string command_id = invocation.stamp.long_id("input");
  TRY(const auto screen, read_screen_options(invocation.arguments));
  TRY(const auto done,
      do_on_device<ReadBack>(invocation.globals, "hide-keyboard", [command_id](auto* device) {
        return hide_keyboard(device, command_id);
      }));
  JsonObject json = verb_answer(done.device_id, done.value);
  json.append(screen_after(invocation, done.device_id, screen));
  return Answer{.json = json.str()};
}

// The commands `swipe` and `key` are the same as those of `input`.
constexpr Command swipe_called(std::string_view name, std::string_view examples) {
  return {.name = name,
          .usage = "<x1> <y1> <x2> <y2> [--ms <n>]",
          .summary = "Swipe from one point of the screen to another",
          .details =
              "By the device's own input command, without the Operator app, on every Android.\n"
              "The pixels are those of the screen in its present rotation. Exit 0 means that the\n"
              "device performed the gesture, not that an app reacted; --verify checks that by\n"
              "pictures. A longer duration gives less fling.",
          .examples = examples,
          .options = kSwipeOptions,
          .run = run_swipe,
          .most_words = 4};
}

constexpr Command key_called(std::string_view name, std::string_view synonyms,
                             std::string_view examples) {
  return {.name = name,
          .synonyms = synonyms,
          .usage = "<name|code>...",
          .summary = "Press one or more Android keys",
          .details =
              "By the device's own input command, without the Operator app, on every Android.\n"
              "Names are those of android.view.KeyEvent, with or without KEYCODE_ and in any\n"
              "case; numbers work, too. Several keys are pressed one after the other. `press`\n"
              "sends back, home and recents through the Operator app.",
          .examples = examples,
          .options = kInputOptions,
          .run = run_key,
          .most_words = 64};
}

constinit const Command kInputTap = {
    .name = "input tap",
    .usage = "<x> <y>",
    .summary = "Tap a point of the screen",
    .details = "By the device's own input command, without the Operator app, on every Android.",
    .examples = "input tap 540 1200\n",
    .options = kInputOptions,
    .run = run_tap,
    .most_words = 2};

constinit const Command kInputSwipe = swipe_called("input swipe", "input swipe 540 1800 540 600\n");

constinit const Command kInputText = {.name = "input text",
                                      .usage = "<text>",
                                      .summary = "Type text by the device's own input command",
                                      .details =
                                          "Types into the focused field at its cursor: only "
                                          "characters of an American keyboard. If one\n"
                                          "character is not on it, nothing is typed. `type` uses "
                                          "the Operator app and types every letter.",
                                      .examples = "input text hello\n",
                                      .options = kInputOptions,
                                      .run = run_text,
                                      .most_words = 1};

constinit const Command kInputKey = key_called("input key", "keyevent", "input key enter\n");

constexpr std::array<const Command*, 4> kInputSubcommands{&kInputTap, &kInputSwipe, &kInputText,
                                                          &kInputKey};

}  // namespace

constinit const Command kInput = {.name = "input",
                                  .usage = "tap|swipe|text|key ...",
                                  .summary = "Touches and keys by the device's own input command",
                                  .details =
                                      "They need no Operator app. `swipe` and `key` are short "
                                      "forms of `input swipe` and `input key`.",
                                  .examples = "input tap 540 1200\ninput key enter\n",
                                  .subcommands = kInputSubcommands};

constinit const Command kSwipe =
    swipe_called("swipe", "swipe 540 1800 540 600\nswipe 100 1200 980 1200 --ms 800\n");

constinit const Command kDoubleTap = {
    .name = "double-tap",
    .usage = "<x> <y>",
    .summary = "Tap a point of the screen twice, quickly",
    .details =
        "By the device's own input command, without the Operator app, on Android 12 to 16. Older "
        "versions\n"
        "cannot tap twice quickly enough, so the command is refused there.",
    .examples = "double-tap 540 1200\n",
    .options = kInputOptions,
    .run = run_double_tap,
    .most_words = 2};

constinit const Command kDrag = {.name = "drag",
                                 .usage = "<x1> <y1> <x2> <y2> [--ms <n>]",
                                 .summary = "Drag from one point of the screen to another",
                                 .details =
                                     "A long press, then a movement, by the device's own input "
                                     "command, without the Operator app, on\n"
                                     "Android 7 to 16. `swipe` moves at once.",
                                 .examples = "drag 200 600 200 1400\n",
                                 .options = kDragOptions,
                                 .run = run_drag,
                                 .most_words = 4};

constinit const Command kHideKeyboard = {
    .name = "hide-keyboard",
    .summary = "Hide the soft keyboard",
    .details =
        "Sends Escape, then back if Escape has no effect; nothing if no keyboard is shown. It\n"
        "succeeds when the phone reports no keyboard and the same screen is in front. On Android\n"
        "7 to 16.",
    .examples = "hide-keyboard\n",
    .options = kPlainScreenOptions,
    .run = run_hide_keyboard};

constinit const Command kKey =
    key_called("key", "", "key enter\nkey volume_up volume_up\nkey KEYCODE_WAKEUP\n");

}  // namespace clawperator::cli
