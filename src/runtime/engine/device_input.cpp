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

// Before Android 12 there is the program alone, which takes the service's words as they are. abb
// only where it was proved for another service in this boot: what it does not answer may have run.
Rungs rungs_for(int sdk, const Identity& identity, const DeviceMemory& memory) {
  const bool is_old = sdk > 0 && sdk < kInputService;
  const bool is_this_boot = !identity.boot_id.empty() && identity.boot_id == memory.boot_id;
  const auto proved = is_this_boot ? memory.rungs.of(AndroidService::activity) : std::nullopt;
  Rungs rungs;
  rungs.set(AndroidService::input, is_old ? Rung::am : proved.value_or(Rung::cmd));
  return rungs;
}

// 0 where it is not told.
int sdk_told(const Result<CommandOutput>& printed) {
  return printed ? whole_number<int>(trimmed(printed->out)).value_or(0) : 0;
}

Result<void> check_release(int sdk, const DeviceInput& input, const Position& at) {
  if (sdk >= input.line_since) return ok();
  if (sdk == 0) {
    return std::unexpected(with_details(
        {errc::device_shell_unavailable, "the device does not tell its release of Android"},
        details_of(at)));
  }
  ErrorMembers details = details_of(at);
  details.number("sdk", sdk);
  return std::unexpected(with_details(
      {errc::unsupported,
       "Before Android 12 each call of the device's input command starts a program for about a "
       "second: what must follow closely cannot be done."},
      details));
}

}  // namespace

Task<void> perform_input(adbproto::Device* device, DeviceInput input) {
  auto [identity, sdk] =
      co_await (read_identity(device) && run_command_line(device, sdk_line(), kAskLimit));
  if (!identity) co_return std::unexpected(identity.error());
  const bool is_line = !input.line.empty();
  Position at{.device_id = device->serial(), .calls = is_line ? 1 : input.calls.size()};
  CO_TRY_VOID(check_release(sdk_told(sdk), input, at));
  CO_TRY(DeviceLock lock,
         DeviceLock::acquire(lock_identity(identity->serialno, identity->boot_id, at.device_id),
                             at.device_id, input.command_id));
  CommandChannel channel(device, rungs_for(sdk_told(sdk), *identity, recall_device(at.device_id)));
  for (; at.done < at.calls;) {
    auto call = is_line ? run_command_line(device, input.line, input.limit)
                        : channel.run(AndroidService::input, input.calls[at.done], input.limit);
    const auto output = co_await std::move(call);
    if (!output) {
      lock.settle();
      co_return std::unexpected(judge_failure(output.error(), at));
    }
    if (!is_done(*output)) co_return std::unexpected(said_no(*output, at));
    ++at.done;
  }
  co_return ok();
}

}  // namespace clawperator
