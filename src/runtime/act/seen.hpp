#pragma once
// The screens that a caller has seen. `@n`, a short id, a diff and the report of a missing node
// refer to the screen that was shown last.

#include <limits>

#include "runtime/act/snapshot.hpp"
#include "runtime/device/per_device.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator::act {

struct Seen {
  enum class By : std::uint8_t {
    user,        // the commands of one user share the store, which keeps the last of each device
    connection,  // one client, while its connection lasts: `shown` and `read`
    anyone,      // the caller is unknown: a ref needs its hash, and a diff has no earlier screen
  };

  By by = By::anyone;
  SnapshotStore store{{}};
  std::shared_ptr<PerDevice> shown{};  // the hash of the screen that was shown last
  // The hashes of the screens whose whole text was shown, the last one first, with blanks between.
  std::shared_ptr<PerDevice> read{};
  // The app in front of each device, as this process showed it last or brought it there since; an
  // empty text: unknown. Without an entry, or null: the app of the screen that was shown last.
  std::shared_ptr<PerDevice> in_front{};
  // The sizes of the last picture (SeenPicture). Null: points of a picture cannot be given.
  std::shared_ptr<PerDevice> pictures{};
};

// The screen that was shown last of the target's device. Its serial is empty where only the
// caller's name for the device is known. nullopt: none was shown.
Task<std::optional<SnapshotStore::Shown>> shown_last(const Seen* seen, Executor* executor,
                                                     TargetOptions target);
// The app in front of the target's device, as `in_front` has it; empty: unknown.
Task<std::string> app_in_front(const Seen* seen, Executor* executor, TargetOptions target);
// The hashes of the screens of the device of that name whose whole text the caller has, the last
// one first.
std::vector<std::string> read_of(const Seen& seen, const std::string& device);
// The first of them.
std::optional<std::string> last_read_of(const Seen& seen, const std::string& device);
// Of the screen that was shown last, in whatever form: bare refs are its refs.
std::optional<std::string> shown_last_of(const Seen& seen, const std::string& device);

// The hierarchy of a screen that is still held, as a tree. nullopt where it is not held or no tree.
Task<std::optional<UiTree>> held_tree(const Seen* seen, std::optional<std::string> hash);

// `part`: a picture, a text that was cut, or one without refs.
enum class ShownAs : std::uint8_t { whole_text, part };

// Notes that the screen of that hash was shown to the caller.
void note_shown(const Seen& seen, const ExecuteResult& result, const std::string& hash, ShownAs as);
// Writes the tree of a snapshot's step as `wanted`, and notes that it was shown; the caller cuts a
// text that is longer than `most` bytes. Fails where the hierarchy cannot be parsed.
Task<void> show(const Seen* seen, ExecuteResult* result, StepResult* step, SnapshotRequest wanted,
                std::size_t most = std::numeric_limits<std::size_t>::max());
// Keeps a screen whose nodes the caller can name from now on, although it was not shown.
void keep(const Seen& seen, const ExecuteResult& result, const UiTree& screen);
// A picture that the caller got, and the screen that it shows, both in pixels.
struct SeenPicture {
  ScreenSize size;
  ScreenSize screen;
};
void note_picture(const Seen& seen, const ExecuteResult& result, const SeenPicture& picture);
// The last one of the device of that name; nullopt: there was none.
std::optional<SeenPicture> picture_of(const Seen& seen, const std::string& device);
// Notes that `app` is in front of the device of that result.
void note_in_front(const Seen& seen, const ExecuteResult& result, const std::string& app);

}  // namespace clawperator::act
