#include "cli/afterwards.hpp"

#include "cli/argument_checks.hpp"
#include "cli/settings.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/engine/post_process.hpp"

namespace clawperator::cli {
namespace {

using std::chrono::milliseconds;

Result<milliseconds> read_settle(const Arguments& arguments) {
  TRY(const auto ms,
      whole_option(arguments, "--settle", 0, static_cast<int>(kLongestStill.count())));
  return ms ? milliseconds(*ms) : act::ThenLook{}.settle;
}

}  // namespace

std::optional<act::TreeFormat> tree_format(const Invocation& invocation) {
  const std::string* format = invocation.arguments.value("--format");
  if (format) return act::read_tree_format(*format);
  const bool brief = invocation.globals.output == OutputMode::brief;
  return brief ? std::optional(act::TreeFormat::compact) : std::nullopt;
}

void show_trees(ExecuteResult& result, act::TreeFormat format) {
  const act::SnapshotStore store = snapshot_store();
  const std::string hash = act::render_snapshots(result.envelope, format, result.screen, store);
  if (!hash.empty()) store.note_shown(result.device_id, own_name(result), hash);
}

void note_shown(ExecuteResult& result) {
  const StepResult* step = snapshot_step(result.envelope);
  const std::string* hash = step ? find_data(step->data, "tree_hash") : nullptr;
  if (hash) snapshot_store().note_shown(result.device_id, own_name(result), *hash);
}

Result<UiTree> observe_shown(const ExecuteResult& result, const act::NaturalSize& natural) {
  const act::SnapshotStore store = snapshot_store();
  TRY(UiTree tree, act::observe(result.envelope, store, natural));
  store.note_shown(result.device_id, own_name(result), tree.hash);
  return tree;
}

Result<std::optional<Afterwards>> read_afterwards(const Arguments& arguments) {
  Afterwards afterwards;
  afterwards.shown = arguments.has("--snapshot");
  if (!afterwards.shown && !arguments.has("--verify")) {
    if (arguments.has("--settle")) {
      return fail(errc::usage, "--settle is the time before --snapshot, or of --verify");
    }
    TRY_VOID(read_verification(arguments));
    return std::nullopt;
  }
  TRY(afterwards.look.settle, read_settle(arguments));
  TRY(afterwards.verify, read_verification(arguments));
  afterwards.look.before = afterwards.verify && !afterwards.verify->settles();
  const std::string* format = arguments.value("--snapshot");
  if (format) afterwards.format = act::read_tree_format(*format).value_or(afterwards.format);
  afterwards.as_diff = format && *format == "diff";
  return afterwards;
}

Result<std::optional<Verify>> read_verification(const Arguments& arguments) {
  const std::string* word = arguments.value("--verify");
  const auto what = word ? read_verify(*word) : std::nullopt;
  if (!what) return std::nullopt;
  Verify verify{.what = *what};
  TRY(verify.still, read_settle(arguments));
  return verify;
}

void show_afterwards(ExecuteResult& result, const Afterwards& afterwards) {
  act::SnapshotRequest wanted{
      .format = afterwards.format, .since = std::nullopt, .shortest = afterwards.as_diff};
  if (afterwards.as_diff) {
    wanted.since = act::Since{act::tree_shown_last(snapshot_store(), own_name(result))};
  }
  const auto shown = act::render_snapshot(result.envelope, wanted, result.screen, snapshot_store());
  if (shown) return note_shown(result);
  StepResult* step = snapshot_step(result.envelope);
  if (step)
    set_data(step->data, "warn", "the screen could not be read: " + shown.error().message());
}

}  // namespace clawperator::cli
