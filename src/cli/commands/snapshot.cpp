#include <algorithm>
#include <filesystem>

#include "base/json_text.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/payload.hpp"
#include "cli/screen_options.hpp"
#include "cli/settings.hpp"
#include "cli/verbs.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/image/frame.hpp"
#include "runtime/ui/describe.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kSnapshotOptions{
    Option{"--format", "", Arity::one, "<xml|compact|nodes>", "the form of the tree; default xml",
           "xml compact nodes"},
    Option{"--since", "", Arity::one, "<file|hash>", "print only the changes since that snapshot"},
};

bool wants_people_tree(const Invocation& invocation) {
  return invocation.globals.output == OutputMode::pretty && !invocation.arguments.has("--format") &&
         !invocation.arguments.has("--since");
}

// The header line of the renderings that have one.
bool shows_screen_size(const Invocation& invocation) {
  const auto format = tree_format(invocation);
  return wants_people_tree(invocation) || format == act::TreeFormat::compact ||
         (invocation.arguments.has("--since") && format != act::TreeFormat::nodes);
}

// The tree drawn with branches; if it cannot be parsed, as received; empty when there is none.
std::string snapshot_for_people(const ExecuteResult& result, const Result<UiTree>& tree) {
  if (tree) return to_pretty(*tree);
  const std::string* xml = snapshot_text(result.envelope);
  return xml ? *xml : "";
}

Result<Answer> run_snapshot(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(act::Request request, request_for(invocation, Snapshot{}));
  const auto format = tree_format(invocation);
  act::SnapshotRequest wanted{.format = format.value_or(act::TreeFormat::xml),
                              .since = std::nullopt};
  if (const std::string* value = arguments.value("--since")) {
    TRY(wanted.since, read_since(*value, snapshot_store()));
  }
  request.how.ask_screen_size = shows_screen_size(invocation);
  act::Outcome outcome = perform(invocation.globals, std::move(request));
  TRY(ExecuteResult result, std::move(outcome.result));
  if (format || wanted.since) {
    TRY_VOID(show_tree(result, wanted));
    return answer_for(invocation, result);
  }
  const auto tree = observe_shown(result, result.screen);
  Answer answer = answer_for(invocation, result);
  if (!wants_people_tree(invocation)) return answer;
  if (std::string text = snapshot_for_people(result, tree); !text.empty()) answer.text = text;
  return answer;
}

// Names of other picture formats: the file would contain PNG bytes.
constexpr std::string_view kOtherPictures = ".webp .gif .bmp .heic .heif .avif .tif .tiff .svg";

constexpr std::array kScreenshotOptions{
    Option{"--path", "--file", Arity::one, "<file>",
           "the output file; `-` is stdout, then the JSON goes to stderr"},
    Option{"--format", "", Arity::one, "<png|jpeg>",
           "the picture's format; default from --path, else png", "png jpeg"},
    Option{"--quality", "", Arity::one, "<1-100>", "the quality of a JPEG; default 80"},
    Option{"--max-side", "", Arity::one, "<pixels>",
           "scale down to at most this many pixels a side"},
    Option{"--marks", "", Arity::optional, "[all]",
           "draw refs of a fresh snapshot on the nodes that accept actions, or on all nodes",
           "all"},
};

bool to_stdout(const Arguments& arguments) {
  const std::string* path = arguments.value("--path");
  return path && *path == "-";
}

// --format must agree with the file's extension.
Result<PictureFormat> picture_format(const Arguments& arguments) {
  const std::string* given = arguments.value("--format");
  const bool jpeg = given && *given == "jpeg";
  const std::string* path = arguments.value("--path");
  const std::string extension =
      path ? ascii_lower(std::filesystem::path(*path).extension().string()) : "";
  if (extension.empty() || is_one_of(extension, kOtherPictures)) {
    if (extension.empty()) return jpeg ? PictureFormat::jpeg : PictureFormat::png;
    return fail(errc::usage,
                "--path: no " + extension + " picture can be written; use .png or .jpg");
  }
  const bool names_jpeg = is_one_of(extension, ".jpg .jpeg");
  if (!names_jpeg && extension != ".png") return jpeg ? PictureFormat::jpeg : PictureFormat::png;
  if (given && jpeg != names_jpeg) {
    return fail(errc::usage, "--format " + *given + " contradicts --path " + clipped(*path));
  }
  return names_jpeg ? PictureFormat::jpeg : PictureFormat::png;
}

