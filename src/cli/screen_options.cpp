#include "cli/screen_options.hpp"

#include "cli/argument_checks.hpp"
#include "cli/settings.hpp"
#include "runtime/engine/post_process.hpp"

namespace clawperator::cli {
namespace {

using std::chrono::milliseconds;

Result<milliseconds> read_settle(const Arguments& arguments) {
  TRY(const auto ms,
      whole_option(arguments, "--settle", 0, static_cast<int>(kLongestStill.count())));
  return ms ? milliseconds(*ms) : act::Observation{}.settle;
}

}  // namespace

std::optional<act::TreeFormat> tree_format(const Invocation& invocation) {
  const std::string* format = invocation.arguments.value("--format");
  if (format) return act::read_tree_format(*format);
  const bool brief = invocation.globals.output == OutputMode::brief;
  return brief ? std::optional(act::TreeFormat::compact) : std::nullopt;
}

void show_trees(ExecuteResult& result, act::TreeFormat format) {
  const act::Seen seen = seen_screens();
  const std::string hash =
      act::render_snapshots(result.envelope, format, result.screen, seen.store);
  if (!hash.empty()) act::note_shown(seen, result, hash, act::ShownAs::whole_text);
}

Result<void> show_tree(ExecuteResult& result, const act::SnapshotRequest& wanted) {
  const act::Seen seen = seen_screens();
  StepResult* step = snapshot_step(result.envelope);
  if (!step) return ok();
  TRY_VOID(act::render_step(*step, wanted, result.screen, seen.store));
  act::note_shown(seen, result, *find_data(step->data, "tree_hash"), act::ShownAs::whole_text);
  return ok();
}

Result<UiTree> observe_shown(const ExecuteResult& result, const act::NaturalSize& natural) {
  const act::Seen seen = seen_screens();
  TRY(UiTree tree, act::observe(result.envelope, seen.store, natural));
  act::note_shown(seen, result, tree.hash, act::ShownAs::whole_text);
  return tree;
}

Result<ScreenOptions> read_screen_options(const Arguments& arguments) {
  const bool shows = arguments.has("--snapshot");
  if (!shows && !arguments.has("--verify")) {
    // `exec` has --settle only for --verify, and reports that error itself.
    if (arguments.has("--settle")) {
      return fail(errc::usage, "--settle is the time before --snapshot, or of --verify");
    }
    return ScreenOptions{};
  }
  ScreenOptions options;
  TRY(options.verify, read_verification(arguments));
  if (!shows) return options;
  const std::string* format = arguments.value("--snapshot");
  act::Observation observe{.as_diff = format && *format == "diff"};
  TRY(observe.settle, read_settle(arguments));
  if (format) observe.format = act::read_tree_format(*format).value_or(observe.format);
  options.observe = observe;
  return options;
}

Result<std::optional<Verify>> read_verification(const Arguments& arguments) {
  const std::string* word = arguments.value("--verify");
  const auto what = word ? read_verify(*word) : std::nullopt;
  if (!what) return std::nullopt;
  Verify verify{.what = *what};
  TRY(verify.still, read_settle(arguments));
  return verify;
}

}  // namespace clawperator::cli
