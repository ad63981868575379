#pragma once
// Observation refs: how a caller names a node of a screen it has seen.
//
//   1a2b3c4d5e6f@7    node 7 of the tree with that hash
//   @7                node 7 of the tree that the caller holds
//
// A ref stands for a node as it was shown (ShownNode): its texts, its app and its place. A later
// screen has that very node, or the ref is stale.

#include <expected>

#include "base/error.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/witnesses.hpp"

namespace clawperator {

struct ObservationRef {
  std::string hash;  // empty for "@7"
  int number = 0;

  bool operator==(const ObservationRef&) const = default;
};

std::string to_string(const ObservationRef& ref);

// errc::usage for anything that is not a ref.
Result<ObservationRef> parse_ref(std::string_view text);

// The index of the node; errc::stale_ref when the ref is of another tree or of no node of it.
Result<std::size_t> resolve_ref(const UiTree& tree, std::string_view text);

// The use of a node: its own text may have changed where the text is to be read.
enum class RefUse : std::uint8_t { press, text };

// A node as it was shown. Without `ref`: any node, of the app `front`.
struct ShownNode {
  std::string ref{};    // HASH@n
  std::string app{};    // the node's app
  std::string front{};  // the app that most nodes of its screen were of
  std::string class_name{};
  Bounds bounds{};
  std::string appearance{};  // appearance_hash: counts where several nodes fulfil the matcher
  std::string window{};      // which part of the screen its window covered; a dialog has its own
  // Its id, text and description, as far as it has them and they may not change; its role where no
  // less distinguishes it from all others.
  NodeMatcher matcher{};
  bool is_unique = false;  // no other node of its screen fulfils the matcher
  // The nearest id of the app around it, where its own id is not one of the app's. An id of an app
  // begins with its name: "com.x:id/".
  std::string ancestor_id{};
  Witnesses witnesses{};
  // Which phones have shown its screen, as SnapshotStore holds them; empty: unknown.
  std::string shown_by{};

  // No node of another app can be like this node, its ancestor, the container and the first
  // witness.
  [[nodiscard]] bool is_bound_to_app() const;
  bool operator==(const ShownNode&) const = default;
};

ShownNode shown_node(const UiTree& tree, std::size_t node, RefUse use);

inline constexpr std::string_view kOtherApp = "another app is in front";

// A selector that finds a node of a tree: of so many that fulfil it the node is the `nth`, from 1.
struct RankedSelector {
  NodeMatcher matcher{};
  std::size_t matches = 0;
  std::size_t nth = 0;
};
// The selectors of a node, the best first: those that no other node fulfils; of these an id before
// a description before a text, and one field before two. Empty: the node has no field to name.
std::vector<RankedSelector> selectors_of(const UiTree& tree, std::size_t node);

// The same node on a later screen: the same app is in front, exactly one node is like it, and its
// window has most of its old texts. Where several nodes were like it from the beginning, the one at
// its place. The error is the reason why there is none.
std::expected<std::size_t, std::string_view> find_shown(const UiTree& now, const ShownNode& shown);

// "SERIAL\tOWN NAME\n" for each phone that has shown a screen. Whether this phone is one of them:
// its serial is the same, and so is its place, where both are known.
std::string showing(std::string_view serial, std::string_view own_name);
bool has_shown(std::string_view shown_by, std::string_view serial, std::string_view own_name);

// STALE_REF: why the ref is stale, and the app in front now. `front` may be empty. Without a ref:
// APP_NOT_IN_FRONT.
Error stale_ref(const ShownNode& shown, std::string_view why, std::string_view front = {});

}  // namespace clawperator
