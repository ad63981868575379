#pragma once
// The screens that a caller has seen. `@n`, a short id, a diff and the words of a miss refer to the
// screen that the caller was shown last.

#include "runtime/act/snapshot.hpp"
#include "runtime/device/per_device.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator::act {

struct Seen {
  enum class By : std::uint8_t {
    user,        // the commands of one user share the store, which keeps the last of each device
    connection,  // one client, while its connection lasts: `shown`
    anyone,      // nothing says who asks: a ref needs its hash, and no diff has a beginning
  };

  By by = By::anyone;
  SnapshotStore store{{}};
  std::shared_ptr<PerDevice> shown{};  // hashes
  // The app that should be in front of each device, as this process has brought it there; empty:
  // unknown. Absent: the app of the screen that was shown last.
  std::shared_ptr<PerDevice> in_front{};
};

// The screen that was shown last of the device that `target` means; its serial is empty where only
// the caller's word names the device. nullopt: none was shown.
Task<std::optional<SnapshotStore::Shown>> shown_last(const Seen* seen, Executor* executor,
                                                     TargetOptions target);
// Of the device of that name.
std::optional<std::string> shown_last_of(const Seen& seen, const std::string& device);

// The hierarchy of a screen that is still held, as a tree. nullopt where it is not held or no tree.
Task<std::optional<UiTree>> held_tree(const Seen* seen, std::optional<std::string> hash);

// The caller has been shown the screen of that hash.
void note_shown(const Seen& seen, const ExecuteResult& result, const std::string& hash);
// Writes the tree of a snapshot's step as `wanted`, and notes that the caller has been shown it.
// Fails where the hierarchy cannot be read.
Task<void> show(const Seen* seen, ExecuteResult* result, StepResult* step, SnapshotRequest wanted);
// The caller can name nodes of the screen from now on, but it was not shown.
void keep(const Seen& seen, const ExecuteResult& result, const UiTree& screen);
// `app` is in front of the device of that result.
void note_in_front(const Seen& seen, const ExecuteResult& result, const std::string& app);

}  // namespace clawperator::act
