#pragma once
// Commands of the device's shell, as the host's chores need them: run once, to the end, within a
// deadline, with an exit status on every device.

#include "adbproto/client/device.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/engine/channel.hpp"

namespace clawperator {

// `pm` and `settings` of Android 7 start a Java process, about a second; a busy phone takes longer.
inline constexpr std::chrono::milliseconds kChoreLimit{10000};

// `command` is the text for the device's sh; foreign words in it go through quote_for_shell. A
// device without shell_v2 is made to print the exit status behind the output, and its stderr is in
// `out`. Fails with device_shell_unavailable when no shell answers and with link_lost when the
// device is gone; a command that ran and failed is a result.
Task<CommandOutput> run_on_device(adbproto::Device* device, std::string command,
                                  std::chrono::milliseconds limit = kChoreLimit);

// What the lower layers say about a command of the device, in published codes: link_lost, cancelled
// and published ones stay, everything else is device_shell_unavailable.
Error published_shell_error(const Error& error);

// Questions and orders to Android's package manager and settings, each on the best rung of the
// channel ladder (runtime/engine/channel.hpp). One object serves any number of calls at a time.
class AndroidServices {
 public:
  // `device` must outlive this, and this every call.
  explicit AndroidServices(adbproto::Device* device) : device_(device), channel_(device) {}

  [[nodiscard]] adbproto::Device* device() const { return device_; }
  // The user in front as far as known: 0, where most phones are, until find_user was told another.
  [[nodiscard]] int user() const { return user_; }
  // Asks for the user in front; one that is not told is 0. Fails only when nothing further can be
  // asked.
  Task<int> find_user();

  // Side-effect free. Fails as run_on_device does, also when the command itself fails.
  Task<CommandOutput> ask(AndroidService service, std::vector<std::string> words);
  // Runs at most once; a command that ran and failed is a result. Refused for a service that has
  // not answered a question before: on a wrong rung nobody could tell a deaf service from a lost
  // link.
  Task<CommandOutput> order(AndroidService service, std::vector<std::string> words);

 private:
  adbproto::Device* device_;
  CommandChannel channel_;
  int user_ = 0;
};

// `package:NAME` lines of the user in front, of the names that hold `filter`. User 0 is asked at
// the same time as who is in front: for most phones that is one wait, not two.
Task<CommandOutput> list_matching(AndroidServices* services, std::string filter);

// The setting as the device prints it: "null" for one that is not set.
Task<CommandOutput> read_setting(AndroidServices* services, SettingKey key);
// An empty value deletes it. The device's objection; empty when it has none. Fails only when
// nothing further can be asked.
Task<std::string> put_setting(AndroidServices* services, SettingKey key, std::string value);

// Puts 1 where it is not 1; device_shell_unavailable with the device's objection.
Task<void> switch_on(AndroidServices* services, SettingKey key);

// Errors after which nothing further can be asked: the device is gone, or our caller wants no more.
bool ends_everything(const Error& error);

// What a device printed, fit for one line of a message: trimmed, bounded.
std::string one_message(std::string_view printed);

}  // namespace clawperator
