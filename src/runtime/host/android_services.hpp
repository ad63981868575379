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

// The errors of the lower layers for a device command, in published codes: link_lost, cancelled and
// published ones stay, every other one is device_shell_unavailable.
Error published_shell_error(const Error& error);

// Questions and orders to Android's package manager and settings, each on the best rung of the
// channel ladder (runtime/engine/channel.hpp). One object serves any number of calls at a time.
class AndroidServices {
 public:
  // `device` must outlive this, and this every call.
  explicit AndroidServices(adbproto::Device* device) : device_(device), channel_(device) {}

  [[nodiscard]] adbproto::Device* device() const { return device_; }
  // The user in front; 0, which most phones have, until find_user has read another.
  [[nodiscard]] int user() const { return user_; }
  // Reads the user in front; 0 where the device does not report it. Fails only when the device can
  // no longer be used.
  Task<int> find_user();

  // Side-effect free. Fails as run_on_device does, also when the command itself fails.
  Task<CommandOutput> call(AndroidService service, std::vector<std::string> words);
  // Runs at most once; a command that ran and failed is a result. Refused for a service that has
  // not answered a read before: on a wrong rung a deaf service looks like a lost link.
  Task<CommandOutput> order(AndroidService service, std::vector<std::string> words);

 private:
  adbproto::Device* device_;
  CommandChannel channel_;
  int user_ = 0;
};

// `package:NAME` lines of the user in front whose names contain `filter`. User 0 is listed at the
// same time as the user in front is read: for most phones that is one wait, not two.
Task<CommandOutput> list_matching(AndroidServices* services, std::string filter);

// The setting as the device prints it: "null" for one that is not set.
Task<CommandOutput> read_setting(AndroidServices* services, SettingKey key);
// An empty value deletes it. Returns the device's objection; empty when it has none. Fails only
// when the device can no longer be used.
Task<std::string> put_setting(AndroidServices* services, SettingKey key, std::string value);

// Puts 1 where it is not 1; device_shell_unavailable with the device's objection.
Task<void> switch_on(AndroidServices* services, SettingKey key);

// Errors after which the device can no longer be used: it is gone, or the caller has cancelled.
bool ends_everything(const Error& error);

// A device's output for one line of a message: trimmed, bounded.
std::string one_message(std::string_view printed);

}  // namespace clawperator
