#include "runtime/mcp/shown_tree.hpp"

#include <algorithm>

#include "runtime/act/snapshot.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator::mcp {
namespace {

std::optional<UiTree> tree_before(const act::SnapshotStore& store, const ShowRequest& wanted) {
  if (wanted.showing != Showing::diff || !wanted.since) return std::nullopt;
  const auto xml = store.find(*wanted.since);
  if (!xml) return std::nullopt;
  auto tree = parse_hierarchy(*xml);
  if (!tree) return std::nullopt;
  return *std::move(tree);
}

}  // namespace

Result<ShownTree> show_tree(const act::SnapshotStore& store, const Envelope& envelope,
                            const ShowRequest& wanted) {
  const auto before = tree_before(store, wanted);
  TRY(const UiTree now, act::observe(envelope, store));
  if (wanted.showing == Showing::full) return ShownTree{*snapshot_text(envelope), now.hash, false};
  return ShownTree{before ? act::shortest_change(*before, now) : to_compact(now), now.hash,
                   before.has_value()};
}

std::string cut_lines(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t end = text.rfind('\n', most);
  const std::size_t kept = end == text.npos ? 0 : end + 1;
  std::ptrdiff_t left_out =
      std::count(text.begin() + static_cast<std::ptrdiff_t>(kept), text.end(), '\n');
  if (!text.ends_with('\n')) ++left_out;
  text.resize(kept);
  return text + "(" + std::to_string(left_out) + " more lines were left out: max_bytes)";
}

}  // namespace clawperator::mcp
