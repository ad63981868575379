#include "runtime/act/ref.hpp"

#include "base/hints.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"
#include "runtime/ui/visible.hpp"

namespace clawperator::act {
namespace {

Result<ShownNode> held_node(const SnapshotStore& store, const std::string& ref, RefUse use) {
  TRY(const ObservationRef parsed, parse_ref(ref));
  if (parsed.hash.empty())
    return std::unexpected(stale(ref, "needs a snapshot that was shown before"));
  const auto xml = store.find(parsed.hash);
  if (!xml) return std::unexpected(stale(ref, "is of a snapshot that is no longer held"));
  TRY(const UiTree tree, parse_hierarchy(*xml));
  TRY(const std::size_t node, resolve_ref(tree, ref));
  ShownNode shown = shown_node(tree, node, use);
  shown.shown_by = store.shown_by(parsed.hash);
  return shown;
}

}  // namespace

Error stale(const std::string& ref, std::string_view why) {
  return {errc::stale_ref,
          "ref " + ref + " " + std::string(why) + "; " + hints::new_snapshot.with()};
}

Result<Bounds> part_to_touch(const UiTree& tree, std::size_t node) {
  if (const auto part = visible_part(tree, node)) return *part;
  return fail(errc::off_screen, "none of the node can be seen on the screen: " +
                                    describe_unnamed(tree.nodes[node]) + "; nothing was sent");
}

Result<Target> target_of(const UiTree& tree, std::size_t node) {
  ShownNode shown = shown_node(tree, node, RefUse::press);
  if (shown.is_unique) return Target{Selector{shown.matcher}, std::move(shown)};
  TRY(const Bounds part, part_to_touch(tree, node));
  return Target{part.centre(), std::move(shown)};
}

Result<Target> find_ref(const SnapshotStore& store, const std::string& ref, RefUse use) {
  TRY(ShownNode shown, held_node(store, ref, use));
  Target target{shown.bounds.centre()};
  if (shown.is_unique) target.place = Selector{shown.matcher};
  target.shown = std::move(shown);
  return target;
}

std::optional<std::string> whole_id(const UiTree& tree, std::string_view part) {
  const std::string end = "/" + std::string(part);
  std::optional<std::string> whole;
  for (const UiNode& node : tree.nodes) {
    if (node.resource_id == part) return node.resource_id;
    if (!node.resource_id.ends_with(end)) continue;
    if (whole && *whole != node.resource_id) return std::nullopt;
    whole = node.resource_id;
  }
  return whole;
}

std::string id_on(const UiTree& screen, const std::string& id) {
  if (id.contains('/')) return id;
  return whole_id(screen, id).value_or(main_package(screen) + ":id/" + id);
}

}  // namespace clawperator::act
