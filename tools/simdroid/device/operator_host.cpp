#include "simdroid/device/operator_host.hpp"

#include "simdroid/device/phone.hpp"

namespace simdroid {
namespace {

constexpr std::string_view kResultMark = "[Clawperator-Result] ";

LogPriority priority_of(char letter) {
  switch (letter) {
    case 'V': return LogPriority::verbose;
    case 'I': return LogPriority::info;
    case 'W': return LogPriority::warn;
    case 'E': return LogPriority::error;
    default: return LogPriority::debug;
  }
}

LogRecord foreign_envelope(const LogRecord& from, std::string_view json) {
  LogRecord foreign = from;
  foreign.kind = LogKind::progress;
  foreign.message = std::string(kResultMark).append(json);
  return foreign;
}

std::int64_t in_milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).count();
}

}  // namespace

OperatorHost::OperatorHost(Phone* phone)
    : phone_(phone), rescheduled_(phone->executor), late_(phone->executor) {}

OperatorHost::~OperatorHost() { late_.cancel(); }

OperatorApp& OperatorHost::app(const std::string& package) {
  auto& app = apps_[package];
  if (!app) {
    OperatorOptions options;
    options.package = package;
    options.latencies = phone_->costs;
    options.seed = phone_->options.seed;
    options.wall_offset_ms = in_milliseconds(phone_->clock.now().time_since_epoch()) -
                             in_milliseconds(Clock::now().time_since_epoch());
    app = std::make_unique<OperatorApp>(phone_->world.get(), &recordings_, options);
  }
  refresh_facts(package, *app);
  return *app;
}

void OperatorHost::refresh_facts(const std::string& package, OperatorApp& app) const {
  const Settings& settings = phone_->settings;
  DeviceFacts& facts = app.facts();
  facts.accessibility = phone_->accessibility.serves(package);
  facts.developer_options = settings.get("global", "development_settings_enabled") == "1";
  facts.usb_debugging = settings.get("global", "adb_enabled") == "1";
  facts.storage_available = !phone_->faults.active(Fault::storage_unavailable);
}

void OperatorHost::deliver(const std::string& package, std::string_view payload) {
  phone_->ui();
  take(package, app(package).receive(payload, Clock::now()));
}

void OperatorHost::kill(std::string_view package) {
  if (const auto at = apps_.find(package); at != apps_.end()) at->second->kill();
}

void OperatorHost::reset() {
  late_.cancel();
  apps_.clear();
  wake_at_.reset();
}

asio::awaitable<void> OperatorHost::stop() {
  late_.cancel();
  co_await late_.join();
}

void OperatorHost::take(const std::string& package, Progress progress) {
  for (const LogRecord& record : progress.log) write(package, record);
  publish_recordings();
  if (!progress.wake_at) return;
  if (!wake_at_ || *progress.wake_at < *wake_at_) {
    wake_at_ = progress.wake_at;
    rescheduled_.notify_all();
  }
}

void OperatorHost::write(const std::string& package, const LogRecord& record) {
  if (record.kind == LogKind::envelope) {
    write_envelope(package, record);
  } else {
    append(package, record);
  }
}

void OperatorHost::write_envelope(const std::string& package, const LogRecord& record) {
  const Faults& faults = phone_->faults;
  if (faults.active(Fault::envelope_foreign)) {
    append(package, foreign_envelope(
                        record, R"({"commandId":"somebody-else","taskId":"t","status":"success",)"
                                R"("stepResults":[],"error":null})"));
  }
  if (faults.active(Fault::envelope_foreign_malformed)) {
    append(package, foreign_envelope(record, R"({"commandId":"somebody-else","taskId":)"));
  }
  if (faults.active(Fault::envelope_none)) return;
  LogRecord written = record;
  if (faults.active(Fault::envelope_malformed)) {
    written.message.resize(written.message.size() - written.message.size() / 3);
  }
  const int copies = faults.active(Fault::envelope_duplicate) ? 2 : 1;
  for (int i = 0; i < copies; ++i) {
    if (faults.active(Fault::envelope_late)) {
      const std::chrono::milliseconds delay(faults.number(Fault::envelope_late));
      late_.spawn(append_later(package, written, delay));
    } else {
      append(package, written);
    }
  }
}

asio::awaitable<void> OperatorHost::append_later(std::string package, LogRecord record,
                                                 Duration delay) {
  co_await sleep_for(delay);
  append(package, record);
}

// logd drains its socket at a low priority: what is written at once beyond the queue is lost.
bool OperatorHost::queue_is_full() {
  constexpr auto kBurst = std::chrono::milliseconds(20);
  const Time now = Clock::now();
  if (now - burst_began_ > kBurst) {
    burst_began_ = now;
    burst_entries_ = 0;
  }
  return phone_->faults.active(Fault::log_queue) &&
         ++burst_entries_ > phone_->faults.number(Fault::log_queue);
}

void OperatorHost::append(const std::string& package, const LogRecord& record) {
  const int pid = phone_->processes.pid_of(package);
  const Faults& faults = phone_->faults;
  for (std::string& piece : split_log_message(record.message)) {
    ++entries_;
    if (faults.active(Fault::log_drop)) {
      const auto every =
          static_cast<std::uint64_t>(std::max<std::int64_t>(faults.number(Fault::log_drop), 1));
      if (entries_ % every == 0) continue;
    }
    if (queue_is_full()) continue;
    phone_->log.append({LogBufferId::main, pid, static_cast<std::uint32_t>(pid), 10118,
                        phone_->clock.now(), priority_of(record.priority), record.tag,
                        std::move(piece)});
  }
}

void OperatorHost::publish_recordings() {
  constexpr std::string_view kSdcard = "/sdcard/";
  for (const auto& [path, content] : recordings_) {
    auto& size = published_[path];
    if (size == content.size()) continue;
    size = content.size();
    const std::string target =
        path.starts_with(kSdcard) ? "/storage/emulated/0/" + path.substr(kSdcard.size()) : path;
    phone_->files.install(target, content);
  }
}

asio::awaitable<void> OperatorHost::run() {
  while (true) {
    if (!wake_at_) {
      co_await rescheduled_.wait();
      continue;
    }
    const Time now = Clock::now();
    if (*wake_at_ > now) {
      // A new, earlier appointment interrupts the sleep.
      using namespace adbproto::parallel;
      co_await (sleep_for(*wake_at_ - now) || rescheduled_.wait());
      continue;
    }
    wake_at_.reset();
    for (auto& [package, app] : apps_) {
      refresh_facts(package, *app);
      take(package, app->advance(now));
    }
  }
}

}  // namespace simdroid
