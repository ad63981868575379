#pragma once
// `HASH@n`: a node of a held snapshot as an action names it.
//
//   held snapshot -> node n -> what it was shown as, and a selector that only it fulfils
//                                                    else its point
//                              else STALE_REF
//
// The engine compares what was shown with what is there before anything is sent.

#include "base/error.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/snapshot_store.hpp"

namespace clawperator::act {

// A selector that only this node of the tree fulfils, else the centre of what can be seen of it;
// off_screen.
Result<Target> target_of(const UiTree& tree, std::size_t node);

// The node of a ref that names its screen: HASH@n. usage for what is no ref, stale_ref for a screen
// that is no longer held, or has no such node.
Result<Target> find_ref(const SnapshotStore& store, const std::string& ref, RefUse use);

// stale_ref: `why` completes "ref HASH@n ...".
Error stale(const std::string& ref, std::string_view why);

// The id that a tree shows by the part behind its slash, or that has no slash at all; nullopt where
// no node of the tree has it, or different ones end so.
std::optional<std::string> whole_id(const UiTree& tree, std::string_view part);

}  // namespace clawperator::act
