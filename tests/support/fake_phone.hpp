#pragma once
// A phone for engine tests: services of Android, the Operator app as a callback, the log as a
// queue. One phone stands behind every Device that resolve() hands out.
//
//   FakePhone phone(loop);
//   phone.on_broadcast = [&](const std::string& payload) { phone.log(envelope); };
//   auto result = loop.run(execute(request, nullptr, phone.resolve()));

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "adbproto/wire/logcat.hpp"
#include "base/async/signal.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/engine/engine.hpp"
#include "support/fake_device.hpp"
#include "support/log_records.hpp"
#include "support/timber.hpp"

namespace clawperator::testing {

// The words of a command in any of its spellings, `am` and `cmd activity` being `activity`.
inline std::vector<std::string> words_of(std::string_view service) {
  std::vector<std::string> words(1);
  if (service.starts_with("abb:")) {
    for (const char c : service.substr(4)) {
      if (c == '\0') {
        words.emplace_back();
      } else {
        words.back() += c;
      }
    }
    return words;
  }
  char quote = '\0';
  for (const char c : service.substr(service.find(':') + 1)) {
    if (quote == '\0' && c == ' ') {
      words.emplace_back();
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else {
      words.back() += c;
    }
  }
  if (words.front() == "cmd") words.erase(words.begin());
  if (words.front() == "am") words.front() = "activity";
  if (words.front() == "pm") words.front() = "package";
  return words;
}

class FakePhone {
 public:
  using Words = std::vector<std::string>;
  static constexpr std::uint32_t kNow = 1'700'000'000;

  explicit FakePhone(adbproto::testing::Loop& loop,
                     adbproto::FeatureSet features = {"shell_v2", "cmd"})
      : loop_(loop), features_(std::move(features)), log_(std::make_shared<Log>(loop.executor())) {}

  // The Operator gets the payload before the broadcast command ends.
  std::function<void(const std::string& payload)> on_broadcast = [](const std::string&) {};
  adbproto::testing::FakeService after_broadcast =
      adbproto::testing::prints("Broadcast completed: result=0\n");
  adbproto::testing::FakeService screencap = adbproto::testing::prints("", "no screen", 1);
  adbproto::testing::FakeService force_stop = adbproto::testing::prints("");
  std::string packages = "package:com.clawperator.operator\n";
  std::string current_user = "0\n";
  // Whether a line that is to run only then finds its app in front.
  bool has_app_in_front = true;
  std::string log_header = "boot-1|SERIAL1|34|1700000000.000000000\n";
  // Applied to each Device before it is handed out.
  std::function<void(adbproto::testing::FakeDevice&)> prepare = [](auto&) {};

  // One message of the app, as its logger writes it.
  void log(std::string_view message, std::int32_t pid = 4711) {
    for (const std::string& entry : timber_entries(message)) log_entry(entry, pid);
  }
  // One of the entries that a message becomes, later than those before.
  void log_entry(std::string_view entry, std::int32_t pid = 4711) {
    adbproto::LogRecord record;
    record.pid = pid;
    record.tid = pid;
    record.sec = kNow + 1;
    record.nsec = ++entries_;
    record.priority = 'D';
    record.tag = "E";
    record.message = entry;
    log_record(record);
  }
  void log_record(const adbproto::LogRecord& record) {
    write_log(encode_shell_packet(adbproto::ShellId::standard_out, encode_log_record(record)));
  }
  // One line as logcat prints it in a text format.
  void log_line(std::string_view line) {
    write_log(
        encode_shell_packet(adbproto::ShellId::standard_out, as_bytes(std::string(line) + "\n")));
  }
  // logcat ends with a status, or the stream without one.
  void exit_logcat(std::string_view err, int status) {
    write_log(as_bytes(adbproto::testing::shell_output("", err, status)));
    cut_log();
  }
  void cut_log() {
    log_->ended = true;
    log_->changed.notify_all();
  }

  // Commands in the order in which they began, apart from the question who is in front.
  [[nodiscard]] const std::vector<Words>& commands() const { return *commands_; }
  [[nodiscard]] bool received(std::string_view verb) const {
    for (const Words& words : *commands_) {
      for (const std::string& word : words) {
        if (word == verb) return true;
      }
    }
    return false;
  }

  ResolveDevice resolve() {
    return [this](const TargetOptions&) { return hand_out(make_device()); };
  }

  std::unique_ptr<adbproto::testing::FakeDevice> make_device() {
    using namespace adbproto::testing;
    auto device = std::make_unique<FakeDevice>(loop_, features_, "phone-1");
    device->serve("shell,v2,raw:read B", follow_log());
    device->serve("shell,v2,raw:screencap", screencap);
    for (const char* prefix :
         {"abb:", "shell,v2,raw:cmd ", "shell,v2,raw:am ", "shell,v2,raw:pm "}) {
      device->serve(prefix, command());
    }
    device->serve("shell,v2,raw:if dumpsys window ", command_if_in_front());
    prepare(*device);
    return device;
  }

 private:
  struct Log {
    explicit Log(const asio::any_io_executor& executor) : changed(executor) {}
    Bytes bytes;
    bool ended = false;
    int readers = 0;  // so far; the newest gets everything
    adbproto::Signal changed;
  };

  void write_log(ByteView bytes) {
    append(log_->bytes, bytes);
    log_->changed.notify_all();
  }

  static Task<std::unique_ptr<adbproto::Device>> hand_out(
      std::unique_ptr<adbproto::Device> device) {
    co_return device;
  }

  static Task<void> write_entries(adbproto::ByteStreamPtr stream, std::shared_ptr<Log> log,
                                  std::string header) {
    CO_TRY_VOID(co_await stream->write_all(
        encode_shell_packet(adbproto::ShellId::standard_out, as_bytes(header))));
    const int mine = ++log->readers;
    while (log->readers == mine) {
      const Bytes bytes = std::exchange(log->bytes, {});
      CO_TRY_VOID(co_await stream->write_all(bytes));
      if (!log->bytes.empty()) continue;
      if (std::exchange(log->ended, false)) co_return ok();
      co_await log->changed.wait();
    }
    co_return ok();
  }

  adbproto::testing::FakeService follow_log() {
    return [log = log_, header = log_header](adbproto::ByteStreamPtr stream, const std::string&) {
      return write_entries(std::move(stream), log, header);
    };
  }

  adbproto::testing::FakeService command() {
    return [this](adbproto::ByteStreamPtr stream, const std::string& service) {
      const Words words = words_of(service);
      if (words.size() < 2 || words[1] != "get-current-user") commands_->push_back(words);
      if (words.size() >= 4 && words[1] == "list") {
        return adbproto::testing::prints(packages)(std::move(stream), service);
      }
      if (words.size() >= 2 && words[1] == "get-current-user") {
        return adbproto::testing::prints(current_user)(std::move(stream), service);
      }
      if (words.size() >= 2 && words[1] == "force-stop") {
        return force_stop(std::move(stream), service);
      }
      const auto payload = std::ranges::find(words, "payload");
      if (payload != words.end()) on_broadcast(*std::next(payload));
      return after_broadcast(std::move(stream), service);
    };
  }

  adbproto::testing::FakeService command_if_in_front() {
    return [this](adbproto::ByteStreamPtr stream, const std::string& service) {
      if (!has_app_in_front) {
        return adbproto::testing::prints(std::string(kHeldBack) + "\n")(std::move(stream), service);
      }
      constexpr std::string_view kThen = ";then ";
      return command()(std::move(stream), ":" + service.substr(service.find(kThen) + kThen.size()));
    };
  }

  adbproto::testing::Loop& loop_;
  adbproto::FeatureSet features_;
  std::shared_ptr<Log> log_;
  std::uint32_t entries_ = 0;
  std::shared_ptr<std::vector<Words>> commands_ = std::make_shared<std::vector<Words>>();
};

}  // namespace clawperator::testing
