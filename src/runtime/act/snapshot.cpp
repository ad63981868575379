#include "runtime/act/snapshot.hpp"

#include <algorithm>

#include "runtime/engine/post_process.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/diff.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/tree_json.hpp"

namespace clawperator::act {
namespace {

struct Rendering {
  std::string text;
  std::string_view format;
};

Rendering render_whole(const UiTree& tree, const std::string& xml, TreeFormat format) {
  switch (format) {
    case TreeFormat::xml: return {xml, "hierarchy_xml"};
    case TreeFormat::compact: return {to_compact(tree), "compact"};
    case TreeFormat::nodes: return {to_json(tree), "nodes"};
  }
  return {};
}

// The difference, or the whole tree where that is no longer. Of nodes always the difference: a
// program reads one shape.
Rendering render_change(const UiTree& before, const UiTree& now, TreeFormat format) {
  if (format == TreeFormat::nodes) return {diff_json(before, now), "diff"};
  std::string change = diff_text(before, now);
  std::string whole = to_compact(now);
  if (change.size() < whole.size()) return {std::move(change), "diff"};
  return {std::move(whole), "compact"};
}

// A caller after an action compares with what it has read; whether the action changed anything is
// another question.
std::optional<Rendering> render_known(const UiTree& now, const std::vector<std::string>& shown) {
  if (std::ranges::find(shown, now.hash) == shown.end()) return std::nullopt;
  const bool is_last = shown.front() == now.hash;
  return Rendering{is_last ? "as last shown: hash " + now.hash
                           : "as shown before, with the refs of then: hash " + now.hash,
                   "diff"};
}

Rendering render(const UiTree& tree, const std::string& xml, const SnapshotRequest& request) {
  if (auto known = render_known(tree, request.shown)) return *std::move(known);
  const UiTree* before = request.since && request.since->tree ? &*request.since->tree : nullptr;
  return before ? render_change(*before, tree, request.format)
                : render_whole(tree, xml, request.format);
}

std::string_view verdict(const SnapshotRequest& request, const UiTree& now,
                         std::string_view format) {
  if (std::ranges::find(request.shown, now.hash) != request.shown.end()) return "shown";
  if (!request.since->tree) return "unknown";
  if (request.since->tree->hash == now.hash) return "unchanged";
  return format == "diff" ? "diff" : "whole";
}

// Rotations 1 and 3 are a quarter turn away from the natural one.
void set_screen(UiTree& tree, const NaturalSize& natural) {
  if (!natural) return;
  tree.screen = *natural;
  if (tree.rotation % 2 != 0) std::swap(tree.screen.width, tree.screen.height);
}

}  // namespace

std::optional<TreeFormat> read_tree_format(std::string_view name) {
  if (name == "xml") return TreeFormat::xml;
  if (name == "compact") return TreeFormat::compact;
  if (name == "nodes") return TreeFormat::nodes;
  return std::nullopt;
}

Result<UiTree> observe(const std::string& xml, const NaturalSize& natural,
                       const SnapshotStore& store) {
  TRY(UiTree tree, parse_hierarchy(xml));
  set_screen(tree, natural);
  store.keep(tree.hash, xml);
  return tree;
}

Result<UiTree> observe(const Envelope& envelope, const SnapshotStore& store,
                       const NaturalSize& natural) {
  if (const std::string* xml = snapshot_text(envelope)) return observe(*xml, natural, store);
  return fail(errc::snapshot_extraction_failed,
              envelope.error.value_or("the device gave no hierarchy"));
}

Result<std::string> render_step(StepResult& step, const SnapshotRequest& request,
                                const NaturalSize& natural, const SnapshotStore& store) {
  const bool is_snapshot = step.success && step.action_type == "snapshot_ui";
  const std::string* text = is_snapshot ? find_data(step.data, "text") : nullptr;
  if (!text) return std::string();
  const std::string xml = *text;
  TRY(const UiTree tree, observe(xml, natural, store));
  const Rendering rendering = render(tree, xml, request);
  set_data(step.data, "text", rendering.text);
  set_data(step.data, "actual_format", std::string(rendering.format));
  set_data(step.data, "tree_hash", tree.hash);
  if (request.since) {
    set_data(step.data, "since", std::string(verdict(request, tree, rendering.format)));
  }
  return main_package(tree);
}

std::string render_snapshots(Envelope& envelope, TreeFormat format, const NaturalSize& natural,
                             const SnapshotStore& store) {
  std::string seen;
  for (StepResult& step : envelope.step_results) {
    const bool shown =
        render_step(step, {.format = format, .since = std::nullopt}, natural, store).has_value();
    const std::string* hash = find_data(step.data, "tree_hash");
    if (shown && hash) seen = *hash;
  }
  return seen;
}

}  // namespace clawperator::act
