#pragma once
// The server's executions in numbers: GET /metrics and GET /devices/:serial/stats. Pure.
//
// A series per device and verb (the one step's action, else "plan") counts by power of two, each in
// eight parts, so that a reported quantile is within an eighth of the true one. The 64 devices that
// were used last are kept.

#include <iterator>
#include <map>

#include "runtime/engine/timing_phases.hpp"

namespace clawperator::serve {

inline constexpr std::size_t kPhases = std::size(kTimingPhases);

class Histogram {
 public:
  void add(std::chrono::microseconds duration);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  // The upper end of the part that holds it; the largest one exactly.
  [[nodiscard]] std::chrono::microseconds quantile(double share) const;
  [[nodiscard]] std::chrono::microseconds largest() const { return largest_; }

 private:
  static constexpr unsigned kParts = 8;
  static constexpr std::size_t kBuckets = 34 * kParts;  // to nearly five hours

  static std::size_t bucket_of(std::uint64_t micros);

  std::array<std::uint32_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
  std::chrono::microseconds largest_{};
};

// The current values.
struct Gauges {
  std::size_t in_flight = 0;
  std::size_t event_streams = 0;
  std::uint64_t events = 0;                         // published so far
  std::map<std::string, std::size_t> devices = {};  // by state
};

class Metrics {
 public:
  // Bounds memory and the length of a scrape; the device unused for longest is dropped.
  static constexpr std::size_t kMaxDevices = 64;

  // `device`: as far as it was found.
  void record(const Execution& execution, const std::optional<std::string>& device,
              const Result<ExecuteResult>& result);

  // Of the device's own `input`: "input_tap", ...
  void record_input(std::string_view kind, const std::string& device,
                    const Result<std::string>& done);

  // Prometheus's text format, version 0.0.4.
  [[nodiscard]] std::string prometheus(const Gauges& now) const;
  // {"deviceId","verbs":{"click":{"count","errors","micros":{"total":{"p50","p95","p99","max"}}}}};
  // nullopt: nothing was done there.
  [[nodiscard]] std::optional<std::string> stats(const std::string& serial) const;

 private:
  static constexpr std::size_t kBounds = 13;  // rows of kBoundTable

  struct Series {
    std::map<std::string, std::uint64_t> results;  // "ok", "failed", an error's code
    std::array<Histogram, kPhases> phases;
  };
  struct Device {
    std::map<std::string, Series> verbs;
    std::uint64_t used = 0;
  };
  struct Phase {
    std::array<std::uint64_t, kBounds> below{};
    std::uint64_t count = 0;
    std::uint64_t micros = 0;
  };

  Device& device_of(const std::string& serial);
  void add_phases(Series& series, const std::string& verb, const Timings& timings);
  [[nodiscard]] std::string phase_lines() const;

  std::map<std::string, Device> devices_;
  std::map<std::string, std::array<Phase, kPhases>> phases_;  // by verb, of all devices
  std::uint64_t uses_ = 0;
};

}  // namespace clawperator::serve
