#pragma once
// A snapshot in the caller's format: the hierarchy XML of an envelope as compact text, JSON, or the
// difference to an earlier snapshot. A snapshot that is shown is kept in the store, so that later
// calls can refer to it.

#include "base/error.hpp"
#include "runtime/act/snapshot_store.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator::act {

enum class TreeFormat { xml, compact, nodes };
// nullopt for an unknown word.
std::optional<TreeFormat> read_tree_format(std::string_view name);

// The screen that a new one is compared with; absent: it is no longer held.
struct Since {
  std::optional<UiTree> tree;
};

struct SnapshotRequest {
  TreeFormat format = TreeFormat::xml;
  std::optional<Since> since;
  // The hashes of the trees that the caller has read, the last one first: one of them is named in
  // place of its text.
  std::vector<std::string> shown{};
};

// `natural`: the screen's size held upright, where the device reported it.
using NaturalSize = std::optional<ScreenSize>;

Result<UiTree> observe(const std::string& xml, const NaturalSize& natural,
                       const SnapshotStore& store);

// Of the envelope's first successful snapshot; snapshot_extraction_failed when it has none.
Result<UiTree> observe(const Envelope& envelope, const SnapshotStore& store,
                       const NaturalSize& natural = std::nullopt);

// Replaces a snapshot step's text, and describes it in the step's data: `actual_format` is compact,
// nodes or diff, `tree_hash` names the screen for --since and --ref, `since` is unchanged, diff,
// whole (the tree is shorter than the difference), shown (before) or unknown. A step without a
// hierarchy stays as it is. Returns the app in front; empty without a hierarchy.
Result<std::string> render_step(StepResult& step, const SnapshotRequest& request,
                                const NaturalSize& natural, const SnapshotStore& store);
// The same for every snapshot of a plan; one that cannot be parsed stays as it is. Returns the hash
// of the last one, empty where there is none.
std::string render_snapshots(Envelope& envelope, TreeFormat format, const NaturalSize& natural,
                             const SnapshotStore& store);

}  // namespace clawperator::act
