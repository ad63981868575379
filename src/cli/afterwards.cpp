#include "cli/afterwards.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "cli/settings.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator::cli {
namespace {

constexpr int kLongestSettle = 10000;

Result<act::ThenLook> read_settle(const Arguments& arguments) {
  const std::string* text = arguments.value("--settle");
  if (!text) return act::ThenLook{};
  const auto ms = whole_number<int>(*text);
  if (!ms || *ms < 0 || *ms > kLongestSettle) {
    return fail(errc::usage,
                "--settle must be a whole number from 0 to " + std::to_string(kLongestSettle));
  }
  return act::ThenLook{std::chrono::milliseconds(*ms)};
}

}  // namespace

std::optional<act::TreeFormat> tree_format(const Invocation& invocation) {
  const std::string* format = invocation.arguments.value("--format");
  if (format && *format == "json") return act::TreeFormat::json;
  if (format && *format == "xml") return act::TreeFormat::xml;
  const bool brief = invocation.globals.output == OutputMode::brief;
  return format || brief ? std::optional(act::TreeFormat::compact) : std::nullopt;
}

void show_trees(ExecuteResult& result, act::TreeFormat format) {
  const act::SnapshotStore store = snapshot_store();
  const std::string hash = act::render_snapshots(result.envelope, format, result.screen, store);
  if (!hash.empty()) store.note_shown(result.device_id, hash);
}

void note_shown(ExecuteResult& result) {
  const StepResult* step = snapshot_step(result.envelope);
  const std::string* hash = step ? find_data(step->data, "tree_hash") : nullptr;
  if (hash) snapshot_store().note_shown(result.device_id, *hash);
}

Result<UiTree> observe_shown(const ExecuteResult& result, const act::NaturalSize& natural) {
  const act::SnapshotStore store = snapshot_store();
  TRY(UiTree tree, act::observe(result.envelope, store, natural));
  store.note_shown(result.device_id, tree.hash);
  return tree;
}

Result<std::optional<Afterwards>> read_afterwards(const Arguments& arguments) {
  Afterwards afterwards;
  afterwards.shown = arguments.has("--snapshot");
  const bool verifies = arguments.has("--verify");
  if (!afterwards.shown && !verifies) {
    if (!arguments.has("--settle")) return std::nullopt;
    return fail(errc::usage, "--settle is the time before --snapshot");
  }
  TRY(afterwards.look, read_settle(arguments));
  afterwards.look.before = verifies;
  const std::string* format = arguments.value("--snapshot");
  if (format && *format == "xml") afterwards.format = act::TreeFormat::xml;
  if (format && *format == "json") afterwards.format = act::TreeFormat::json;
  afterwards.as_diff = format && *format == "diff";
  return afterwards;
}

std::string_view take_effect(ExecuteResult& result, const Afterwards& afterwards) {
  auto& steps = result.envelope.step_results;
  const auto hash_of = [&](std::string_view id) -> std::optional<std::string> {
    const auto step = std::ranges::find(steps, id, &StepResult::id);
    const std::string* xml = step == steps.end() ? nullptr : find_data(step->data, "text");
    const auto tree = xml ? parse_hierarchy(*xml) : fail(errc::snapshot_extraction_failed, "");
    return tree ? std::optional(tree->hash) : std::nullopt;
  };
  const auto before = hash_of(act::kBeforeStep);
  const auto after = hash_of(act::kLookStep);
  std::erase_if(steps, [&](const StepResult& step) {
    return step.id == act::kBeforeStep || (!afterwards.shown && step.id == act::kLookStep);
  });
  if (!before || !after) return "unknown";
  return *before == *after ? "unchanged" : "changed";
}

void show_afterwards(ExecuteResult& result, const Afterwards& afterwards) {
  act::SnapshotRequest wanted{
      .format = afterwards.format, .since = std::nullopt, .shortest = afterwards.as_diff};
  if (afterwards.as_diff) {
    wanted.since = act::Since{act::tree_shown_last(snapshot_store(), result.device_id)};
  }
  const auto shown = act::render_snapshot(result.envelope, wanted, result.screen, snapshot_store());
  if (shown) return note_shown(result);
  StepResult* step = snapshot_step(result.envelope);
  if (step)
    set_data(step->data, "warn", "the screen could not be read: " + shown.error().message());
}

}  // namespace clawperator::cli
