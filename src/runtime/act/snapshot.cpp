#include "runtime/act/snapshot.hpp"

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

Rendering render_change(const UiTree& before, const UiTree& after, TreeFormat format) {
  return {format == TreeFormat::nodes ? diff_json(before, after) : diff_text(before, after),
          "diff"};
}

std::string_view verdict(const Since& since, const UiTree& now) {
  if (!since.tree) return "unknown";
  return since.tree->hash == now.hash ? "unchanged" : "diff";
}

Rendering render_shortest(const UiTree& before, const UiTree& now) {
  std::string change = diff_text(before, now);
  std::string whole = to_compact(now);
  if (change.size() < whole.size()) return {std::move(change), "diff"};
  return {std::move(whole), "compact"};
}

Rendering render(const UiTree& tree, const std::string& xml, const SnapshotRequest& request) {
  const UiTree* before = request.since && request.since->tree ? &*request.since->tree : nullptr;
  if (!before) return render_whole(tree, xml, request.format);
  return request.shortest ? render_shortest(*before, tree)
                          : render_change(*before, tree, request.format);
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
  const bool is_whole_by_choice =
      request.since && request.since->tree && rendering.format == "compact";
  if (request.since && !is_whole_by_choice) {
    set_data(step.data, "since", std::string(verdict(*request.since, tree)));
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
