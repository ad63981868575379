#pragma once
// What the device's own shell can read and do: a tree by uiautomator, fingers and keys by input,
// apps by the activity manager. Every command has its limit; nothing is repeated that may have
// begun.

#include <expected>

#include "runtime/android/chore_commands.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/shell_backend/screen_dump.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

struct SeenScreen {
  UiTree tree;
  std::string xml;
};
// Or why there is no tree, for people.
using Seen = std::expected<SeenScreen, std::string>;

class ShellHand {
 public:
  using Warn = std::function<void(std::string_view)>;

  // `device` must outlive the hand. Everything ends at `deadline`, except a command that changes
  // the phone, which gets its own limit.
  ShellHand(adbproto::Device* device, Rungs rungs, Clock::time_point deadline, Warn warn);

  [[nodiscard]] std::chrono::milliseconds left() const;
  // A command was sent that may have changed the phone.
  [[nodiscard]] bool has_acted() const { return has_acted_; }
  [[nodiscard]] CommandChannel* channel() { return &channel_; }

  // `insists`: where the screen moves it is read once more, with a warning.
  Task<Seen> look(bool insists);

  // input_failed where the device refuses.
  Task<void> tap(Point at);
  Task<void> press_long(Point at);
  Task<void> swipe(Point from, Point to);
  Task<void> press_key(int key);
  // Deletes so many characters before the end of the cursor's line, and behind it.
  Task<void> erase(std::size_t before, std::size_t behind);
  Task<void> type(std::string text);

  struct Launcher {
    std::optional<std::string> component{};
    bool is_unknown = false;  // an old Android, or several apps that a person chooses from
  };
  Task<Launcher> find_launcher(std::string package);
  Task<StartAnswer> start(Words words);
  // Whether no process of it is left.
  Task<bool> stop(std::string package);

 private:
  Task<ScreenDump> dump();
  Task<void> input(std::vector<Words> calls);

  adbproto::Device* device_;
  CommandChannel channel_;
  Clock::time_point deadline_;
  Warn warn_;
  bool has_acted_ = false;
};

}  // namespace clawperator
