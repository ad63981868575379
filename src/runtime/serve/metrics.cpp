#include "runtime/serve/metrics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/json_text.hpp"
#include "runtime/contract/action_table.hpp"

namespace clawperator::serve {
namespace {

using std::chrono::microseconds;

// Seconds as Prometheus prints them, and microseconds.
constexpr std::pair<std::string_view, std::uint64_t> kBoundTable[] = {
    {"0.001", 1'000},   {"0.0025", 2'500},  {"0.005", 5'000},  {"0.01", 10'000}, {"0.025", 25'000},
    {"0.05", 50'000},   {"0.1", 100'000},   {"0.25", 250'000}, {"0.5", 500'000}, {"1", 1'000'000},
    {"2.5", 2'500'000}, {"10", 10'000'000}, {"60", 60'000'000}};

std::string verb_of(const Execution& execution) {
  if (execution.actions.size() != 1) return "plan";
  return std::string(action_name(execution.actions.front().type()));
}

std::string result_name(const Result<ExecuteResult>& result) {
  if (!result) return std::string(result.error().code()->published);
  return succeeded(result->envelope) ? "ok" : "failed";
}

// A label's value: any text, but for these three.
std::string label(std::string_view text) {
  std::string escaped = "\"";
  for (const char c : text) {
    if (c == '\n') {
      escaped += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped + '"';
}

std::string head(std::string_view name, std::string_view type, std::string_view help) {
  std::string text = "# HELP ";
  text.append(name).append(" ").append(help).append("\n# TYPE ");
  return text.append(name).append(" ").append(type).append("\n");
}

std::string single(std::string_view name, std::string_view type, std::string_view help,
                   std::uint64_t value) {
  return head(name, type, help).append(name).append(" " + std::to_string(value) + "\n");
}

std::string seconds(std::uint64_t micros) {
  std::string fraction = std::to_string(1'000'000 + micros % 1'000'000).substr(1);
  return std::to_string(micros / 1'000'000) + "." + fraction;
}

std::string quantiles_json(const Histogram& histogram) {
  return JsonObject()
      .number("p50", histogram.quantile(0.5).count())
      .number("p95", histogram.quantile(0.95).count())
      .number("p99", histogram.quantile(0.99).count())
      .number("max", histogram.largest().count())
      .str();
}

}  // namespace

// Below 8 each number has its own; from there on each power of two has eight parts.
std::size_t Histogram::bucket_of(std::uint64_t micros) {
  if (micros < kParts) return micros;
  const unsigned power = static_cast<unsigned>(std::bit_width(micros)) - 1;
  const std::size_t part = (micros >> (power - 3)) - kParts;
  return std::min<std::size_t>((power - 2) * kParts + part, kBuckets - 1);
}

void Histogram::add(microseconds duration) {
  const auto micros = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
  ++buckets_[bucket_of(micros)];
  ++count_;
  largest_ = std::max(largest_, duration);
}

microseconds Histogram::quantile(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t at = 0; at < kBuckets; ++at) {
    seen += buckets_[at];
    if (seen < wanted || seen == 0) continue;
    if (at < kParts) return microseconds(at);
    if (at == kBuckets - 1) break;
    const std::size_t power = at / kParts + 2;
    const std::uint64_t end = (at % kParts + kParts + 1) << (power - 3);
    return std::min(microseconds(end - 1), largest_);
  }
  return largest_;
}

Metrics::Device& Metrics::device_of(const std::string& serial) {
  if (!devices_.contains(serial) && devices_.size() == kMaxDevices) {
    devices_.erase(std::ranges::min_element(devices_, {},
                                            [](const auto& entry) { return entry.second.used; }));
  }
  Device& device = devices_[serial];
  device.used = ++uses_;
  return device;
}

void Metrics::add_phases(Series& series, const std::string& verb, const Timings& timings) {
  auto& phases = phases_[verb];
  for (std::size_t at = 0; at < kPhases; ++at) {
    const microseconds duration = timings.*kTimingPhases[at].second;
    series.phases[at].add(duration);
    const auto micros = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
    Phase& phase = phases[at];
    ++phase.count;
    phase.micros += micros;
    for (std::size_t bound = 0; bound < kBounds; ++bound) {
      if (micros <= kBoundTable[bound].second) ++phase.below[bound];
    }
  }
}

void Metrics::record(const Execution& execution, const std::optional<std::string>& device,
                     const Result<ExecuteResult>& result) {
  const std::string verb = verb_of(execution);
  Series& series = device_of(device.value_or("")).verbs[verb];
  ++series.results[result_name(result)];
  if (result) add_phases(series, verb, result->timings);
}

void Metrics::record_input(std::string_view kind, const std::string& device,
                           const Result<std::string>& done) {
  Series& series = device_of(device).verbs["input_" + std::string(kind)];
  ++series.results[done ? "ok" : std::string(done.error().code()->published)];
}

std::string Metrics::phase_lines() const {
  constexpr std::string_view kName = "clawperator_phase_seconds";
  std::string text = head(kName, "histogram", "Time of executions that were answered, by phase.");
  for (const auto& [verb, phases] : phases_) {
    for (std::size_t at = 0; at < kPhases; ++at) {
      const Phase& phase = phases[at];
      const std::string labels = "verb=" + label(verb) + ",phase=" + label(kTimingPhases[at].first);
      const auto line = [&](std::string_view suffix, const std::string& all,
                            const std::string& value) {
        text.append(kName).append(suffix).append("{" + all + "} " + value + "\n");
      };
      for (std::size_t bound = 0; bound < kBounds; ++bound) {
        line("_bucket", labels + ",le=" + label(kBoundTable[bound].first),
             std::to_string(phase.below[bound]));
      }
      line("_bucket", labels + ",le=\"+Inf\"", std::to_string(phase.count));
      line("_sum", labels, seconds(phase.micros));
      line("_count", labels, std::to_string(phase.count));
    }
  }
  return text;
}

std::string Metrics::prometheus(const Gauges& now) const {
  constexpr std::string_view kTotal = "clawperator_executions_total";
  constexpr std::string_view kDevices = "clawperator_devices";
  std::string text = head(kTotal, "counter", "Executions by device, verb and result.");
  for (const auto& [serial, device] : devices_) {
    for (const auto& [verb, series] : device.verbs) {
      for (const auto& [result, count] : series.results) {
        text.append(kTotal).append("{device=" + label(serial) + ",verb=" + label(verb) +
                                   ",result=" + label(result) + "} " + std::to_string(count) +
                                   "\n");
      }
    }
  }
  text += phase_lines();
  text += head(kDevices, "gauge", "Devices by state.");
  for (const auto& [state, count] : now.devices) {
    text.append(kDevices).append("{state=" + label(state) + "} " + std::to_string(count) + "\n");
  }
  text +=
      single("clawperator_executions_in_flight", "gauge", "Executions under way.", now.in_flight);
  text +=
      single("clawperator_event_streams", "gauge", "Readers of GET /events.", now.event_streams);
  text += single("clawperator_events_total", "counter", "Events published.", now.events);
  return text;
}

std::optional<std::string> Metrics::stats(const std::string& serial) const {
  const auto device = devices_.find(serial);
  if (device == devices_.end()) return std::nullopt;
  JsonObject verbs;
  for (const auto& [verb, series] : device->second.verbs) {
    std::uint64_t count = 0;
    for (const auto& [result, times] : series.results) count += times;
    const auto ok = series.results.find("ok");
    JsonObject micros;
    for (std::size_t at = 0; at < kPhases; ++at) {
      micros.json(kTimingPhases[at].first, quantiles_json(series.phases[at]));
    }
    verbs.object(verb,
                 JsonObject()
                     .number("count", static_cast<std::int64_t>(count))
                     .number("errors", static_cast<std::int64_t>(
                                           count - (ok == series.results.end() ? 0 : ok->second)))
                     .object("micros", micros));
  }
  return JsonObject().text("deviceId", serial).object("verbs", verbs).str();
}

}  // namespace clawperator::serve
