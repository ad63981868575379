#pragma once
// The last few snapshots of this user. With them `--since HASH` and `--ref HASH@n` work in a
// program that keeps no memory between two runs.
//
//   FOLDER/1a2b3c4d5e6f.xml    readable by the user alone
//   FOLDER/by/1a2b3c4d5e6f     which phones have shown it
//   FOLDER/shown/of NAME       the hash that was shown last of that device. Files are named
//                              by its serial, which twins share, and by its unique name.
//
// Only commands whose output shows the hash write here. At most 32 are kept; the oldest goes first.

#include <filesystem>

#include "base/prelude.hpp"

namespace clawperator::act {

class SnapshotStore {
 public:
  // An empty folder path: nothing is kept.
  explicit SnapshotStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  static constexpr std::size_t kKept = 32;

  // This is a cache: a failed write is no error, the snapshot is then not held.
  void keep(std::string_view hash, std::string_view xml) const;

  // nullopt when it is not held, or `hash` is no hash.
  [[nodiscard]] std::optional<std::string> find(std::string_view hash) const;

  // The screen that was shown last of a device, for `@8` and a diff without --since.
  struct Shown {
    std::string serial;
    std::string hash;
  };
  void note_shown(std::string_view serial, std::string_view own_name, std::string_view hash) const;
  // Notes which phone showed a screen that is kept without having been shown to the caller.
  void note_showing(std::string_view serial, std::string_view own_name,
                    std::string_view hash) const;
  // As ui/refs spells it (showing()), one line for each phone; empty: unknown.
  [[nodiscard]] std::string shown_by(std::string_view hash) const;
  // For that device, else for the device whose screen was shown last.
  [[nodiscard]] std::optional<Shown> last_shown(const std::optional<std::string>& device) const;

 private:
  [[nodiscard]] std::filesystem::path shown_file(std::string_view device) const;

  std::filesystem::path folder_;
};

// 12 hex digits.
bool is_tree_hash(std::string_view text);

}  // namespace clawperator::act
