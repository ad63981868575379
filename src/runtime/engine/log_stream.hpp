#pragma once
// The device's log from a known instant on: runs the script of runtime/android/shell_lines and
// reads its output, binary or text. The log is never cleared and never dumped. If the log daemon
// ends a logcat that fell behind, it is started again behind the last entry, but not twice within a
// minute.

#include <deque>

#include "adbproto/client/shell.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/logcat.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/engine/result_collector.hpp"

namespace clawperator {

class LogStream {
 public:
  // Opens the log and reads the header. logcat_unavailable when the device does not start logcat.
  static Task<std::unique_ptr<LogStream>> attach(adbproto::Device* device, KnownPhone known);
  // The service that attach() opens on a device whose shell reports its exit status.
  static std::string service_of(const KnownPhone& known);

  [[nodiscard]] const DeviceFacts& facts() const { return facts_; }

  // Passes the available entries to `sink`, whose error is final.
  using Sink = std::function<Result<void>(const LogLine&)>;
  Result<void> drain(const Sink& sink);
  // Continues over another link to the same phone, behind the last entry. Fails with
  // result_transport_exited where that is impossible, else as attach().
  Task<void> resume(adbproto::Device* device);
  // Waits for more. Fails with result_transport_exited when logcat ended, logcat_unavailable when
  // it ended without having printed anything, link_lost when the link did.
  Task<void> read_more();

  // The service that was opened last, and how often it was opened again after logd or the link had
  // ended it.
  [[nodiscard]] const std::string& service() const { return service_; }
  [[nodiscard]] std::size_t reopened() const { return reopened_; }

 private:
  LogStream(adbproto::ByteStreamPtr stream, adbproto::Framing framing)
      : output_(std::move(stream), framing) {}
  static Task<std::unique_ptr<LogStream>> open(adbproto::Device* device, std::string service);
  Task<void> read_header();
  void feed(ByteView bytes);
  // The next entry since the instant; nullopt: more bytes are needed. Views end with the next call.
  Result<std::optional<adbproto::LogRecord>> next_record();
  Result<std::optional<adbproto::LogRecord>> next_text_record();
  Task<void> fall_back();
  Task<void> reopen();
  [[nodiscard]] bool fell_behind(const Error& error) const;
  bool was_read(const adbproto::LogRecord& record);
  bool is_since_start(const adbproto::LogRecord& record);
  [[nodiscard]] Error end_error(const Error& error) const;

  // What distinguishes an entry from others, except its text.
  struct Seen {
    std::uint32_t sec = 0, nsec = 0;
    std::int32_t pid = 0, tid = 0;
    std::size_t size = 0;

    bool operator==(const Seen&) const = default;
  };
  static bool is_earlier(const Seen& one, const Seen& other);

  adbproto::Device* device_ = nullptr;
  std::string service_;
  adbproto::OutputStream output_;
  adbproto::LogcatBinaryReader records_;
  adbproto::LogcatTextReader lines_;
  adbproto::LogEntry entry_;  // of the record returned last
  LogShape shape_ = LogShape::binary;
  DeviceFacts facts_;
  bool saw_entries_ = false;
  bool past_start_ = false;
  std::deque<Seen> seen_;     // the last ones
  std::deque<Seen> repeats_;  // those that come again
  std::size_t reopened_ = 0;
  std::optional<adbproto::Clock::time_point> reopened_at_;
  // The meaning of the stream's end when logcat left no status.
  Errc end_without_status_ = errc::link_lost;
};

}  // namespace clawperator
