#include "runtime/act/ref.hpp"

#include "runtime/engine/errc.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"
#include "runtime/ui/visible.hpp"

namespace clawperator::act {
namespace {

std::unexpected<Error> stale(const std::string& ref, std::string_view why) {
  return fail(errc::stale_ref,
              "ref " + ref + " " + std::string(why) + "; take a new snapshot --format compact");
}

Result<ShownNode> held_node(const SnapshotStore& store, const std::string& ref, RefUse use) {
  TRY(const ObservationRef parsed, parse_ref(ref));
  if (parsed.hash.empty()) return stale(ref, "needs a snapshot that was shown before");
  const auto xml = store.find(parsed.hash);
  if (!xml) return stale(ref, "is of a snapshot that is no longer held");
  TRY(const UiTree tree, parse_hierarchy(*xml));
  TRY(const std::size_t node, resolve_ref(tree, ref));
  ShownNode shown = shown_node(tree, node, use);
  shown.shown_by = store.shown_by(parsed.hash);
  return shown;
}

}  // namespace

Result<WholeRef> whole_ref(const SnapshotStore& store, const std::string& ref,
                           const std::optional<std::string>& device) {
  TRY(ObservationRef parsed, parse_ref(ref));
  if (!parsed.hash.empty()) return WholeRef{ref};
  const auto shown = store.last_shown(device);
  if (!shown) return stale(ref, "needs a snapshot that was shown before");
  parsed.hash = shown->hash;
  return WholeRef{to_string(parsed), shown->serial};
}

Result<Place> place_of(const UiTree& tree, std::size_t node) {
  ShownNode shown = shown_node(tree, node, RefUse::press);
  if (shown.is_unique) return Place{Selector{shown.matcher}, std::move(shown)};
  if (const auto part = visible_part(tree, node)) return Place{part->centre(), std::move(shown)};
  return fail(errc::off_screen, "none of the node can be seen on the screen: " +
                                    describe_unnamed(tree.nodes[node]) + "; nothing was sent");
}

Result<Place> find_ref(const SnapshotStore& store, const std::string& ref) {
  TRY(ShownNode shown, held_node(store, ref, RefUse::press));
  Place place{shown.bounds.centre()};
  if (shown.is_unique) place.at = Selector{shown.matcher};
  place.shown = std::move(shown);
  return place;
}

Result<RefNode> find_unique(const SnapshotStore& store, const std::string& ref, RefUse use) {
  TRY(ShownNode shown, held_node(store, ref, use));
  if (shown.is_unique) return RefNode{Selector{shown.matcher}, std::move(shown)};
  return stale(ref, "names a node that no selector tells from others");
}

std::optional<UiTree> tree_shown_last(const SnapshotStore& store,
                                      const std::optional<std::string>& device) {
  const auto shown = store.last_shown(device);
  const auto xml = shown ? store.find(shown->hash) : std::nullopt;
  if (!xml) return std::nullopt;
  auto tree = parse_hierarchy(*xml);
  if (!tree) return std::nullopt;
  return *std::move(tree);
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

}  // namespace clawperator::act
