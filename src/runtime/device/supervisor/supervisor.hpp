#pragma once
// The attached devices, for processes that live long: one model of the adb server's list, USB, TCP
// targets and (on request) announcements, each change an event.
//
//   server tracker --+
//   USB hotplug -----+--> rows --> merged by identity --> subscribers
//   TCP targets -----+                 |
//   mDNS ------------+                 +--> open(serial): a device that stays connected
//
// A link that is lost fails all its streams at once; it is dialled again after 250 ms, growing to 3
// s; an adb server that is not there after up to 15 s, and at once for open(). Before work goes to
// a device again its identity (ro.serialno, boot id) is compared: another phone at the same address
// is device_identity_changed.

#include <exception>

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "runtime/device/discovery/device_model.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

struct SupervisorOptions {
  TargetOptions target;            // which sources: adb_server, transport
  bool discover = false;           // mDNS rows, too
  bool connect_paired = false;     // dial announced devices that were paired before
  Detail detail = Detail::states;  // also of what the adb server holds
};

class Supervisor {
 public:
  static Task<std::unique_ptr<Supervisor>> start(SupervisorOptions options);
  virtual ~Supervisor() = default;

  [[nodiscard]] virtual std::vector<DeviceRow> rows() const = 0;
  // adb_server_failed while there are no devices and no adb server that could list some.
  [[nodiscard]] virtual std::optional<Error> why_nothing() const = 0;
  // Without an adb server: tries again at once, and returns when the result is known, after 500 ms
  // at the latest.
  virtual asio::awaitable<void> find_server() = 0;
  // The next changes since the last call (the first call: everything that is there, as `added`).
  // One caller at a time.
  virtual Task<std::vector<DeviceEvent>> next_events() = 0;

  // A device by the usual rules (resolve_device), kept connected between calls: the same object
  // for the same device as long as its link lives. For serve and the daemon, through
  // open_supervised().
  virtual Task<std::shared_ptr<adbproto::Device>> open(TargetOptions target) = 0;

  // Ends all links and watchers, also of devices that are still in use; required before
  // destruction.
  virtual asio::awaitable<void> stop() = 0;
};

// A supervisor for as long as `work` goes on, stopped however that ends: also by a cancellation.
template <class T>
Task<T> with_supervisor(SupervisorOptions options, std::function<Task<T>(Supervisor*)> work) {
  CO_TRY(const auto supervisor, co_await Supervisor::start(std::move(options)));
  Result<T> result = fail(errc::cancelled, "");
  std::exception_ptr thrown;
  try {
    result = co_await work(supervisor.get());
  } catch (...) {
    thrown = std::current_exception();
  }
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await supervisor->stop();
  if (thrown) std::rethrow_exception(thrown);
  co_return result;
}

// Opens a device as Supervisor::open does, for a caller that must own one, such as the engine's
// ResolveDevice. The supervisor must outlive the task; the device may outlive the supervisor.
Task<std::unique_ptr<adbproto::Device>> open_supervised(Supervisor* supervisor,
                                                        TargetOptions target);
// The same as a function.
std::function<Task<std::unique_ptr<adbproto::Device>>(TargetOptions)> supervised(
    Supervisor* supervisor);

}  // namespace clawperator
