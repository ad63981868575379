#pragma once
// The screen of an execution as a model reads it, which is kept: the next diff begins there, and
// its refs can be used.

#include <optional>
#include <string>

#include "runtime/act/snapshot_store.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::mcp {

enum class Showing { compact, full, diff };

struct ShowRequest {
  Showing showing = Showing::compact;
  std::optional<std::string> since{};  // a hash; absent: what was shown last of the device
};

// A diff that says no less than the whole tree is the whole tree, and so is one from a screen that
// is no longer held. Computes for long where the tree is large.
Result<std::string> show_tree(const act::SnapshotStore& store, const std::string& device,
                              const Envelope& envelope, const ShowRequest& wanted);

// At most so many bytes, ending with a whole line and with what was left out.
std::string cut_lines(std::string text, std::size_t most);

}  // namespace clawperator::mcp
