// Questions about snapshots that this server has shown. No device is involved.

#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "base/json_text.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/contract/selector.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/routes.hpp"
#include "runtime/ui/diff.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::serve {
namespace {

Result<UiTree> held(const act::SnapshotStore& store, const std::string& hash) {
  if (!act::is_tree_hash(hash)) {
    return fail(errc::invalid_query,
                "'" + hash + "' must be the hash of a snapshot: 12 hex digits");
  }
  const auto xml = store.find(hash);
  if (!xml) return std::unexpected(act::stale(hash, "is of a snapshot that is no longer held"));
  return parse_hierarchy(*xml);
}

Result<std::string> selectors_json(const act::SnapshotStore& store, const std::string& hash,
                                   const std::string* ref) {
  if (!ref) return fail(errc::invalid_query, "'ref' must be a ref of the snapshot: @3");
  TRY(const UiTree tree, held(store, hash));
  TRY(const std::size_t node, resolve_ref(tree, *ref));
  const auto ranked = selectors_of(tree, node);
  return JsonObject()
      .json("candidates", list_json(ranked,
                                    [](const RankedSelector& each) {
                                      return JsonObject()
                                          .json("matcher", matcher_json({.fields = each.matcher}))
                                          .number("matches",
                                                  static_cast<std::int64_t>(each.matches))
                                          .number("nth", static_cast<std::int64_t>(each.nth));
                                    }))
      .str();
}

Result<std::string> changes_json(const act::SnapshotStore& store, const std::string& hash,
                                 const std::string* since) {
  if (!since) return fail(errc::invalid_query, "'since' must be the hash of an earlier snapshot");
  TRY(const UiTree before, held(store, *since));
  TRY(const UiTree after, held(store, hash));
  const TreeDiff diff = compare(before, after);
  const auto ref_of = [](const UiNode& node) { return "@" + std::to_string(node.ref); };
  std::vector<std::string> added, changed, removed;
  for (const std::size_t node : diff.added) added.push_back(ref_of(after.nodes[node]));
  for (const NodePair& pair : diff.changed) changed.push_back(ref_of(after.nodes[pair.after]));
  for (const std::size_t node : diff.removed) removed.push_back(ref_of(before.nodes[node]));
  return JsonObject()
      .boolean("unchanged", before.hash == after.hash)
      .text("text", diff_text(before, after))
      .strings("added", added)
      .strings("changed", changed)
      .strings("removed", removed)
      .str();
}

}  // namespace

Task<http::Response> answer_selectors(Service* service, Call call) {
  CO_TRY(const std::string json, co_await run_blocking([&] {
           return selectors_json(service->seen.store, call.parameters.front(),
                                 call.request.parameter("ref"));
         }));
  co_return ok_answer(json);
}

Task<http::Response> answer_changes(Service* service, Call call) {
  CO_TRY(const std::string json, co_await run_blocking([&] {
           return changes_json(service->seen.store, call.parameters.front(),
                               call.request.parameter("since"));
         }));
  co_return ok_answer(json);
}

}  // namespace clawperator::serve
