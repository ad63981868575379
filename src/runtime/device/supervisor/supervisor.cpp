#include "runtime/device/supervisor/supervisor.hpp"

#include "runtime/device/forwarded_device.hpp"
#include "runtime/device/supervisor/supervisor_state.hpp"

namespace clawperator {

namespace {

// Local sources answer within this; the start does not wait for other phones, which come as events.
constexpr auto kFirstReportLimit = std::chrono::milliseconds(2000);

}  // namespace

Task<std::unique_ptr<Supervisor>> Supervisor::start(SupervisorOptions options) {
  CO_TRY_VOID(Routes(options.target).server());  // fails for an invalid address
  auto supervisor =
      std::make_unique<LiveSupervisor>(co_await asio::this_coro::executor, std::move(options));
  supervisor->begin();
  co_await supervisor->settle();
  const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() == asio::cancellation_type::none) co_return std::move(supervisor);
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await supervisor->stop();
  co_return fail(errc::cancelled, "the search for devices was stopped");
}

Task<std::unique_ptr<adbproto::Device>> open_supervised(Supervisor* supervisor,
                                                        TargetOptions target) {
  CO_TRY(auto device, co_await supervisor->open(std::move(target)));
  co_return forward_to(std::move(device));
}

std::function<Task<std::unique_ptr<Device>>(TargetOptions)> supervised(Supervisor* supervisor) {
  return
      [supervisor](TargetOptions target) { return open_supervised(supervisor, std::move(target)); };
}

LiveSupervisor::LiveSupervisor(const asio::any_io_executor& executor, SupervisorOptions options)
    : executor_(executor),
      options_(std::move(options)),
      routes_(options_.target),
      scope_(executor),
      changed_(executor),
      stop_signal_(executor),
      server_needed_(executor) {}

void LiveSupervisor::begin() {
  const TargetOptions& target = options_.target;
  const auto follow = [&](Transport source, asio::awaitable<void> (LiveSupervisor::*watch)()) {
    awaited_.insert(source);
    run((this->*watch)());
  };
  if (target.uses(Transport::server)) follow(Transport::server, &LiveSupervisor::watch_server);
  if (target.uses(Transport::usb)) follow(Transport::usb, &LiveSupervisor::watch_usb);
  if (target.uses(Transport::tcp)) follow(Transport::tcp, &LiveSupervisor::watch_targets);
  if (options_.discover || options_.connect_paired) {
    follow(Transport::mdns, &LiveSupervisor::watch_announcements);
  }
}

asio::awaitable<void> LiveSupervisor::settle() {
  using namespace base::parallel;
  const auto all_reported = [](LiveSupervisor* self) -> asio::awaitable<void> {
    while (!self->awaited_.empty()) co_await self->changed_.wait();
  };
  co_await (all_reported(this) || sleep_for(kFirstReportLimit));
  settled_ = true;
}

void LiveSupervisor::run(asio::awaitable<void> task) {
  if (!stopping_) scope_.spawn(std::move(task));
}

void LiveSupervisor::changed() { changed_.notify_all(); }

void LiveSupervisor::source_reported(Transport source) {
  awaited_.erase(source);
  changed();
}

Task<std::vector<DeviceEvent>> LiveSupervisor::next_events() {
  if (stopping_) co_return fail(errc::cancelled, "the supervisor is stopping");
  co_return co_await until_stopped(wait_events());
}

Task<std::vector<DeviceEvent>> LiveSupervisor::wait_events() {
  for (;;) {
    auto now = rows();
    auto events = changes(reported_, now);
    reported_ = std::move(now);
    if (!events.empty()) co_return events;
    co_await changed_.wait();
    const auto state = co_await asio::this_coro::cancellation_state;
    if (adbproto::is_cancelled(state)) {
      co_return fail(errc::cancelled, "the watch was stopped");
    }
  }
}

asio::awaitable<void> LiveSupervisor::stop() {
  stopping_ = true;
  stop_signal_.notify_all();
  while (callers_ != 0) co_await changed_.wait();
  constexpr const char* kWhy = "the supervisor was stopped";
  for (auto& [name, kept] : kept_) {
    kept.link->silence();
    if (const auto device = kept.link->device()) device->lose(kWhy);
    kept.scope->cancel();
  }
  for (auto& [key, opened] : opened_) opened.device->lose(kWhy);
  scope_.cancel();
  co_await scope_.join();
  for (auto& [name, kept] : kept_) co_await kept.scope->join();
  kept_.clear();
  opened_.clear();
}

}  // namespace clawperator
