#include "runtime/host/verbs/pinch.hpp"

#include "base/number.hpp"
#include "cli/afterwards.hpp"
#include "cli/argument_checks.hpp"
#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/grammar/suggest.hpp"

namespace clawperator::cli {
namespace {

constexpr int kMostPixels = 16384;

constexpr auto kPinchOptions =
    join(std::array{Option{
             "--distance", "", Arity::one, "<pixels>",
             "between the fingers at their farthest; default half the screen's shorter side"}},
         kScreenOptions);

Result<int> read_pinch_pixels(std::string_view word) {
  const auto pixels = whole_number<int>(word);
  if (pixels && *pixels >= 0 && *pixels <= kMostPixels) return *pixels;
  return validation_error("'" + clipped(word) + "' is no number of pixels");
}

Result<PinchRequest> read_pinch(const Arguments& arguments) {
  const auto& words = arguments.positionals();
  if (words.empty()) {
    return missing_argument("pinch requires in or out.", "pinch in|out [x y]");
  }
  PinchRequest request;
  request.out = words[0] == "out";
  if (!request.out && words[0] != "in") return validation_error("pinch goes in or out");
  if (words.size() == 2) return validation_error("a point has x and y");
  if (words.size() > 2) {
    InputPoint at;
    TRY(at.x, read_pinch_pixels(words[1]));
    TRY(at.y, read_pinch_pixels(words[2]));
    request.centre = at;
  }
  if (const std::string* distance = arguments.value("--distance")) {
    TRY(request.distance, read_pinch_pixels(*distance));
  }
  return request;
}

Result<Answer> run_pinch(const Invocation& invocation) {
  TRY(const PinchRequest request, read_pinch(invocation.arguments));
  TRY(const auto afterwards, read_afterwards(invocation.arguments));
  TRY(const auto done, do_on_device<Pinched>(invocation.globals, "pinch", [request](auto* device) {
        return pinch(device, request);
      }));
  JsonObject json = verb_answer(done.device_id, done.value.effect);
  json.number("x", done.value.centre.x).number("y", done.value.centre.y);
  json.number("distance", done.value.distance);
  json.append(screen_after(invocation, done.device_id, afterwards));
  return Answer{json.str(), {}, {}, 0};
}

}  // namespace

constinit const Command kPinch = {
    .name = "pinch",
    .usage = "in|out [<x> <y>] [--distance <pixels>]",
    .summary = "Two fingers, together or apart",
    .details =
        "Around a point of the screen as it is turned, else its middle. By a virtual touchscreen "
        "that\nthe phone's own hid program makes: on Android 8.1 to 16 where the shell may write "
        "/dev/uhid,\nelse it is refused and nothing is sent. The pictures before and after decide; "
        "\"unknown\" where\nthe screen moves by itself.",
    .examples = "pinch out\npinch in 540 1200 --distance 400\n",
    .options = kPinchOptions,
    .run = run_pinch,
    .most_words = 3};

}  // namespace clawperator::cli
