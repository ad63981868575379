#pragma once
// For commands that run no execution: `--timeout` limits their whole work.

#include "base/async/task.hpp"
#include "base/system/child_process.hpp"
#include "cli/grammar/command.hpp"
#include "cli/grammar/globals.hpp"
#include "cli/output.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/order_note.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator::cli {

// COMMAND_TIMEOUT at the end of the time.
template <class T>
Task<T> within(Task<T> task, TimeLimit limit, std::string what) {
  if (!limit) co_return co_await std::move(task);
  co_return co_await with_deadline(std::move(task), *limit, std::move(what));
}

// A task that is cut short after it sent an order to the phone fails with an unknown outcome.
template <class T>
Task<T> with_unknown_end(Task<T> task) {
  const auto executor = co_await asio::this_coro::executor;
  Result<T> result = fail(errc::cancelled, "stopped by a signal");
  try {
    result = co_await std::move(task);
  } catch (const std::exception&) {
    // A cancelled task is unwound by an exception.
    if (!order_has_left(executor)) throw;
  }
  const bool is_cut = !result && (result.error().code() == errc::deadline_exceeded ||
                                  result.error().code() == errc::cancelled);
  if (is_cut && order_has_left(executor)) {
    co_return std::unexpected(unknown_end(result.error()));
  }
  co_return result;
}

template <class T>
Result<T> run_limited(const Globals& globals, Task<T> task, std::string what) {
  TRY(const TimeLimit limit, time_limit(globals));
  return run_task(with_unknown_end(within(std::move(task), limit, std::move(what))));
}

// Prints a child program's output as it arrives: its stdout to `out`, its stderr to stderr. A
// reader that takes nothing for two seconds gets no more of that stream: the child's own time limit
// is running.
inline auto child_printer(Stream out) {
  return [out, out_is_read = true, err_is_read = true](ChildStream stream,
                                                       std::string_view text) mutable {
    // A terminal that a person holds for longer is cut off, too.
    constexpr std::chrono::milliseconds kPatience{2000};
    const Stream to = stream == ChildStream::out ? out : Stream::err;
    bool& is_read = to == Stream::out ? out_is_read : err_is_read;
    is_read = is_read && write_patiently(to, text_for(to, text), kPatience);
  };
}

template <class T>
struct OnDevice {
  std::string device_id;
  T value;
};

template <class T>
Task<OnDevice<T>> resolve_and_do(TargetOptions target,
                                 std::function<Task<T>(adbproto::Device*)> work) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  CO_TRY(T value, co_await work(device.get()));
  co_return OnDevice<T>{device->serial(), std::move(value)};
}

// Runs `work` on the device that the options select.
template <class T>
Result<OnDevice<T>> do_on_device(const Globals& globals, std::string what,
                                 std::function<Task<T>(adbproto::Device*)> work) {
  return run_limited(globals, resolve_and_do<T>(globals.target, std::move(work)), std::move(what));
}

}  // namespace clawperator::cli
