#include "runtime/engine/device_input.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/device/choice/identity.hpp"
#include "runtime/device/lock.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/engine/channel.hpp"

namespace clawperator {
namespace {

using namespace adbproto::parallel;

constexpr auto kAskLimit = std::chrono::milliseconds(2000);
constexpr int kInputService = 31;  // Android 12

// Which call of how many is meant.
struct Position {
  std::string device_id;
  std::size_t done = 0;
  std::size_t calls = 0;
};

ErrorMembers details_of(const Position& at) {
  ErrorMembers details;
  return details.text("deviceId", at.device_id)
      .number("callsDone", static_cast<std::int64_t>(at.done))
      .number("calls", static_cast<std::int64_t>(at.calls));
}

Error unknown_outcome(const Error& error, const Position& at) {
  ErrorMembers details = details_of(at);
  details.boolean("dispatchAttempted", true).text("executionPosition", "unknown");
  return with_details(error, details);
}

// Without the lines that say where in Android's own code it happened.
std::string_view without_stack(std::string_view text) {
  return text.substr(0, text.find("\n\tat "));
}

Error said_no(const CommandOutput& output, const Position& at) {
  const std::string said = output.text();
  ErrorMembers details = details_of(at);
  details.number("adbExitCode", output.exit_status).text("stdout", output.out);
  details.text("stderr", output.err);
  const std::string why = said.empty()
                              ? "it ended with status " + std::to_string(output.exit_status)
                              : std::string(without_stack(said));
  return with_details({errc::input_failed, "the device's input command failed: " + why}, details);
}

bool is_done(const CommandOutput& output) {
  return output.exit_status == 0 && output.text().empty();
}

// Nothing of the command has run.
bool did_not_leave(const Error& error) {
  return error.code() == errc::refused || error.code() == errc::payload_too_large;
}

Error judge_failure(const Error& error, const Position& at) {
  if (!did_not_leave(error)) return unknown_outcome(error, at);
  return with_details({errc::device_shell_unavailable, error.message()}, details_of(at));
}

}  // namespace

// Before Android 12 there is the program `input` alone, which takes the service's words as they
// are.
Rungs acting_rungs(std::string_view sdk, const Identity& identity, const DeviceMemory& memory) {
  const int release = whole_number<int>(trimmed(sdk)).value_or(0);
  const bool is_old = release > 0 && release < kInputService;
  const bool is_this_boot = !identity.boot_id.empty() && identity.boot_id == memory.boot_id;
  const auto proved = is_this_boot ? memory.rungs.of(AndroidService::activity) : std::nullopt;
  const Rung rung = proved.value_or(Rung::cmd);
  Rungs rungs;
  rungs.set(AndroidService::activity, rung);
  rungs.set(AndroidService::package, rung);
  rungs.set(AndroidService::input, is_old ? Rung::am : rung);
  return rungs;
}

Task<void> perform_calls(CommandChannel* channel, std::string device_id, std::vector<Words> calls,
                         std::chrono::milliseconds limit) {
  Position at{.device_id = std::move(device_id), .calls = calls.size()};
  for (const Words& words : calls) {
    const auto output = co_await channel->run(AndroidService::input, words, limit);
    if (!output) co_return std::unexpected(judge_failure(output.error(), at));
    if (!is_done(*output)) co_return std::unexpected(said_no(*output, at));
    ++at.done;
  }
  co_return ok();
}

Task<void> perform_input(adbproto::Device* device, DeviceInput input) {
  auto [identity, sdk] =
      co_await (read_identity(device) && run_command_line(device, sdk_line(), kAskLimit));
  if (!identity) co_return std::unexpected(identity.error());
  const std::string device_id = device->serial();
  CO_TRY(DeviceLock lock,
         DeviceLock::acquire(lock_identity(identity->serialno, identity->boot_id, device_id),
                             device_id, input.command_id));
  CommandChannel channel(device,
                         acting_rungs(sdk ? sdk->out : "", *identity, recall_device(device_id)));
  auto done = co_await perform_calls(&channel, device_id, std::move(input.calls), input.limit);
  if (!done && done.error().code() != errc::input_failed) lock.settle();
  co_return done;
}

}  // namespace clawperator
