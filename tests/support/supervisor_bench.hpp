#pragma once
// A supervisor in manual time over a DeviceBench, and the changes it reports, written short.

#include <stdexcept>

#include "runtime/device/supervisor/supervisor.hpp"
#include "support/device_bench.hpp"
#include "support/manual_time.hpp"

namespace adbproto::testing {

using clawperator::DeviceEvent;
using clawperator::Supervisor;
using clawperator::SupervisorOptions;
using clawperator::TargetOptions;
using namespace std::chrono_literals;

inline Task<void> stop_supervisor(Supervisor* supervisor) {
  co_await supervisor->stop();
  co_return ok();
}

inline Task<void> find_server(Supervisor* supervisor) {
  co_await supervisor->find_server();
  co_return ok();
}

struct SupervisorBench {
  ManualTime time;
  DeviceBench host;
  std::unique_ptr<Supervisor> supervisor;
  std::shared_ptr<Started<std::vector<DeviceEvent>>> events;

  SupervisorBench() = default;
  SupervisorBench(const SupervisorBench&) = delete;
  SupervisorBench& operator=(const SupervisorBench&) = delete;
  ~SupervisorBench() {
    if (events && !events->done()) events->cancel();
    if (!supervisor) return;
    [[maybe_unused]] const auto stopped = time.run(host.loop, stop_supervisor(supervisor.get()));
  }

  void start(SupervisorOptions options) {
    auto started = time.run(host.loop, Supervisor::start(std::move(options)));
    if (!started) throw std::runtime_error(started.error().message());
    supervisor = *std::move(started);
  }
  void start() { start({.target = host.options()}); }

  // What changed until now: "+server:A ~tcp:B(offline)".
  std::string changes() {
    std::string text;
    for (;;) {
      if (!events) events = host.loop.start(supervisor->next_events());
      host.loop.settle();
      if (!events->done()) return text;
      const auto result = std::exchange(events, nullptr)->result();
      for (const DeviceEvent& event : *result) {
        text += text.empty() ? "" : " ";
        text += event.kind == DeviceEvent::Kind::added     ? "+"
                : event.kind == DeviceEvent::Kind::removed ? "-"
                                                           : "~";
        text += std::string(transport_name(event.row.transport)) + ":" + event.row.serial;
        if (event.row.state != clawperator::State::device)
          text += "(" + event.row.state.text() + ")";
      }
    }
  }
  std::string changes_after(std::chrono::milliseconds wait) {
    std::string text;
    for (auto left = wait; left > 0ms; left -= 50ms) {
      time.advance(host.loop, 50ms);
      const std::string more = changes();
      text += (text.empty() || more.empty() ? "" : " ") + more;
    }
    return text;
  }

  Result<std::shared_ptr<Device>> open(const std::string& serial) {
    TargetOptions target;
    target.device = serial;
    return time.run(host.loop, supervisor->open(target));
  }
};

}  // namespace adbproto::testing
