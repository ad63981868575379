#include "runtime/serve/route_table.hpp"

#include <array>
#include <utility>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/serve/devices.hpp"
#include "runtime/serve/emulators.hpp"
#include "runtime/serve/events.hpp"
#include "runtime/serve/executions.hpp"
#include "runtime/serve/request_span.hpp"

namespace clawperator::serve {
namespace {

Task<http::Response> answer_index(Service* service, Call call);

constexpr auto kRoutes = std::to_array<RouteRow>({
    {"GET", "/", answer_index, "the routes"},
    {"GET", "/healthz", answer_health, "whether the server answers"},
    {"GET", "/readyz", answer_readiness, "whether a device is ready"},
    {"GET", "/metrics", answer_metrics, "what was carried out, for Prometheus"},
    {"GET", "/devices", answer_devices, "what is attached"},
    {"GET", "/devices/:serial/snapshot", answer_tree,
     "the screen's tree: ?format=xml|compact|json, ?since=<hash>"},
    {"GET", "/devices/:serial/stats", answer_stats, "how long what was done there took"},
    {"GET", "/devices/:serial/screenshot.png", answer_png, "the screen's picture"},
    {"GET", "/devices/:serial/screenshot.jpg", answer_jpeg, "the same, smaller"},
    {"POST", "/execute", answer_execute, "run an execution"},
    {"POST", "/snapshot", answer_snapshot, "run a snapshot"},
    {"POST", "/screenshot", answer_screenshot, "run a screenshot, into a file"},
    {"GET", "/events", answer_events, "what happens, as server-sent events"},
    {"GET", "/android/emulators", answer_emulators, "the virtual devices"},
    {"GET", "/android/emulators/running", answer_running_emulators, "the emulators that run"},
    {"GET", "/android/emulators/:name", answer_emulator, "one virtual device"},
    {"DELETE", "/android/emulators/:name", answer_delete_emulator, "delete a virtual device"},
    {"POST", "/android/emulators/create", answer_create_emulator, "create a virtual device"},
    {"POST", "/android/emulators/:name/start", answer_start_emulator, "start a virtual device"},
    {"POST", "/android/emulators/:name/stop", answer_stop_emulator, "stop an emulator"},
    {"POST", "/android/provision/emulator", answer_provision_emulator,
     "have an emulator that fits"},
    // Their old names.
    {"POST", "/observe/snapshot", answer_snapshot, "run a snapshot"},
    {"POST", "/observe/screenshot", answer_screenshot, "run a screenshot, into a file"},
});

Task<http::Response> answer_index(Service*, Call) {
  std::string list;
  for (const RouteRow& row : kRoutes) {
    JsonObject json;
    json.text("method", row.method).text("path", row.path).text("summary", row.summary);
    list += (list.empty() ? "" : ",") + json.str();
  }
  co_return ok_answer(
      JsonObject().text("name", "clawperator").json("routes", "[" + list + "]").str());
}

std::string_view next_segment(std::string_view* path) {
  path->remove_prefix(1);
  const std::string_view segment = path->substr(0, path->find('/'));
  path->remove_prefix(segment.size());
  return segment;
}

bool fits(std::string_view path, const std::vector<std::string>& segments,
          std::vector<std::string>* parameters) {
  parameters->clear();
  if (path == "/") return segments.empty();
  for (const std::string& segment : segments) {
    if (path.empty()) return false;
    const std::string_view wanted = next_segment(&path);
    if (wanted.starts_with(':')) {
      parameters->push_back(segment);
    } else if (wanted != segment) {
      return false;
    }
  }
  return path.empty();
}

}  // namespace

std::span<const RouteRow> route_table() { return kRoutes; }

FoundRoute find_route(std::string_view method, const std::vector<std::string>& segments) {
  FoundRoute found;
  std::vector<std::string> parameters;
  for (const RouteRow& row : kRoutes) {
    if (!fits(row.path, segments, &parameters)) continue;
    if (row.method == method || (row.method == "GET" && method == "HEAD")) {
      return {.row = &row, .parameters = std::move(parameters)};
    }
    if (found.allowed.find(row.method) != std::string::npos) continue;
    found.allowed.append(found.allowed.empty() ? "" : ", ").append(row.method);
  }
  return found;
}

http::Response no_route(const http::Request& request, const std::string& allowed) {
  if (allowed.empty()) {
    return error_answer({errc::not_found, "no route " + request.method + " " + request.path});
  }
  auto answer =
      error_answer({errc::method_not_allowed, request.path + " is for " + allowed + " alone"});
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

namespace {

Task<http::Response> answer_row(Service* service, const RouteRow* row, Call call) {
  auto answer = co_await row->answer(service, std::move(call));
  if (!answer) co_return error_answer(answer.error());
  co_return answer;
}

}  // namespace

Task<http::Response> answer_request(Service* service, http::Request request) {
  RequestSpan span(Trace::of(co_await asio::this_coro::executor), request);
  FoundRoute found = find_route(request.method, request.segments);
  if (!found.row) co_return no_route(request, found.allowed);
  Call call{std::move(request), std::move(found.parameters), span.traceparent()};
  auto answer = co_await answer_row(service, found.row, std::move(call));
  if (!answer) co_return answer;
  span.answered(answer->status);
  if (const auto& told = span.traceparent()) {
    answer->headers.emplace_back("traceparent", to_string(*told));
  }
  co_return answer;
}

}  // namespace clawperator::serve
