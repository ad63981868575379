#include "cli/since.hpp"

#include "base/files.hpp"
#include "cli/json_probe.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator::cli {
namespace {

// A wrapper holds the XML with every quote escaped.
constexpr std::size_t kMaxSinceFile = 2 * kMaxHierarchyBytes;

Result<UiTree> tree_of_file(const std::string& path, std::string text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start != text.npos && text[start] == '{') text = snapshot_text_in(text);
  auto tree = parse_hierarchy(text);
  if (tree) return tree;
  return fail(errc::file_unreadable,
              "--since: " + path + " holds no hierarchy XML and no snapshot result");
}

}  // namespace

Result<act::Since> read_since(const std::string& value, const act::SnapshotStore& store) {
  auto file = read_file(value, kMaxSinceFile);
  if (file) {
    TRY(auto tree, tree_of_file(value, *std::move(file)));
    return act::Since{std::move(tree)};
  }
  if (!act::is_tree_hash(value)) {
    return fail(errc::file_unreadable, "--since: " + file.error().message());
  }
  const auto xml = store.find(value);
  if (!xml) return act::Since{};
  TRY(auto tree, parse_hierarchy(*xml));
  return act::Since{std::move(tree)};
}

}  // namespace clawperator::cli