Result<ScreenshotOptions> read_options(const Arguments& arguments) {
  ScreenshotOptions options;
  TRY(options.format, picture_format(arguments));
  TRY(const auto quality, whole_option(arguments, "--quality", 1, 100));
  TRY(options.max_side, whole_option(arguments, "--max-side", 16, 16384));
  if (quality && options.format != PictureFormat::jpeg) {
    return fail(errc::usage, "--quality requires --format jpeg");
  }
  options.quality = quality.value_or(options.quality);
  options.to_memory = to_stdout(arguments);
  if (const Given* marks = arguments.find("--marks")) {
    options.marks = marks->values.empty() ? Marked::actionable : Marked::all;
  }
  return options;
}

// {"treeHash","size","scale"}: the reader of the marked picture needs them. A ref is treeHash@n; a
// point of the picture divided by scale is a point of the screen.
std::string marked_members(const UiTree& tree, const ExecuteResult& result,
                           std::optional<int> max_side) {
  JsonObject json;
  json.text("treeHash", tree.hash);
  if (!result.screen) return json.str();
  const PictureSize screen{result.screen->width, result.screen->height};
  const PictureSize size = max_side ? fit(screen, static_cast<std::uint32_t>(*max_side)) : screen;
  json.json("size", JsonObject().number("width", size.width).number("height", size.height).str());
  const bool upright = screen.height >= screen.width;
  const double longer = upright ? screen.height : screen.width;
  return json.real("scale", (upright ? size.height : size.width) / longer).str();
}

// The marked tree is in the store; its step is not printed.
Result<UiTree> take_marked_tree(ExecuteResult& result) {
  TRY(auto tree, observe_shown(result));
  std::erase_if(result.envelope.step_results,
                [](const StepResult& step) { return step.id == act::kLookStep; });
  return tree;
}

Result<Answer> run_screenshot(const Invocation& invocation) {
  TRY(const auto shot, screenshot_from(invocation));
  TRY(act::Request request, request_for(invocation, shot));
  request.tree_first = invocation.arguments.has("--marks");
  TRY(const auto options, read_options(invocation.arguments));
  request.how.screenshot = options;
  act::Outcome outcome = perform(invocation.globals, std::move(request));
  TRY(ExecuteResult result, std::move(outcome.result));
  std::string more;
  if (options.marks) {
    TRY(const UiTree tree, take_marked_tree(result));
    more = marked_members(tree, result, options.max_side);
  }
  Answer answer = answer_for(invocation, result, more);
  answer.picture = std::move(result.picture);
  return answer;
}

}  // namespace

constinit const Command kSnapshot = {
    .name = "snapshot",
    .synonyms = "snapshot-ui snapshot_ui",
    .usage = "[--format xml|compact|nodes] [--since <file|hash>]",
    .summary = "Read the screen as a tree of nodes",
    .details =
        "The tree is in envelope.stepResults[0].data.text. "
        "compact is the short form for models; its refs\n"
        "work in `click --ref @3`. With --format or --since the "
        "data also contains tree_hash. --since prints\n"
        "`unchanged`, the changes, or the whole tree with "
        "since=whole or unknown. After this command --format is the\n"
        "tree's; with json or pretty it is --output.",
    .examples =
        "snapshot\n"
        "snapshot --format compact\n"
        "snapshot --format compact --since 1a2b3c4d5e6f\n",
    .options = kSnapshotOptions,
    .run = run_snapshot};

Result<Screenshot> screenshot_from(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY_VOID(finite_timeout_or(invocation.globals, 0));
  Screenshot shot;
  const Given* path = arguments.find("--path");
  if (!path) return shot;
  if (path->values.front().empty()) return fail(errc::usage, path->spelling + " requires a value");
  if (!to_stdout(arguments)) shot.path = path->values.front();
  return shot;
}

constinit const Command kScreenshot = {
    .name = "screenshot",
    .synonyms = "take-screenshot take_screenshot capture-screenshot",
    .usage =
        "[--path <file>] [--format png|jpeg] [--quality <1-100>] [--max-side <pixels>] [--marks "
        "[all]]",
    .summary = "Take a picture of the screen",
    .details =
        R"(The Operator app is needed only for --marks and --backend app; "backend":"shell" stands beside the
        envelope. Without --path the picture goes to a new file in the temporary folder, data.path.
        With --marks the JSON contains treeHash, size and scale beside the envelope: `click --ref
        <treeHash>@<n>` acts on the node with the number n.
        After this command --format is the picture's; `--format pretty` and `--format json` are still
        --output.)",
    .examples =
        "screenshot --path screen.png\n"
        "screenshot --path - --format jpeg --max-side 1024 > screen.jpg\n",
    .options = kScreenshotOptions,
    .run = run_screenshot,
    .kind = Kind::picture};

}  // namespace clawperator::cli
