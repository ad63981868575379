#pragma once
// The device's log from a known instant on: one shell command that tells the device's own time
// and then becomes `logcat -B`, so nothing written after that instant can be missed, whenever
// logcat itself gets going.
//
//   <boot id>|<ro.serialno>|<seconds.fraction>\n   then logcat's binary entries
//
// The log is never cleared and never dumped.

#include <memory>
#include <string>

#include "adbproto/client/shell.hpp"
#include "adbproto/wire/logcat_binary.hpp"
#include "runtime/engine/result_collector.hpp"

namespace clawperator {

struct DeviceFacts {
  std::string boot_id;   // empty where the shell may not read it
  std::string serialno;  // ro.serialno, empty where unknown
  std::uint32_t sec = 0;
  std::uint32_t nsec = 0;
};

// The header line, without its line break. logcat_unavailable when it is none.
adbproto::Result<DeviceFacts> parse_log_header(std::string_view line);

class LogStream {
 public:
  // Opens and reads the header. logcat_unavailable when the device does not start it.
  static adbproto::Task<std::unique_ptr<LogStream>> attach(adbproto::Device* device);

  [[nodiscard]] const DeviceFacts& facts() const { return facts_; }

  // Feeds entries written since the instant to `collector` until it holds an envelope. Fails with
  // result_transport_exited when logcat ended, logcat_unavailable when it did so without having
  // printed anything, link_lost when the link did, or as the collector.
  adbproto::Task<void> collect(ResultCollector* collector);
  // The same until it holds `count` hierarchies.
  adbproto::Task<void> collect_hierarchies(ResultCollector* collector, std::size_t count);

 private:
  LogStream(adbproto::ByteStreamPtr stream, adbproto::Framing framing)
      : output_(std::move(stream), framing) {}
  static adbproto::Task<std::unique_ptr<LogStream>> open(adbproto::Device* device);
  adbproto::Task<void> read_header();
  adbproto::Result<void> drain(ResultCollector* collector);
  adbproto::Task<void> read_more();
  [[nodiscard]] bool is_ours(const adbproto::LogRecord& record) const;
  [[nodiscard]] adbproto::Error end_error(const adbproto::Error& error) const;

  adbproto::OutputStream output_;
  adbproto::LogcatBinaryReader records_;
  DeviceFacts facts_;
  bool saw_entries_ = false;
  // What the end of the stream means when logcat left no status.
  adbproto::Errc end_without_status_ = adbproto::Errc::link_lost;
};

}  // namespace clawperator
