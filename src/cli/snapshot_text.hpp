#pragma once
// `snapshot`'s renderings: the hierarchy XML of an envelope as compact text, JSON, or what changed
// since an earlier snapshot.

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator::cli {

enum class TreeFormat { xml, compact, json };

// The earlier screen `--since` names.
struct Since {
  std::string given;           // as typed
  std::optional<UiTree> tree;  // absent: a hash that is no longer held
};

// `value` is a file (the XML, or the JSON a `snapshot` printed) or a tree hash. A file that is
// neither, or cannot be read, is an error; an unknown hash is not.
Result<Since> read_since(const std::string& value);

// data.text of the first successful snapshot step; nullptr when there is none.
const std::string* snapshot_text(const Envelope& envelope);

// Replaces that text, and says in its data what now stands there: `actual_format` is compact,
// json or diff, `tree_hash` names the screen for --since and --ref, `since` is unchanged, diff or
// unknown. An envelope without a hierarchy is left alone. Keeps the snapshot in the store.
// `natural`: the screen's size held upright, where the device told it.
Result<void> render_snapshot(Envelope& envelope, TreeFormat format,
                             const std::optional<Since>& since,
                             const std::optional<ScreenSize>& natural = std::nullopt);

// The tree on drawn branches, for people; kept in the store, too: it shows refs.
std::string snapshot_for_people(const Envelope& envelope,
                                const std::optional<ScreenSize>& natural = std::nullopt);

}  // namespace clawperator::cli
