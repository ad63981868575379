#include "simdroid/device/operator_host.hpp"

#include <utility>

#include "simdroid/device/envelope_faults.hpp"
#include "simdroid/device/phone.hpp"
#include "simdroid/operator/command.hpp"

namespace simdroid {
namespace {

constexpr std::uint32_t kOperatorUid = 10118;

LogPriority priority_of(char letter) {
  switch (letter) {
    case 'V': return LogPriority::verbose;
    case 'I': return LogPriority::info;
    case 'W': return LogPriority::warn;
    case 'E': return LogPriority::error;
    default: return LogPriority::debug;
  }
}

LogRecord with_message(const LogRecord& from, std::string message) {
  LogRecord record = from;
  record.message = std::move(message);
  return record;
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
  const Package* installed = phone_->packages->find(package);
  const std::string version = installed != nullptr ? installed->version_name : "";
  if (!app || (installed != nullptr && app->version() != version)) {
    OperatorOptions options;
    options.package = package;
    options.version = version;
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
  const Faults& faults = phone_->faults;
  facts.storage_available = !faults.active(Fault::storage_unavailable);
  facts.scrolls_comparable = !faults.active(Fault::scroll_unknown);
  facts.sdk = phone_->sdk();
  const auto number = [&](Fault fault) { return faults.active(fault) ? faults.number(fault) : 0; };
  facts.hanging_step = static_cast<int>(number(Fault::step_hangs));
  facts.step_gap = std::chrono::milliseconds(number(Fault::step_gap));
}

void OperatorHost::deliver(const std::string& package, std::string_view payload) {
  phone_->ui();
  const Faults& faults = phone_->faults;
  OperatorApp& receiver = app(package);
  if (faults.active(Fault::foreign_command) && receiver.idle()) {
    const std::string foreign =
        foreign_payload(++foreign_commands_, faults.number(Fault::foreign_command));
    take(package, receiver.receive(foreign, Clock::now()));
  }
  payloads_.clear();
  if (faults.active(Fault::envelope_forged)) {
    if (const auto command = parse_command(payload, receiver.can())) {
      payloads_[command->command_id] = payload;
    }
  }
  take(package, receiver.receive(payload, Clock::now()));
}

void OperatorHost::kill(std::string_view package) {
  if (const auto at = apps_.find(package); at != apps_.end()) at->second->kill();
}

void OperatorHost::reset() {
  late_.cancel();
  held_.reset();
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
  if (record.kind == LogKind::envelope) return write_envelope(package, record);
  append(package, record);
  if (record.kind == LogKind::start && !is_foreign(record.command_id)) {
    command_began(package, record);
  }
}

void OperatorHost::command_began(const std::string& package, const LogRecord& record) {
  if (held_) {
    const auto [held_by, envelope] = *std::exchange(held_, std::nullopt);
    [[maybe_unused]] const auto cleared = phone_->faults.clear("envelope-held");
    publish(held_by, envelope);
  }
  if (phone_->faults.active(Fault::app_restarts)) restart(package);
  if (const auto payload = payloads_.find(record.command_id); payload != payloads_.end()) {
    constexpr int kOtherPid = 3107;
    constexpr std::uint32_t kOtherUid = 10207;
    LogRecord forged = with_message(record, forged_envelope(app(package).names(), payload->second));
    forged.priority = 'I';
    append_entry(kOtherPid, kOtherUid, forged);
  }
}

void OperatorHost::restart(const std::string& package) {
  const int pid = pid_of(package);
  ProcessEntry entry = phone_->processes.all().at(pid);
  phone_->processes.remove(pid);
  phone_->processes.add(std::move(entry));
}

void OperatorHost::write_envelope(const std::string& package, const LogRecord& record) {
  const Faults& faults = phone_->faults;
  if (is_foreign(record.command_id)) return publish(package, record);
  const auto foreign = [&](const char* json) {
    append(package, with_message(record, app(package).names().line("Result", json)));
  };
  if (faults.active(Fault::envelope_foreign)) {
    foreign(
        R"({"commandId":"somebody-else","taskId":"t","status":"success","stepResults":[],"error":null})");
  }
  if (faults.active(Fault::envelope_foreign_malformed)) {
    foreign(R"({"commandId":"somebody-else","taskId":)");
  }
  if (faults.active(Fault::envelope_none)) return;
  if (faults.active(Fault::envelope_held)) {
    held_.emplace(package, record);
    return;
  }
  publish(package, record);
}

// No fault is about what another host gets.
const Faults& OperatorHost::faults_of(const LogRecord& record) const {
  static const Faults kNone;
  return is_foreign(record.command_id) ? kNone : phone_->faults;
}

void OperatorHost::publish(const std::string& package, const LogRecord& record) {
  const Faults& faults = faults_of(record);
  const auto messages = messages_of(package, record);
  const bool late = faults.active(Fault::envelope_late);
  const std::chrono::milliseconds delay(late ? faults.number(Fault::envelope_late) : 0);
  const bool at_once = !late && phone_->costs.record_pause.base == Duration::zero();
  const int copies = faults.active(Fault::envelope_duplicate) ? 2 : 1;
  for (int i = 0; i < copies; ++i) {
    if (!at_once && (late || messages.size() > 3)) {
      late_.spawn(append_later(package, record, messages, delay));
      continue;
    }
    for (const std::string& message : messages) append(package, with_message(record, message));
  }
}

// The entries of one envelope: the line or its records, and the lines around them.
std::vector<std::string> OperatorHost::messages_of(const std::string& package,
                                                   const LogRecord& record) {
  const OperatorApp& writer = app(package);
  const OperatorNames& names = writer.names();
  const ResultIds ids{record.command_id, record.task_id};
  std::string line = record.message;
  alter_envelope(faults_of(record), line);
  const bool pieces = writer.can().pieces && !record.by_receiver;
  auto messages = pieces ? result_records(names, ids, line) : std::vector{line};
  if (writer.can().pieces) alter_records(faults_of(record), names, ids, line, messages);
  if (!pieces) return messages;
  const auto pauses = static_cast<int>(record_count(line.size()) - 1);
  messages.insert(messages.begin(), publication_started(names, ids, line.size()));
  messages.push_back(
      publication_completed(names, ids, line.size(), phone_->costs.record_pause.base * pauses));
  return messages;
}

asio::awaitable<void> OperatorHost::append_later(std::string package, LogRecord record,
                                                 std::vector<std::string> messages,
                                                 Duration delay) {
  co_await sleep_for(delay);
  const Duration pause = phone_->costs.record_pause.base;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const bool before_record = i > 1 && i + 1 < messages.size();
    if (before_record && pause > Duration::zero()) co_await sleep_for(pause);
    append(package, with_message(record, messages[i]));
  }
}

// logd drains its socket at a low priority: lines that come at once beyond the queue are lost.
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

// An app that was installed since has no process yet.
int OperatorHost::pid_of(const std::string& package) {
  const int pid = phone_->processes.pid_of(package);
  return pid != 0 ? pid : phone_->processes.add({"u0_a118", package, {}});
}

void OperatorHost::append(const std::string& package, const LogRecord& record) {
  append_entry(pid_of(package), kOperatorUid, record);
}

void OperatorHost::append_entry(int pid, std::uint32_t uid, const LogRecord& record) {
  const Faults& faults = phone_->faults;
  for (std::string& piece : split_log_message(record.message)) {
    ++entries_;
    if (faults.active(Fault::log_drop)) {
      const auto every =
          static_cast<std::uint64_t>(std::max<std::int64_t>(faults.number(Fault::log_drop), 1));
      if (entries_ % every == 0) continue;
    }
    if (queue_is_full()) continue;
    phone_->log.append({LogBufferId::main, pid, static_cast<std::uint32_t>(pid), uid,
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
      using namespace base::parallel;
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
