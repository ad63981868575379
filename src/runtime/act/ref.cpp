#include "runtime/act/ref.hpp"

#include "runtime/contract/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::act {
namespace {

std::unexpected<Error> stale(const std::string& ref, std::string_view why) {
  return fail(errc::stale_ref,
              "ref " + ref + " " + std::string(why) + "; take a new snapshot --format compact");
}

Result<UiTree> held_tree(const SnapshotStore& store, const std::string& ref) {
  TRY(const ObservationRef parsed, parse_ref(ref));
  if (parsed.hash.empty()) return stale(ref, "needs a snapshot that was shown before");
  const auto xml = store.find(parsed.hash);
  if (!xml) return stale(ref, "is of a snapshot that is no longer held");
  return parse_hierarchy(*xml);
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

Place place_of(const UiTree& tree, std::size_t node) {
  if (const auto matcher = unique_matcher(tree, node)) return {Selector{*matcher}};
  return {tree.nodes[node].bounds.centre(), tree.hash};
}

Result<Place> find_ref(const SnapshotStore& store, const std::string& ref) {
  TRY(const UiTree tree, held_tree(store, ref));
  TRY(const std::size_t node, resolve_ref(tree, ref));
  return place_of(tree, node);
}

Result<Selector> find_unique(const SnapshotStore& store, const std::string& ref) {
  TRY(const Place place, find_ref(store, ref));
  if (const auto* selector = std::get_if<Selector>(&place.at)) return *selector;
  return stale(ref, "names a node that no selector tells from others");
}

Result<void> check_fresh(const std::string& ref, const Place& place, const UiTree& now) {
  if (now.hash == place.tree_hash) return ok();
  return stale(ref, "is of a screen that has changed");
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
