#pragma once
// The screen of an execution as a model reads it, which is kept: its refs can be used, and diffs
// can begin there.

#include <optional>
#include <string>

#include "runtime/act/snapshot_store.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::mcp {

enum class Showing { compact, full, diff };

struct ShowRequest {
  Showing showing = Showing::compact;
  std::optional<std::string> since{};  // the hash where a diff begins; absent: there is none
};

struct ShownTree {
  std::string text;
  std::string hash;
  bool is_since_held = false;  // the screen where a diff was to begin
};

// A diff that says no less than the whole tree is the whole tree, and so is one from a screen that
// is no longer held. Computes for long where the tree is large.
Result<ShownTree> show_tree(const act::SnapshotStore& store, const Envelope& envelope,
                            const ShowRequest& wanted);

// At most so many bytes, ending with a whole line and with what was left out.
std::string cut_lines(std::string text, std::size_t most);

}  // namespace clawperator::mcp
