// Input: log entries, "<writer><message>\0" each. Invariants: what the collector makes of them does
// not depend on how the binary log was cut; hierarchies and correlated lines stay within their
// bounds; the only error is a malformed result that names the command.

#include "runtime/engine/result_collector.hpp"

#include <string_view>

#include "adbproto/wire/logcat_binary.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using clawperator::ResultCollector;

namespace {

constexpr std::size_t kSnapshots = 2;
constexpr std::size_t kByteByByte = 1024;  // above it takes too long

Bytes binary_log(std::string_view text) {
  Bytes log;
  while (!text.empty()) {
    const auto end = std::min(text.find('\0'), text.size());
    const std::string_view entry = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (entry.empty()) continue;
    LogRecord record;
    record.pid = entry.front() & 1;
    record.tid = entry.front() & 2;
    record.sec = 1;
    record.priority = 'D';
    record.tag = (entry.front() & 4) != 0 ? "D" : "E";
    record.message = entry.substr(1);
    append(log, encode_log_record(record));
  }
  return log;
}

struct Outcome {
  std::optional<clawperator::Envelope> envelope;
  std::vector<std::string> hierarchies;
  std::vector<std::string> correlated;
  std::vector<std::string> events;
  std::optional<Errc> error;

  bool operator==(const Outcome&) const = default;
};

Outcome collect(ByteView log, std::size_t step) {
  Outcome outcome;
  ResultCollector collector("c-1", kSnapshots);
  collector.on_event([&](std::string_view text) { outcome.events.emplace_back(text); });
  LogcatBinaryReader reader;
  while (!log.empty() && !outcome.error) {
    const auto part = log.first(std::min(step, log.size()));
    log = log.subspan(part.size());
    reader.feed(part);
    for (auto record = reader.next(); record && *record && !outcome.error; record = reader.next()) {
      const LogRecord& entry = **record;
      const auto added = collector.add({entry.pid, entry.tid, entry.tag, entry.message});
      if (!added) outcome.error = added.error().code();
    }
  }
  outcome.envelope = collector.envelope();
  outcome.hierarchies = collector.hierarchies();
  outcome.correlated = collector.correlated();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes log = binary_log(as_text(fuzz::input(data, size)));
  const Outcome whole = collect(log, std::max<std::size_t>(log.size(), 1));
  if (log.size() <= kByteByByte) fuzz::require(collect(log, 1) == whole);
  fuzz::require(collect(log, 61) == whole);
  fuzz::require(whole.hierarchies.size() <= kSnapshots);
  fuzz::require(whole.correlated.size() <= 30);
  fuzz::require(!whole.error || *whole.error == Errc::result_envelope_malformed);
  for (const std::string& text : whole.hierarchies) {
    fuzz::require(text.size() <= size && text.ends_with("</hierarchy>"));
  }
  return 0;
}
