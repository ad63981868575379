#pragma once
// The state that the routes share while one server runs, and the arguments of a route.

#include <deque>
#include <filesystem>

#include "base/async/signal.hpp"
#include "base/traceparent.hpp"
#include "runtime/act/seen.hpp"
#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/engine/device_session.hpp"
#include "runtime/http/access.hpp"
#include "runtime/http/request.hpp"
#include "runtime/http/response.hpp"
#include "runtime/log/event_log.hpp"
#include "runtime/mcp/server.hpp"
#include "runtime/serve/metrics.hpp"
#include "runtime/trace/trace.hpp"

namespace clawperator::serve {

// Defaults of executions.
struct Defaults {
  TargetOptions target;              // --device, --transport, --adb-server
  NamedOperator operator_package{};  // by flag or environment
  std::optional<std::string> broadcast_action{};
  std::filesystem::path logs;        // where emulators write their output
  ProgramVersions versions{};        // of this program, and of the app that it goes with
  std::optional<Backend> backend{};  // of an execution that names none
};

// The default target, but of that device, where one is named.
TargetOptions target_of(const Defaults& defaults, std::optional<std::string> device);

// The last events, each with an id, for every reader of GET /events. A reader walks through them at
// its own pace. The ids go on from one start of the server to the next, as each begins at its time.
struct Event {
  std::uint64_t id = 0;
  std::string name;
  std::string data;  // JSON text of one line
};

class EventHub {
 public:
  static constexpr std::size_t kHeld = 256;
  static constexpr std::size_t kHeldBytes = std::size_t{64} << 20;

  explicit EventHub(const asio::any_io_executor& executor, std::uint64_t start = 0)
      : start_(start), newest_(start), published_(executor) {}

  void publish(std::string_view name, std::string data);

  // The oldest event after `seen` that is still held; waits while there is none. An unknown id is
  // one of an earlier server: all events that are held come after it.
  Task<std::shared_ptr<const Event>> next(std::uint64_t seen);

  // The id of the newest event; that of the start before the first.
  [[nodiscard]] std::uint64_t newest() const { return newest_; }
  [[nodiscard]] std::uint64_t published() const { return newest_ - start_; }  // by this start
  struct Gap {
    std::uint64_t resume = 0;               // the id before the oldest event that is held
    std::optional<std::uint64_t> missed{};  // absent: they were another start's
  };
  // What a reader that has seen this id has missed; 0 has seen nothing.
  [[nodiscard]] std::optional<Gap> gap_after(std::uint64_t seen) const;

 private:
  void drop_oldest();

  std::deque<std::shared_ptr<const Event>> held_;
  std::size_t held_bytes_ = 0;
  std::uint64_t start_ = 0;
  std::uint64_t newest_ = 0;
  Signal published_;
};

class ClientFiles;
struct RouteRow;
struct MoreRoutes;
struct Service {
  const Defaults* defaults;
  Supervisor* devices;
  DeviceSessions* sessions;  // what stays open of them between executions
  EventLog* log;
  act::Seen seen;  // by its routes and its tools
  ClientFiles* files;
  EventHub events;
  EventHub stages;  // of executions under way, for readers that request them
  http::BrowserSessions browsers{};
  const http::AccessPolicy* access = nullptr;
  Metrics metrics{};
  mcp::Server* tools = nullptr;                   // for POST /mcp
  const std::vector<RouteRow>* routes = nullptr;  // all of them
  std::span<const MoreRoutes> more_routes{};      // those of them that are not this module's
  const Json* schemas = nullptr;                  // of bodies, by name: all_schemas
  Signal* stop_requested = nullptr;  // what need not be finished ends; is_stopping is true then
  bool is_stopping = false;
  std::size_t event_streams = 0;  // that are open
  std::size_t refusals = 0;       // that were logged in the minute after refusals_since
  Clock::time_point refusals_since{};
  std::size_t programs = 0;     // that routes have started and that run
  std::int64_t last_stamp = 0;  // of the ids made here, which are times
};

// For an id: the time, but two of the same millisecond differ.
std::int64_t next_stamp(Service* service);

// A request and the path's values at the places with a name, in their order.
struct Call {
  http::Request request;
  std::vector<std::string> parameters;
  std::optional<Traceparent> traceparent{};  // of this request's own span
};

// An Error becomes the published answer, with the status of its code.
using Route = Task<http::Response> (*)(Service* service, Call call);

// {"ok":false,"error":{...}}
http::Response error_answer(const Error& error);
// {"ok":true, then the members of `object`}; `object` is the text of a JSON object.
http::Response ok_answer(const std::string& object);

// The client's word, as far as it can be read.
std::optional<Traceparent> traceparent_of(const http::Request& request);

// One request from its arrival to its answer, in the client's trace (the header `traceparent`) and
// in the trace of this process.
class RequestSpan {
 public:
  // `trace` may be nullptr.
  RequestSpan(Trace* trace, const http::Request& request);
  RequestSpan(const RequestSpan&) = delete;
  RequestSpan& operator=(const RequestSpan&) = delete;
  ~RequestSpan();

  // The trace for further requests and for the answer: the client's, with this request's own span;
  // nullopt: the client has none.
  [[nodiscard]] const std::optional<Traceparent>& traceparent() const { return own_; }
  void answered(int status) { args_.number("status", status); }

 private:
  Trace* trace_;
  std::string title_;
  TraceTime start_ = Clock::now();
  std::optional<Traceparent> own_;
  JsonObject args_;
};

}  // namespace clawperator::serve
