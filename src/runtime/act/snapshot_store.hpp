#pragma once
// The last few snapshots of this user, so that `--since HASH` and `--ref HASH@n` mean something
// to a program that forgets everything between two runs.
//
//   FOLDER/1a2b3c4d5e6f.xml    readable by the user alone
//   FOLDER/by/1a2b3c4d5e6f     which phones have shown it
//   FOLDER/shown/of NAME       the hash of the snapshot that was shown last of that device, by its
//                              serial, which twins share, and by the name that it alone has
//
// Written only by commands whose output shows the hash; never more than 32, oldest first out.

#include <filesystem>

#include "base/prelude.hpp"

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

  // What somebody has seen last of a device, so that `@8` and a bare diff mean something.
  struct Shown {
    std::string serial;
    std::string hash;
  };
  void note_shown(std::string_view serial, std::string_view own_name, std::string_view hash) const;
  // That a phone has shown a screen which is kept without being the one that was shown last.
  void note_showing(std::string_view serial, std::string_view own_name,
                    std::string_view hash) const;
  // As ui/refs spells it (showing()), a line for each phone; empty: unknown.
  [[nodiscard]] std::string shown_by(std::string_view hash) const;
  // Of that device, else of the one that was looked at last.
  [[nodiscard]] std::optional<Shown> last_shown(const std::optional<std::string>& device) const;

 private:
  [[nodiscard]] std::filesystem::path shown_file(std::string_view device) const;

  std::filesystem::path folder_;
};

// 12 hex digits.
bool is_tree_hash(std::string_view text);

}  // namespace clawperator::act
