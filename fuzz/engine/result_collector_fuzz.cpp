// Input: log entries, "<writer><message>\0" each. Invariants: what the collector makes of them does
// not depend on how the binary log was cut; hierarchies, correlated lines and all that is held stay
// within their bounds; the only error is a malformed result that names the command; what processes
// other than the result's writer say changes neither the result nor a hierarchy; the work is
// linear.

#include "runtime/engine/result_collector.hpp"

#include <string_view>

#include "adbproto/wire/logcat.hpp"
#include "runtime/contract/errc.hpp"
#include "support/log_records.hpp"
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
  std::vector<clawperator::Hierarchy> hierarchies;
  std::vector<std::string> correlated;
  std::vector<std::string> events;
  std::optional<Errc> error;
  std::optional<std::int32_t> writer;  // of the result
  std::size_t extra_work = 0;
  std::size_t most_held = 0;

  bool operator==(const Outcome&) const = default;
};

// Of one process alone, if one is named.
Outcome collect(ByteView log, std::size_t step, std::optional<std::int32_t> only = {}) {
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
      if (only && entry.pid != *only) continue;
      const auto added = collector.add({entry.pid, entry.tid, entry.tag, entry.message});
      if (!added) outcome.error = added.error().code();
      outcome.most_held = std::max(outcome.most_held, collector.held());
      if (collector.envelope() && !outcome.writer) outcome.writer = entry.pid;
    }
  }
  outcome.envelope = collector.envelope();
  outcome.hierarchies = collector.take_hierarchies();
  outcome.extra_work = collector.extra_work();
  outcome.correlated = collector.correlated();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes log = binary_log(as_text(fuzz::input(data, size)));
  const Outcome whole = collect(log, std::max<std::size_t>(log.size(), 1));
  if (log.size() <= kByteByByte) fuzz::require(collect(log, 1) == whole);
  fuzz::require(collect(log, 61) == whole);
  fuzz::require(whole.hierarchies.size() <= 2 * kSnapshots + 4);
  fuzz::require(whole.correlated.size() <= 30);
  fuzz::require(!whole.error || *whole.error == errc::result_envelope_malformed);
  fuzz::require(whole.extra_work <= size);
  fuzz::require(whole.most_held <= size + (std::size_t{1} << 20));  // folded lines are put back
  fuzz::require(whole.hierarchies.empty() || whole.envelope);
  for (const clawperator::Hierarchy& found : whole.hierarchies) {
    const bool whole_text = found.text.size() <= size && found.text.ends_with("</hierarchy>");
    fuzz::require(whole_text || found.flaw != clawperator::Flaw::none);
  }
  if (whole.error || !whole.writer) return 0;
  const Outcome alone = collect(log, std::max<std::size_t>(log.size(), 1), whole.writer);
  fuzz::require(alone.envelope == whole.envelope && alone.hierarchies == whole.hierarchies);
  return 0;
}
