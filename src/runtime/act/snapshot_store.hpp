#pragma once
// The last few snapshots of this user, so that `--since HASH` and `--ref HASH@n` mean something
// to a program that forgets everything between two runs.
//
//   FOLDER/1a2b3c4d5e6f.xml    readable by the user alone
//
// Written only by commands whose output shows the hash; never more than 32, oldest first out.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace clawperator::act {

class SnapshotStore {
 public:
  // An empty folder: nowhere to keep anything.
  explicit SnapshotStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  static constexpr std::size_t kKept = 32;

  // A cache: failing to write is no error, the snapshot is then simply not held.
  void keep(std::string_view hash, std::string_view xml) const;

  // nullopt when it is not held, or `hash` is no hash.
  [[nodiscard]] std::optional<std::string> find(std::string_view hash) const;

 private:
  void drop_oldest() const;

  std::filesystem::path folder_;
};

// 12 hex digits.
bool is_tree_hash(std::string_view text);

}  // namespace clawperator::act
