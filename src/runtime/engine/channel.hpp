#pragma once
// How commands of Android's services are run: the channel ladder.
//
//   abb           abb:activity\0broadcast\0...          no fork, no shell
//   cmd           shell,v2,raw:cmd activity broadcast ..
//   am            shell,v2,raw:am broadcast ..           (pm for package, settings)
//   legacy_shell  shell:am broadcast ..                  no exit code of its own
//
// A rung is chosen by a side-effect-free command; a command that may have begun is never repeated
// on another rung.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "adbproto/client/device.hpp"
#include "runtime/device/memory.hpp"

namespace clawperator {

struct CommandOutput {
  int exit_status = 0;
  std::string out;
  std::string err;

  // What a person should read when it failed: stderr, else stdout, trimmed.
  [[nodiscard]] std::string text() const;
};

enum class AndroidService { activity, package, settings };

class CommandChannel {
 public:
  // `device` must outlive the channel. `rung`: remembered from before, if anything was.
  CommandChannel(adbproto::Device* device, std::optional<Rung> rung);

  [[nodiscard]] std::optional<Rung> rung() const { return rung_; }

  // Runs a side-effect-free command on the first rung that can, from the remembered one on, and
  // stays there. device_shell_unavailable when none can.
  adbproto::Task<CommandOutput> probe(AndroidService service, std::vector<std::string> arguments,
                                      std::chrono::milliseconds deadline);

  // Runs once, on the chosen rung (the best possible one when none was chosen yet). Goes one rung
  // down only when the service was refused before it began. payload_too_large when no way of
  // passing the arguments fits.
  adbproto::Task<CommandOutput> run(AndroidService service, std::vector<std::string> arguments,
                                    std::chrono::milliseconds deadline);

 private:
  [[nodiscard]] Rung best() const;
  adbproto::Task<CommandOutput> run_on(Rung rung, AndroidService service,
                                       std::vector<std::string> arguments,
                                       std::chrono::milliseconds deadline);

  adbproto::Device* device_;
  std::optional<Rung> rung_;
};

// An adb server's way of saying that it has lost the device, instead of what the device says.
bool names_lost_link(const adbproto::Error& error);

// A line for the device's sh, with its exit status on every device; payload_too_large when it fits
// no way of passing it.
adbproto::Task<CommandOutput> run_command_line(adbproto::Device* device, std::string line,
                                               std::chrono::milliseconds deadline);

// A device-side sh that reads `script` from its standard input: for what does not fit a service
// name. Needs shell_v2.
adbproto::Task<CommandOutput> run_script(adbproto::Device* device, std::string script,
                                         std::chrono::milliseconds deadline);

}  // namespace clawperator
