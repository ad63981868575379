#include "runtime/engine/command_log.hpp"

namespace clawperator {
namespace {

class OwnLog final : public CommandLog {
 public:
  OwnLog(std::unique_ptr<LogStream> stream, ResultCollector* collector)
      : stream_(std::move(stream)), collector_(collector) {}

  [[nodiscard]] const DeviceFacts& facts() const override { return stream_->facts(); }
  [[nodiscard]] bool was_reopened() const override { return stream_->reopened() != 0; }

 private:
  Task<void> read_until(bool (*enough)(const ResultCollector&)) override {
    const LogStream::Sink sink = [this](const LogLine& line) { return collector_->add(line); };
    for (;;) {
      CO_TRY_VOID(stream_->drain(sink));
      if (enough(*collector_)) co_return ok();
      CO_TRY_VOID(co_await stream_->read_more());
    }
  }

  std::unique_ptr<LogStream> stream_;
  ResultCollector* collector_;
};

}  // namespace

Task<void> CommandLog::collect() {
  return read_until([](const ResultCollector& at) { return at.envelope() || at.unread(); });
}

Task<void> CommandLog::follow() {
  return read_until([](const ResultCollector&) { return false; });
}

std::unique_ptr<CommandLog> read_alone(std::unique_ptr<LogStream> stream,
                                       ResultCollector* collector) {
  return std::make_unique<OwnLog>(std::move(stream), collector);
}

}  // namespace clawperator
