#include <charconv>

#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/drafts.hpp"
#include "cli/look.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/ui/tree_json.hpp"

namespace clawperator::cli {
namespace {

using adbproto::Errc;
using adbproto::Result;

constexpr std::array kOptions{
    Option{"--path", "--file", Arity::one, "<file>",
           "where to write it; `-` is stdout, with the JSON on stderr"},
    Option{"--format", "", Arity::one, "<png|jpeg>", "default png", "png jpeg"},
    Option{"--quality", "", Arity::one, "<1-100>", "of a JPEG; default 80"},
    Option{"--max-side", "", Arity::one, "<pixels>",
           "scale down to at most this many pixels a side"},
    Option{"--marks", "", Arity::none, "", "draw the refs of a snapshot taken just before"},
    Option{"--capture", "", Arity::one, "<auto|device|raw>",
           "who encodes: the device, or this program from raw pixels; default the faster",
           "auto device raw"},
};

Result<std::optional<int>> read_int(const Arguments& arguments, std::string_view flag, int low,
                                    int high) {
  const std::string* text = arguments.value(flag);
  if (!text) return std::nullopt;
  int value = 0;
  const char* end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end || value < low || value > high) {
    return adbproto::fail(Errc::usage, std::string(flag) + " must be a whole number from " +
                                           std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

bool to_stdout(const Arguments& arguments) {
  const std::string* path = arguments.value("--path");
  return path && *path == "-";
}

Result<ScreenshotOptions> read_options(const Arguments& arguments) {
  ScreenshotOptions options;
  const std::string* format = arguments.value("--format");
  if (format && *format == "jpeg") options.format = PictureFormat::jpeg;
  TRY(const auto quality, read_int(arguments, "--quality", 1, 100));
  TRY(options.max_side, read_int(arguments, "--max-side", 16, 16384));
  if (quality && options.format != PictureFormat::jpeg) {
    return adbproto::fail(Errc::usage, "--quality is for --format jpeg");
  }
  options.quality = quality.value_or(options.quality);
  options.to_memory = to_stdout(arguments);
  const std::string* capture = arguments.value("--capture");
  if (capture && *capture == "device") options.capture = CaptureMethod::device_png;
  if (capture && *capture == "raw") options.capture = CaptureMethod::raw_frame;
  return options;
}

Result<Answer> run_screenshot(const Invocation& invocation) {
  TRY(const Draft draft, draft_screenshot(invocation));
  TRY(auto execution, judge(draft));
  TRY(auto options, read_options(invocation.arguments));
  if (invocation.arguments.has("--marks")) {
    // The engine draws marks that it is given, so they come from an execution of their own.
    TRY(const UiTree tree, look_at_screen(invocation));
    options.marks = to_marks_json(tree);
  }
  ExecuteRequest request = request_for(invocation, std::move(execution));
  request.screenshot = std::move(options);
  TRY(ExecuteResult result, dispatch(invocation, std::move(request)));
  Answer answer = answer_for(invocation, result);
  answer.picture = std::move(result.picture);
  return answer;
}

}  // namespace

Result<Draft> draft_screenshot(const Invocation& invocation) {
  TRY(const double timeout, finite_timeout_or(invocation.globals, 30000));
  JsonObject params;
  if (const Given* path = invocation.arguments.find("--path")) {
    if (path->values.front().empty()) {
      return adbproto::fail(Errc::usage, path->spelling + " requires a value");
    }
    if (!to_stdout(invocation.arguments)) params.text("path", path->values.front());
  }
  const std::string id = invocation.stamp.long_id("screenshot");
  return Draft{single_action({id, id, "clawperator-observe", timeout, false}, "snap",
                             "take_screenshot", params.str()),
               std::nullopt};
}

constinit const Command kScreenshot = {
    "screenshot",
    "take-screenshot take_screenshot capture-screenshot",
    "[--path <file>] [--format png|jpeg] [--quality <1-100>] [--max-side <pixels>] [--marks] "
    "[--capture auto|device|raw]",
    "Take a picture of the screen",
    "Without --path the picture goes to a new file in the temporary folder; data.path names it.\n"
    "After this command --format means the picture's; `--format pretty` and `--format json` are\n"
    "still --output.",
    "screenshot --path screen.png\n"
    "screenshot --path - --format jpeg --max-side 1024 > screen.jpg\n",
    Reach::device,
    kOptions,
    run_screenshot};

}  // namespace clawperator::cli
