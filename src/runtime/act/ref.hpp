#pragma once
// `HASH@n`: a node of a held snapshot as an action names it.
//
//   held snapshot -> node n -> its fields as shown, and a selector that only it fulfils
//                              else its centre
//                              else STALE_REF
//
// The engine compares these fields with the screen before it sends anything.

#include "base/error.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/snapshot_store.hpp"

namespace clawperator::act {

// The part of a node that a touch can hit; off_screen where there is none.
Result<Bounds> part_to_touch(const UiTree& tree, std::size_t node);
// A selector that only this node of the tree fulfils, else the centre of its visible part;
// off_screen.
Result<Target> target_of(const UiTree& tree, std::size_t node);

// The node of a ref with a hash: HASH@n. usage for text that is no ref, stale_ref for a screen that
// is no longer held or has no such node.
Result<Target> find_ref(const SnapshotStore& store, const std::string& ref, RefUse use);

// stale_ref: `why` completes "ref HASH@n ...".
Error stale(const std::string& ref, std::string_view why);

// The id in the tree whose part behind the slash is `part`, or which equals it without a slash;
// nullopt where no node has one, or several different ids fit.
std::optional<std::string> whole_id(const UiTree& tree, std::string_view part);
// An id as it stands on that screen: one without a slash as whole_id() has it, else with the
// package of the app in front, where such a node may come.
std::string id_on(const UiTree& screen, const std::string& id);

}  // namespace clawperator::act
