#pragma once
// `HASH@n`: a node of a held snapshot as an action names it.
//
//   held snapshot -> node n -> what it was shown as, and a selector that only it fulfils
//                                                    else its point
//                              else STALE_REF
//
// The engine compares what was shown with what is there before anything is sent.

#include "base/error.hpp"
#include "runtime/act/action.hpp"
#include "runtime/act/snapshot_store.hpp"

namespace clawperator::act {

// A ref that names its screen, and the phone that it must be of, where it came without a hash.
struct WholeRef {
  std::string text;  // HASH@n
  std::optional<std::string> serial{};
};

// `@n` is node n of the snapshot that was shown last, of that device or of any. STALE_REF where
// none was.
Result<WholeRef> whole_ref(const SnapshotStore& store, const std::string& ref,
                           const std::optional<std::string>& device);

// A selector that only this node of the tree fulfils, else the centre of what can be seen of it;
// off_screen.
Result<Place> place_of(const UiTree& tree, std::size_t node);

// For a click.
Result<Place> find_ref(const SnapshotStore& store, const std::string& ref);

// For actions that know no points.
struct RefNode {
  Selector node;
  ShownNode shown;
};
Result<RefNode> find_unique(const SnapshotStore& store, const std::string& ref, RefUse use);

// The tree that was shown last of that device, else of the one that was looked at last; nullopt
// where none was, or it is no longer held.
std::optional<UiTree> tree_shown_last(const SnapshotStore& store,
                                      const std::optional<std::string>& device);

// The id that a tree shows by the part behind its slash, or that has no slash at all; nullopt where
// no node of the tree has it, or different ones end so.
std::optional<std::string> whole_id(const UiTree& tree, std::string_view part);

}  // namespace clawperator::act
