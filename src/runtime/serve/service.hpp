#pragma once
// What the routes share while one server runs, and what a route is given.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/act/snapshot_store.hpp"
#include "runtime/device/per_device.hpp"
#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/engine/device_session.hpp"
#include "runtime/http/access.hpp"
#include "runtime/http/request.hpp"
#include "runtime/http/response.hpp"
#include "runtime/log/event_log.hpp"
#include "runtime/mcp/server.hpp"
#include "runtime/serve/event_hub.hpp"
#include "runtime/serve/metrics.hpp"
#include "runtime/trace/traceparent.hpp"

namespace clawperator::serve {

// How executions run that do not say otherwise.
struct Defaults {
  TargetOptions target;                     // --device, --transport, --adb-server
  std::string operator_package;             // resolved: flag, environment or the release package
  std::string broadcast_action;             // resolved
  std::filesystem::path logs;               // where emulators write their output
  ProgramVersions versions{};               // of this program, and of the app that it goes with
  Backend backend = Backend::operator_app;  // of what does not say its own
};

// The default target, but of one device.
TargetOptions target_of(const Defaults& defaults, std::string device);

struct RouteRow;    // runtime/serve/route_table.hpp
struct MoreRoutes;  // the same

struct Service {
  const Defaults* defaults;
  Supervisor* devices;
  DeviceSessions* sessions;  // what stays open of them between executions
  EventLog* log;
  act::SnapshotStore snapshots;
  PerDevice in_front{};  // the app that should be, as far as anybody knows; empty: nobody does
  EventHub events;
  EventHub stages;  // of executions under way, for readers who ask for them
  http::BrowserSessions browsers{};
  const http::AccessPolicy* access = nullptr;
  Metrics metrics{};
  mcp::Server* tools = nullptr;                   // for POST /mcp
  const std::vector<RouteRow>* routes = nullptr;  // all of them
  std::span<const MoreRoutes> more_routes{};      // those of them that are not this module's
  Signal* stop_asked = nullptr;  // what need not be finished ends; is_stopping is true then
  bool is_stopping = false;
  std::size_t event_streams = 0;  // that are open
  std::size_t programs = 0;       // that routes have started and that run
  std::int64_t last_stamp = 0;    // of the ids made here, which are times
};

// For an id: the time, but two of the same millisecond get different ones.
std::int64_t next_stamp(Service* service);

// A request and what its path says at the places with a name, in their order.
struct Call {
  http::Request request;
  std::vector<std::string> parameters;
  std::optional<Traceparent> traceparent{};  // of this request's own span
};

// An Error becomes the published answer, with the status of its row in the table of errors.
using Route = Task<http::Response> (*)(Service* service, Call call);

// {"ok":false,"error":{...}}
http::Response error_answer(const Error& error);
// {"ok":true, then the members of `object`}; `object` is the text of a JSON object.
http::Response ok_answer(const std::string& object);

}  // namespace clawperator::serve
