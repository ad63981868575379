#include <algorithm>
#include <array>

#include "cli/afterwards.hpp"
#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/grammar/suggest.hpp"
#include "cli/target_argument.hpp"
#include "runtime/host/verbs/rotation.hpp"

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
  return validation_error("'" + clipped(word) + "' is no rotation: 0, 90, 180, 270 or auto");
}

Result<Answer> run_rotate(const Invocation& invocation) {
  TRY(const std::optional<int> turns, wanted_turns(invocation.arguments));
  TRY(const auto afterwards, read_afterwards(invocation.arguments));
  TRY(const auto done, do_on_device<Rotation>(invocation.globals, "rotate", [turns](auto* device) {
        return rotate(device, turns);
      }));
  JsonObject json = verb_answer(done.device_id, done.value.effect);
  json.number("rotation", done.value.quarter_turns * 90).boolean("auto", !turns);
  json.append(screen_after(invocation, done.device_id, afterwards));
  return Answer{json.str(), {}, {}, 0};
}

}  // namespace

constinit const Command kRotate = {
    "rotate",
    "",
    "0|90|180|270|auto",
    "Turn the screen, or let it turn by itself",
    "By the window manager on Android 10 to 16, by its settings on 7 to 9. The display's own word\n"
    "decides: an app that insists on its way up keeps it, and then this is an error.",
    "rotate 90\n"
    "rotate auto\n",
    Reach::device,
    kScreenOptions,
    run_rotate,
    {},
    1};

}  // namespace clawperator::cli
