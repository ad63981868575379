#include "runtime/engine/device_input.hpp"

#include "base/error_members.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/identity.hpp"
#include "runtime/device/lock.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/given_points.hpp"
#include "runtime/engine/order_note.hpp"
#include "runtime/engine/screen_size.hpp"
#include "runtime/engine/screen_watch.hpp"

namespace clawperator {
namespace {

using namespace base::parallel;

// `getprop` prints one line; without it the release is unknown, and the input waits no longer.
constexpr auto kAskLimit = std::chrono::milliseconds(2000);
constexpr int kInputService = 31;  // Android 12

// How many calls are done, of how many.
struct Position {
  std::string device_id;
  std::size_t done = 0;
  std::size_t calls = 0;  // none: a line, whose progress cannot be reported
};

ErrorMembers details_of(const Position& at) {
  ErrorMembers details;
  details.text("deviceId", at.device_id);
  if (at.calls == 0) return details;
  return details.number("callsDone", static_cast<std::int64_t>(at.done))
      .number("calls", static_cast<std::int64_t>(at.calls));
}

ErrorMembers& add_unknown_position(ErrorMembers& details) {
  return details.boolean("dispatchAttempted", true).text("executionPosition", "unknown");
}

Error unknown_outcome(const Error& error, const Position& at) {
  ErrorMembers details = details_of(at);
  return with_details(error, add_unknown_position(details));
}

Error said_no(const CommandOutput& output, const Position& at) {
  const std::string said = output.text();
  ErrorMembers details = details_of(at);
  details.number("adbExitCode", output.exit_status).text("stdout", output.out);
  details.text("stderr", output.err);
  if (at.calls == 0) add_unknown_position(details);
  const std::string why = said.empty()
                              ? "it ended with status " + std::to_string(output.exit_status)
                              : std::string(without_stack(said));
  return with_details({errc::input_failed, "the device's input command failed: " + why}, details);
}

bool is_done(const CommandOutput& output) {
  return output.exit_status == 0 && output.text().empty();
}

// Errors after which no part of the command has run.
bool did_not_leave(const Error& error) {
  return error.code() == errc::refused || error.code() == errc::payload_too_large;
}

Error judge_failure(const Error& error, const Position& at) {
  if (!did_not_leave(error)) return unknown_outcome(error, at);
  return with_details({errc::device_shell_unavailable, error.message()}, details_of(at));
}

Result<void> judge(const Result<CommandOutput>& output, const Position& at) {
  if (!output) return std::unexpected(judge_failure(output.error(), at));
  if (!is_done(*output)) return std::unexpected(said_no(*output, at));
  return ok();
}

// 0 where the release is unknown.
int release_of(std::string_view sdk) { return whole_number<int>(trimmed(sdk)).value_or(0); }

Result<void> check_release(int release, const DeviceInput& input, const Position& at) {
  if (release >= input.line_since) return ok();
  if (release == 0) {
    return std::unexpected(with_details(
        {errc::device_shell_unavailable, "the device does not report its Android release"},
        details_of(at)));
  }
  ErrorMembers details = details_of(at);
  details.number("sdk", release);
  return std::unexpected(with_details(
      {errc::unsupported,
       "Before Android 12 each call of the device's input command starts a program for about a "
       "second: what must follow closely cannot be done."},
      details));
}

// Needed only where there are points to judge.
asio::awaitable<void> find_screen(adbproto::Device* device, const std::vector<InputPoint>* points,
                                  std::optional<ScreenSize>* screen) {
  if (points->empty()) co_return;
  const ScreenNow now = co_await ask_screen_now(device);
  *screen = now.size;
}

Result<void> check_input_points(const std::vector<InputPoint>& points,
                                const std::optional<ScreenSize>& screen) {
  std::vector<GivenPoint> given;
  given.reserve(points.size());
  for (const InputPoint& point : points) given.push_back({.at = {point.x, point.y}});
  return check_points(given, screen);
}

Task<void> perform_line(adbproto::Device* device, const DeviceInput* input) {
  note_order(co_await asio::this_coro::executor);
  const auto output = co_await run_command_line(device, input->line, input->limit);
  co_return judge(output, {.device_id = device->serial(), .done = 0, .calls = 0});
}

}  // namespace

// Before Android 12 there is only the program `input`, which takes the service's arguments
// unchanged.
Rungs acting_rungs(std::string_view sdk, const Identity& identity, const DeviceMemory& memory) {
  const int release = release_of(sdk);
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
  note_order(co_await asio::this_coro::executor);
  for (const Words& words : calls) {
    const auto output = co_await channel->run(AndroidService::input, words, limit);
    CO_TRY_VOID(judge(output, at));
    ++at.done;
  }
  co_return ok();
}

Task<PictureProof> perform_input(adbproto::Device* device, DeviceInput input) {
  std::optional<ScreenSize> screen;
  auto [identity, sdk] =
      co_await (read_identity(device) && run_command_line(device, sdk_line(), kAskLimit) &&
                find_screen(device, &input.points, &screen));
  if (!identity) co_return std::unexpected(identity.error());
  CO_TRY_VOID(check_input_points(input.points, screen));
  const std::string device_id = device->serial();
  const std::string printed_sdk = sdk ? sdk->out : "";
  const bool is_line = !input.line.empty();
  CO_TRY_VOID(check_release(
      release_of(printed_sdk), input,
      {.device_id = device_id, .done = 0, .calls = is_line ? 0 : input.calls.size()}));
  CO_TRY(DeviceLock lock,
         DeviceLock::acquire(lock_identity(identity->serialno, identity->boot_id, device_id),
                             device_id, input.command_id));
  const DeviceMemory recalled = recall_device(device_id);
  CommandChannel channel(device, acting_rungs(printed_sdk, *identity, recalled));
  std::optional<ScreenWatch> watch;
  if (input.verify) watch.emplace(device, *input.verify, recalled.several_displays);
  if (watch) co_await watch->look_before();
  auto work = input.verb ? input.verb(device, input.command_id)
              : is_line  ? perform_line(device, &input)
                         : perform_calls(&channel, device_id, std::move(input.calls), input.limit);
  auto done = co_await std::move(work);
  // A verb has read back what became of it.
  if (!done && !input.verb && done.error().code() != errc::input_failed) lock.settle();
  if (!done) co_return std::unexpected(std::move(done).error());
  PictureProof proof;
  if (watch) proof = co_await watch->look_after();
  co_return proof;
}

}  // namespace clawperator
