#include "runtime/act/snapshot_store.hpp"

#include <algorithm>
#include <system_error>
#include <vector>

#include "base/files.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator::act {
namespace {

namespace fs = std::filesystem;

std::string file_name(std::string_view hash) { return std::string(hash) + ".xml"; }

}  // namespace

bool is_tree_hash(std::string_view text) {
  return text.size() == 12 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

void SnapshotStore::keep(std::string_view hash, std::string_view xml) const {
  if (folder_.empty() || !is_tree_hash(hash)) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  fs::permissions(folder_, fs::perms::owner_all, error);
  if (write_file_atomically(folder_ / file_name(hash), xml)) drop_oldest();
}

std::optional<std::string> SnapshotStore::find(std::string_view hash) const {
  if (folder_.empty() || !is_tree_hash(hash)) return std::nullopt;
  auto xml = read_file(folder_ / file_name(hash), kMaxHierarchyBytes);
  if (!xml) return std::nullopt;
  return *std::move(xml);
}

void SnapshotStore::drop_oldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> held;
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    if (!is_tree_hash(it->path().stem().string())) continue;
    const auto written = it->last_write_time(error);
    if (!error) held.emplace_back(written, it->path());
  }
  if (held.size() <= kKept) return;
  std::ranges::sort(held);
  held.resize(held.size() - kKept);
  for (const auto& [written, path] : held) fs::remove(path, error);
}

}  // namespace clawperator::act
