#include "cli/snapshot_text.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "cli/json_probe.hpp"
#include "cli/snapshot_store.hpp"
#include "runtime/device/environment.hpp"
#include "runtime/ui/compact.hpp"
#include "runtime/ui/diff.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/pretty.hpp"
#include "runtime/ui/tree_json.hpp"

namespace clawperator::cli {
namespace {

// A wrapper holds the XML with every quote escaped.
constexpr std::size_t kMaxSinceFile = 2 * kMaxHierarchyBytes;

StepResult* snapshot_step(Envelope& envelope) {
  const auto found = std::ranges::find_if(envelope.step_results, [](const StepResult& step) {
    return step.action_type == "snapshot_ui" && step.success && find_data(step.data, "text");
  });
  return found == envelope.step_results.end() ? nullptr : &*found;
}

Result<UiTree> tree_of_file(const std::string& path, std::string text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start != text.npos && text[start] == '{') text = snapshot_text_in(text);
  auto tree = parse_hierarchy(text);
  if (tree) return tree;
  return fail(errc::file_unreadable,
              "--since: " + path + " holds no hierarchy XML and no snapshot result");
}

struct Rendering {
  std::string text;
  std::string_view format;
};

Rendering render_whole(const UiTree& tree, const std::string& xml, TreeFormat format) {
  switch (format) {
    case TreeFormat::xml: return {xml, "hierarchy_xml"};
    case TreeFormat::compact: return {to_compact(tree), "compact"};
    case TreeFormat::json: return {to_json(tree), "json"};
  }
  return {};
}

Rendering render_change(const UiTree& before, const UiTree& after, TreeFormat format) {
  return {format == TreeFormat::json ? diff_json(before, after) : diff_text(before, after), "diff"};
}

std::string_view verdict(const Since& since, const UiTree& now) {
  if (!since.tree) return "unknown";
  return since.tree->hash == now.hash ? "unchanged" : "diff";
}

// Rotations 1 and 3 are a quarter turn away from the natural one.
void set_screen(UiTree& tree, const std::optional<ScreenSize>& natural) {
  if (!natural) return;
  tree.screen = *natural;
  if (tree.rotation % 2 != 0) std::swap(tree.screen.width, tree.screen.height);
}

}  // namespace

Result<Since> read_since(const std::string& value) {
  auto file = read_file(value, kMaxSinceFile);
  if (file) {
    TRY(auto tree, tree_of_file(value, *std::move(file)));
    return Since{value, std::move(tree)};
  }
  if (!is_tree_hash(value)) {
    return fail(errc::file_unreadable, "--since: " + file.error().message());
  }
  const auto xml = SnapshotStore().find(value);
  if (!xml) return Since{value, std::nullopt};
  TRY(auto tree, parse_hierarchy(*xml));
  return Since{value, std::move(tree)};
}

const std::string* snapshot_text(const Envelope& envelope) {
  const StepResult* step = snapshot_step(const_cast<Envelope&>(envelope));
  return step ? find_data(step->data, "text") : nullptr;
}

Result<void> render_snapshot(Envelope& envelope, TreeFormat format,
                             const std::optional<Since>& since,
                             const std::optional<ScreenSize>& natural) {
  StepResult* step = snapshot_step(envelope);
  if (!step) return {};
  const std::string xml = *find_data(step->data, "text");
  TRY(UiTree tree, parse_hierarchy(xml));
  set_screen(tree, natural);
  SnapshotStore().keep(tree.hash, xml);
  const Rendering rendering = since && since->tree ? render_change(*since->tree, tree, format)
                                                   : render_whole(tree, xml, format);
  set_data(step->data, "text", rendering.text);
  set_data(step->data, "actual_format", std::string(rendering.format));
  set_data(step->data, "tree_hash", tree.hash);
  if (since) set_data(step->data, "since", std::string(verdict(*since, tree)));
  return {};
}

std::string snapshot_for_people(const Envelope& envelope,
                                const std::optional<ScreenSize>& natural) {
  const std::string* xml = snapshot_text(envelope);
  if (!xml) return {};
  auto tree = parse_hierarchy(*xml);
  if (!tree) return *xml;
  set_screen(*tree, natural);
  SnapshotStore().keep(tree->hash, *xml);
  return to_pretty(*tree);
}

}  // namespace clawperator::cli
