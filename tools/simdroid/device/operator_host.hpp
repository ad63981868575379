#pragma once
// The Operator apps as processes of the phone. Broadcasts go in; their log records become entries
// of the log buffer; and each app is called again at the time that it names. Between the app and
// the log, results are split into records, and the envelope and log faults are applied.
//
//   deliver() -> OperatorApp -> Progress -> [faults] -> records -> [faults] -> split -> LogBuffer
//                    ^------ run(), at wake_at

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "simdroid/device/faults.hpp"
#include "simdroid/device/log_buffer.hpp"
#include "simdroid/operator/operator_app.hpp"

namespace simdroid {

class Phone;

class OperatorHost {
 public:
  explicit OperatorHost(Phone* phone);
  ~OperatorHost();
  OperatorHost(const OperatorHost&) = delete;
  OperatorHost& operator=(const OperatorHost&) = delete;

  // A broadcast reached the receiver of `package`, which is installed.
  void deliver(const std::string& package, std::string_view payload);
  // am force-stop of the app itself.
  void kill(std::string_view package);
  void reset();

  // Calls the apps when they are due; runs until cancelled.
  asio::awaitable<void> run();
  asio::awaitable<void> stop();

 private:
  using Apps = std::map<std::string, std::unique_ptr<OperatorApp>, std::less<>>;

  OperatorApp& app(const std::string& package);
  void refresh_facts(const std::string& package, OperatorApp& app) const;
  bool queue_is_full();
  void take(const std::string& package, Progress progress);
  void write(const std::string& package, const LogRecord& record);
  void write_envelope(const std::string& package, const LogRecord& record);
  void command_began(const std::string& package, const LogRecord& record);
  void restart(const std::string& package);
  void publish(const std::string& package, const LogRecord& record);
  [[nodiscard]] const Faults& faults_of(const LogRecord& record) const;
  [[nodiscard]] std::vector<std::string> messages_of(const std::string& package,
                                                     const LogRecord& record);
  int pid_of(const std::string& package);
  void append(const std::string& package, const LogRecord& record);
  void append_entry(int pid, std::uint32_t uid, const LogRecord& record);
  asio::awaitable<void> append_later(std::string package, LogRecord record,
                                     std::vector<std::string> messages, Duration delay);
  void publish_recordings();

  Phone* phone_;
  FileMap recordings_;
  std::map<std::string, std::size_t, std::less<>> published_;  // path -> size
  Apps apps_;
  std::optional<Time> wake_at_;
  Signal rescheduled_;
  std::uint64_t entries_ = 0;
  Time burst_began_;
  std::int64_t burst_entries_ = 0;
  std::optional<std::pair<std::string, LogRecord>> held_;  // package, envelope
  std::map<std::string, std::string> payloads_;  // by command, for apps that forge its envelope
  std::uint64_t foreign_commands_ = 0;
  Scope late_;
};

}  // namespace simdroid
