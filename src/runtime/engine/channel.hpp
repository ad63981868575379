#pragma once
// How commands of Android's services are run: the channel ladder.
//
// abb, cmd, am, legacy_shell; runtime/android/service_command.hpp draws them.
//
// A rung is chosen for each service by a side-effect-free command; a command that may have begun is
// never repeated on another rung.

#include "adbproto/client/device.hpp"
#include "runtime/device/memory.hpp"

namespace clawperator {

struct CommandOutput {
  int exit_status = 0;  // abb has none: it is 1 when anything is in `err`
  std::string out;
  std::string err;

  // The text for people after a failure: stderr without the linker's warnings, else stdout,
  // trimmed.
  [[nodiscard]] std::string text() const;
};

class CommandChannel {
 public:
  // `device` must outlive the channel. `rungs`: remembered from an earlier connection, if any.
  explicit CommandChannel(adbproto::Device* device, Rungs rungs = {});

  // Those that were proved.
  [[nodiscard]] const Rungs& rungs() const { return rungs_; }
  // Whether the device has run a command yet; one whose shell is closed refuses all.
  [[nodiscard]] bool has_run() const { return has_run_; }

  // Runs a side-effect-free command on the first rung that works, from the remembered one on, and
  // keeps that rung for this service. device_shell_unavailable when no rung works, with the last
  // one's output.
  Task<CommandOutput> probe(AndroidService service, std::vector<std::string> arguments,
                            std::chrono::milliseconds deadline);

  // Changes a line before it is sent; only the rungs with a shell have lines.
  using Wrap = std::function<std::string(std::string line)>;

  // Runs once, on the service's rung (the best possible one when none was proved yet). Goes one
  // rung down only when the command did not begin: the service was refused, or printed that it has
  // no such command (Android 7's `cmd activity`, 11's `cmd input`). payload_too_large when no way
  // of passing the arguments fits. With `wrap` abb is not used.
  Task<CommandOutput> run(AndroidService service, std::vector<std::string> arguments,
                          std::chrono::milliseconds deadline, Wrap wrap = {});

 private:
  [[nodiscard]] Rung first_rung(AndroidService service) const;
  Task<CommandOutput> run_on(Rung rung, AndroidService service, std::vector<std::string> arguments,
                             std::chrono::milliseconds deadline, Wrap wrap = {});

  adbproto::Device* device_;
  Rungs rungs_;
  bool has_run_ = false;
};

// Whether the link to the device failed, and not the command.
bool is_link_error(const Error& error);
// The error text of an adb server that has lost the device, in place of the device's own answer.
bool names_lost_link(const Error& error);

// A line for the device's sh, with its exit status on every device; payload_too_large when it fits
// no way of passing it.
Task<CommandOutput> run_command_line(adbproto::Device* device, std::string line,
                                     std::chrono::milliseconds deadline);

// A device-side sh that reads `script` from its standard input: for what does not fit a service
// name. Needs shell_v2.
Task<CommandOutput> run_script(adbproto::Device* device, std::string script,
                               std::chrono::milliseconds deadline);

}  // namespace clawperator
