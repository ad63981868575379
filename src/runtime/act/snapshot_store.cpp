#include "runtime/act/snapshot_store.hpp"

#include <algorithm>
#include <system_error>

#include "base/files.hpp"
#include "base/text.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::act {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 128;

std::string file_name(std::string_view hash) { return std::string(hash) + ".xml"; }

// "HASH\nNAME\nSERIAL". A file's name is shortened and escaped, so the content decides which device
// it belongs to.
std::optional<SnapshotStore::Shown> read_shown(const fs::path& file,
                                               const std::optional<std::string>& device) {
  const auto text = read_file(file, std::size_t{4096});
  if (!text) return std::nullopt;
  std::string_view rest = *text;
  const std::string_view hash = take_line(&rest);
  const std::string_view name = take_line(&rest);
  if (!is_tree_hash(hash) || rest.empty() || (device && *device != name)) return std::nullopt;
  return SnapshotStore::Shown{.serial = std::string(rest), .hash = std::string(hash)};
}

}  // namespace

bool is_tree_hash(std::string_view text) {
  return text.size() == 12 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

void SnapshotStore::keep(std::string_view hash, std::string_view xml) const {
  if (folder_.empty() || !is_tree_hash(hash)) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  fs::permissions(folder_, fs::perms::owner_all, error);
  if (write_file_atomically(folder_ / file_name(hash), xml)) drop_oldest(folder_, kKept);
}

std::optional<std::string> SnapshotStore::find(std::string_view hash) const {
  if (folder_.empty() || !is_tree_hash(hash)) return std::nullopt;
  auto xml = read_file(folder_ / file_name(hash), kMaxHierarchyBytes);
  if (!xml) return std::nullopt;
  return *std::move(xml);
}

fs::path SnapshotStore::shown_file(std::string_view device) const {
  std::string name(device.substr(0, kLongestName));
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == '\0'; }, '_');
  return folder_ / "shown" / ("of " + name);
}

void SnapshotStore::note_shown(std::string_view serial, std::string_view own_name,
                               std::string_view hash) const {
  if (folder_.empty() || !is_tree_hash(hash)) return;
  const auto note = [&](std::string_view name) {
    std::string text(hash);
    text.append("\n").append(name).append("\n").append(serial);
    return write_file_atomically(shown_file(name), text).has_value();
  };
  if (note(serial) && (own_name == serial || note(own_name))) {
    drop_oldest(folder_ / "shown", 2 * kKept);
  }
  note_showing(serial, own_name, hash);
}

// Of the last few phones only: many phones show the same screen, their launcher's.
void SnapshotStore::note_showing(std::string_view serial, std::string_view own_name,
                                 std::string_view hash) const {
  constexpr std::size_t kPhones = 16;
  if (folder_.empty() || !is_tree_hash(hash)) return;
  const std::string line = showing(serial, own_name);
  const std::string before = shown_by(hash);
  if (("\n" + before).contains("\n" + line)) return;
  const std::string all(last_lines(before + line, kPhones));
  if (write_file_atomically(folder_ / "by" / hash, all)) drop_oldest(folder_ / "by", 2 * kKept);
}

std::string SnapshotStore::shown_by(std::string_view hash) const {
  if (folder_.empty() || !is_tree_hash(hash)) return {};
  return read_file(folder_ / "by" / hash, std::size_t{64} << 10).value_or("");
}

std::optional<SnapshotStore::Shown> SnapshotStore::last_shown(
    const std::optional<std::string>& device) const {
  if (folder_.empty()) return std::nullopt;
  if (device) return read_shown(shown_file(*device), device);
  const auto held = files_by_age(folder_ / "shown");
  if (held.empty()) return std::nullopt;
  return read_shown(held.back().path, std::nullopt);
}

}  // namespace clawperator::act
