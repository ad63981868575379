#pragma once
// The work of one process, as rows of a picture: executions with their phases, requests to the adb
// server, packets of each link. Written by the event loop alone.
//
//   execution      |----------- click -----------|         a row for each that goes on at once
//                  |resolve|attach|  |--device--|
//   execution ...  |       preflight |                      what goes on beside its stages
//   adb server     |host:version|
//   tcp HOST:PORT   CNXN CNXN OPEN OKAY WRTE ...            instants

#include <map>

#include "adbproto/client/wire_observer.hpp"
#include "runtime/trace/trace_file.hpp"

namespace clawperator {

struct TraceOrigin {
  std::string name;                       // of the process
  std::int64_t process = 0;               // its id
  std::chrono::microseconds wall_time{};  // of now, since 1970
};

class Trace final : public adbproto::WireObserver {
 public:
  // `sink` must outlive it, and it every loop that it watches.
  Trace(TraceSink* sink, TraceOrigin origin);

  // Whatever runs on this loop is traced from now on.
  void watch(const asio::any_io_executor& executor);
  // The trace of a loop; nullptr: it is not traced.
  static Trace* of(const asio::any_io_executor& executor);

  // A row of that name that is free at this time, and reserves it.
  Track take(std::string_view name, TraceTime from);
  void give_back(std::string_view name, Track track);

  void begin(Track track, std::string_view name, TraceTime at, JsonObject args);
  void end(Track track, JsonObject args);
  void instant(Track track, std::string_view name, JsonObject args);
  // From `start` until now; what overlaps on a row must be nested.
  void complete(Track track, std::string_view name, TraceTime start, JsonObject args = {});
  void complete(Track track, std::string_view name, TraceTime start,
                std::chrono::nanoseconds duration, JsonObject args = {});
  // The same on a row of the rows of that name.
  void complete_on(std::string_view rows, std::string_view name, TraceTime start, JsonObject args);

  std::unique_ptr<adbproto::LinkObserver> on_link(std::string_view name) override;
  void on_request(const adbproto::SeenRequest& seen) override;

 private:
  class Link;
  struct Row {
    Track track{};
    bool taken = false;
    TraceTime free_from{};
  };
  // Devices come and go for as long as `serve` runs: beyond this many rows they share one.
  static constexpr std::uint32_t kMaxRows = 2000;

  Row& row_for(std::string_view name, TraceTime from);
  void write(const TraceEvent& event);

  TraceSink* sink_;
  std::int64_t process_;
  std::uint32_t rows_ = 0;
  Row overflow_{.track = Track{kMaxRows + 1}};
  std::map<std::string, std::vector<Row>, std::less<>> named_;
};

// A request to an adb server as a trace may contain it: everything but a pairing code, and the
// payload of a broadcast.
std::string redacted_request(std::string_view request);

}  // namespace clawperator
