// System settings and facts, by the phone's own shell.
#include <algorithm>

#include "base/suggest.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/limited_task.hpp"
#include "cli/screen_options.hpp"
#include "runtime/host/verbs/shell_verb.hpp"
#include "runtime/host/verbs/system.hpp"

namespace clawperator::cli {

namespace {

constexpr auto kTurns = std::to_array<std::string_view>({"0", "90", "180", "270"});

Result<std::optional<int>> wanted_turns(const Arguments& arguments) {
  if (arguments.positionals().empty()) {
    return missing_argument("rotate requires an angle.", "rotate 0|90|180|270|auto");
  }
  const std::string& word = arguments.positionals().front();
  if (word == "auto") return std::nullopt;
  const auto found = std::ranges::find(kTurns, word);
  if (found != kTurns.end()) return static_cast<int>(found - kTurns.begin());
  return validation_error("'" + clipped(word) + "' is no rotation; use 0, 90, 180, 270 or auto");
}

Result<Answer> run_rotate(const Invocation& invocation) {
  TRY(const std::optional<int> turns, wanted_turns(invocation.arguments));
  TRY(const auto screen, read_screen_options(invocation.arguments));
  TRY(const auto done, do_on_device<Rotation>(invocation.globals, "rotate", [turns](auto* device) {
        return rotate(device, turns);
      }));
  JsonObject json = verb_answer(done.device_id, done.value.effect);
  json.number("rotation", done.value.quarter_turns * 90).boolean("auto", !turns);
  json.append(screen_after(invocation, done.device_id, screen));
  return Answer{json.str(), {}, {}, 0};
}

}  // namespace

constinit const Command kRotate = {.name = "rotate",
                                   .usage = "0|90|180|270|auto",
                                   .summary = "Rotate the screen, or turn automatic rotation on",
                                   .details =
                                       "By the window manager on Android 10 to 16, by its settings "
                                       "on 7 to 9. The display's real rotation\n"
                                       "decides: if an app insists on its own, the command fails.",
                                   .examples = "rotate 90\nrotate auto\n",
                                   .options = kPlainScreenOptions,
                                   .run = run_rotate,
                                   .most_words = 1};

namespace {

std::string battery_for_people(const Battery& battery) {
  std::string text = std::to_string(battery.percent) + " %, " + battery.status;
  for (const std::string& plug : battery.plugged) text += ", " + plug;
  return text + (battery.frozen ? ", frozen by a test\n" : "\n");
}

Result<Answer> run_battery(const Invocation& invocation) {
  TRY(const auto found, do_on_device<Battery>(invocation.globals, "battery",
                                              [](auto* device) { return read_battery(device); }));
  JsonObject json = verb_answer(found.device_id);
  return Answer{.json = add_battery(json, found.value).str(),
                .text = battery_for_people(found.value)};
}

}  // namespace

constinit const Command kBattery = {
    .name = "battery",
    .summary = "Print the battery's level, health and plugs",
    .details = "\"frozen\":true if the values were set for a test. On Android 7 to 16.",
    .examples = "battery\n",
    .run = run_battery};

}  // namespace clawperator::cli
