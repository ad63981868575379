#include "runtime/engine/log_pump.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/async/memory_budget.hpp"
#include "base/at_exit.hpp"
#include "runtime/device/errc.hpp"

namespace clawperator {
namespace {

// A dial can fail at once while the device is away; without a pause the loop would spin.
constexpr auto kRetryPause = std::chrono::milliseconds(100);

}  // namespace

// The pump feeds it also while its execution waits for something else.
class LogPump::Part final : public CommandLog {
 public:
  Part(std::shared_ptr<LogPump> pump, ResultCollector* collector)
      : pump_(std::move(pump)),
        collector_(collector),
        memory_(pump_->executor_),
        reopened_before_(pump_->reopened_) {
    pump_->parts_.push_back(this);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() override { pump_->leave(this); }

  // Entries behind a broken result stay for the next reader, which has another collector.
  void add(const LogLine& line) {
    if (broken_) return;
    if (const auto added = collector_->add(line); !added) broken_ = added.error();
    memory_.count(collector_->held());
  }

  [[nodiscard]] const DeviceFacts& facts() const override { return pump_->facts_; }
  [[nodiscard]] bool was_reopened() const override { return pump_->reopened_ != reopened_before_; }

 private:
  Task<void> read_until(bool (*enough)(const ResultCollector&)) override {
    while (!enough(*collector_)) {
      if (broken_) co_return std::unexpected(*std::exchange(broken_, std::nullopt));
      if (pump_->end_) co_return std::unexpected(*pump_->end_);
      co_await pump_->moved_on_.wait();
    }
    co_return ok();
  }

  std::shared_ptr<LogPump> pump_;
  ResultCollector* collector_;
  adbproto::MemoryShare memory_;
  std::optional<Error> broken_;
  std::size_t reopened_before_;
};

LogPump::LogPump(const asio::any_io_executor& executor, std::shared_ptr<Device> device,
                 std::unique_ptr<LogStream> stream, Reconnect reconnect)
    : executor_(executor),
      device_(std::move(device)),
      stream_(std::move(stream)),
      reconnect_(std::move(reconnect)),
      facts_(stream_->facts()),
      moved_on_(executor),
      idleness_(executor) {}

Task<std::shared_ptr<LogPump>> LogPump::start(std::shared_ptr<Device> device, KnownPhone known,
                                              adbproto::Scope* scope, Reconnect reconnect) {
  CO_TRY(auto stream, co_await LogStream::attach(device.get(), std::move(known)));
  const auto executor = co_await asio::this_coro::executor;
  std::shared_ptr<LogPump> pump(
      new LogPump(executor, std::move(device), std::move(stream), std::move(reconnect)));
  scope->spawn(run(pump));
  co_return pump;
}

std::unique_ptr<CommandLog> LogPump::join(ResultCollector* collector) {
  if (is_over()) return nullptr;
  return std::make_unique<Part>(shared_from_this(), collector);
}

void LogPump::retire() {
  retired_ = true;
  idleness_.cancel();
}

void LogPump::leave(Part* part) {
  std::erase(parts_, part);
  last_use_ = Clock::now();
  if (retired_) idleness_.cancel();
}

asio::awaitable<void> LogPump::run(std::shared_ptr<LogPump> self) {
  using namespace base::parallel;
  const AtExit over([&] {  // the readers get the end, and logcat is closed
    if (!self->end_) self->end_ = Error(errc::link_lost, "the device's log is no longer read");
    self->stream_.reset();
    self->device_.reset();
    self->moved_on_.notify_all();
  });
  co_await (self->read() || self->wait_for_idleness());
}

asio::awaitable<void> LogPump::read() {
  const LogStream::Sink sink = [this](const LogLine& line) {
    for (Part* part : parts_) part->add(line);
    return ok();
  };
  for (;;) {
    auto read = stream_->drain(sink);
    moved_on_.notify_all();
    if (read) read = co_await stream_->read_more();
    if (!read && read.error().code() == errc::link_lost) read = co_await come_back();
    reopened_ = stream_->reopened();
    if (read) continue;
    end_ = read.error();
    co_return;
  }
}

// The phone may answer over another link, with the entries that it logged meanwhile. Only a reader
// that waits for an answer needs them.
Task<void> LogPump::come_back() {
  if (!reconnect_ || parts_.empty())
    co_return fail(errc::link_lost, "the link to the device is gone");
  std::optional<Error> another;
  auto resumed = co_await with_deadline(resume(&another), kReturnLimit, "the phone's return");
  if (resumed) co_return ok();
  const Error& why = another ? *another : resumed.error();
  co_return fail(errc::link_lost, "the link to the device is gone: " + why.message());
}

// `another`: the error of a phone that answers but is a different one, perhaps a twin of the same
// serial.
Task<void> LogPump::resume(std::optional<Error>* another) {
  for (;;) {
    auto device = co_await reconnect_();
    if (device) {
      auto resumed = co_await stream_->resume(device->get());
      device_ = *std::move(device);
      another->reset();
      if (resumed) co_return ok();
      if (resumed.error().code() == errc::device_identity_changed) {
        *another = resumed.error();
      } else if (resumed.error().code() != errc::link_lost) {
        co_return resumed;
      }
    }
    co_await sleep_for(kRetryPause);
  }
}

// A reader moves the end of this wait without waking it up, so the loop checks again.
asio::awaitable<void> LogPump::wait_for_idleness() {
  for (;;) {
    const auto unused = parts_.empty() ? Clock::now() - last_use_ : Clock::duration::zero();
    if (parts_.empty() && (retired_ || unused >= kKept)) co_return;
    idleness_.expires_after(kKept - unused);
    co_await idleness_.async_wait(kNoThrow);
  }
}

}  // namespace clawperator
