#include "runtime/serve/route_table.hpp"

#include <algorithm>
#include <iterator>

#include "adbproto/wire/errc.hpp"
#include "base/json_text.hpp"
#include "base/system/errc.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/emulator/errc.hpp"
#include "runtime/image/errc.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/routes.hpp"
#include "runtime/serve/service.hpp"
#include "runtime/ui/errc.hpp"

namespace clawperator::serve {
namespace {

Task<http::Response> answer_openapi(Service* service, Call call);

constexpr std::string_view kJson = "application/json";

constexpr AnswerForm kMcpAnswers[] = {
    {202, "text/plain", "Text"}, {400, kJson, "McpReply"}, {404, kJson, "McpReply"}};
constexpr AnswerForm kMetrics[] = {{200, "text/plain", "Text"}};
constexpr AnswerForm kTreeTexts[] = {{200, "application/xml", "Text"}, {200, "text/plain", "Text"}};
constexpr AnswerForm kPng[] = {{200, "image/png", "Binary"}, {304, "image/png", "Binary"}};
constexpr AnswerForm kJpeg[] = {{200, "image/jpeg", "Binary"}, {304, "image/jpeg", "Binary"}};
constexpr AnswerForm kPage[] = {{200, "text/html", "Text"}};
constexpr AnswerForm kScript[] = {{200, "text/javascript", "Text"}};
constexpr AnswerForm kStyle[] = {{200, "text/css", "Text"}};
constexpr AnswerForm kIcon[] = {{200, "image/svg+xml", "Text"}};
constexpr AnswerForm kEvents[] = {{200, "text/event-stream", "Text"}};

constexpr Errc kListErrors[] = {errc::internal_error};
constexpr Errc kEventErrors[] = {errc::invalid_query, errc::too_many_requests};
constexpr Errc kDeviceErrors[] = {errc::no_devices, errc::device_not_found, errc::link_lost,
                                  errc::adb_server_failed, errc::deadline_exceeded};
constexpr Errc kHeldErrors[] = {errc::invalid_query, errc::stale_ref};
constexpr Errc kStatsErrors[] = {errc::device_not_found};
constexpr Errc kSessionErrors[] = {errc::invalid_json, errc::invalid_body, errc::payload_too_large};
constexpr Errc kExecuteErrors[] = {errc::invalid_json,
                                   errc::invalid_body,
                                   errc::missing_execution,
                                   errc::invalid_device_id,
                                   errc::invalid_operator_package,
                                   errc::execution_validation_failed,
                                   errc::file_not_allowed,
                                   errc::multiple_devices_device_id_required,
                                   errc::no_devices,
                                   errc::device_not_found,
                                   errc::payload_too_large,
                                   errc::execution_conflict_in_flight,
                                   errc::operator_not_installed,
                                   errc::broadcast_failed,
                                   errc::link_lost,
                                   errc::adb_server_failed,
                                   errc::result_envelope_timeout};
constexpr Errc kScreenErrors[] = {errc::invalid_json,
                                  errc::invalid_body,
                                  errc::invalid_device_id,
                                  errc::invalid_operator_package,
                                  errc::invalid_path,
                                  errc::file_not_allowed,
                                  errc::multiple_devices_device_id_required,
                                  errc::no_devices,
                                  errc::device_not_found,
                                  errc::payload_too_large,
                                  errc::execution_conflict_in_flight,
                                  errc::operator_not_installed,
                                  errc::link_lost,
                                  errc::adb_server_failed,
                                  errc::result_envelope_timeout};
constexpr Errc kTreeErrors[] = {errc::invalid_query,
                                errc::no_devices,
                                errc::device_not_found,
                                errc::execution_conflict_in_flight,
                                errc::operator_not_installed,
                                errc::snapshot_extraction_failed,
                                errc::link_lost,
                                errc::adb_server_failed,
                                errc::result_envelope_timeout};
constexpr Errc kPictureErrors[] = {errc::invalid_query,    errc::no_devices,
                                   errc::device_not_found, errc::screenshot_capture_failed,
                                   errc::link_lost,        errc::adb_server_failed};
constexpr Errc kInputErrors[] = {errc::invalid_json,
                                 errc::invalid_body,
                                 errc::invalid_input,
                                 errc::input_text_unsupported,
                                 errc::no_devices,
                                 errc::device_not_found,
                                 errc::payload_too_large,
                                 errc::execution_conflict_in_flight,
                                 errc::off_screen,
                                 errc::input_failed,
                                 errc::device_shell_unavailable,
                                 errc::link_lost,
                                 errc::adb_server_failed,
                                 errc::deadline_exceeded};
constexpr Errc kAvdErrors[] = {errc::usage};
constexpr Errc kAvdListErrors[] = {errc::adb_server_failed};
constexpr Errc kAvdChangeErrors[] = {errc::usage,
                                     errc::emulator_not_found,
                                     errc::emulator_not_running,
                                     errc::emulator_unsupported,
                                     errc::emulator_already_running,
                                     errc::emulator_already_exists,
                                     errc::android_sdk_tool_missing,
                                     errc::adb_server_failed};

constexpr Parameter kTreeQuery[] = {
    {"format", R"({"enum":["xml","compact","nodes"],"default":"xml"})", "how the tree is written"},
    {"since", R"({"type":"string","pattern":"^[0-9a-f]{12}$"})",
     "the X-Tree-Hash of an earlier snapshot; the answer is the difference"},
    {"queue", R"({"type":"boolean","default":false})", "whether to wait for a busy device"},
    {"queueTimeoutMs", R"({"type":"integer","minimum":1,"maximum":3600000,"default":60000})",
     "how long"},
    {"giveWay", R"({"type":"boolean","default":false})",
     "whether an execution that comes meanwhile waits for it, instead of failing"},
    {"backend", R"({"enum":["app","shell"]})", "the backend; default: that of the server"}};

constexpr Parameter kPictureQuery[] = {
    {"maxSide", R"({"type":"integer","minimum":64,"maximum":16384})",
     "the longer side in pixels; absent: as the screen is"},
    {"events", R"({"type":"boolean","default":true})", "whether GET /events reports it"}};
constexpr Parameter kNodeQuery[] = {
    {"ref", R"({"type":"string","pattern":"^([0-9a-f]{12})?@[0-9]+$"})", "the node"}};
constexpr Parameter kSinceQuery[] = {
    {"since", R"({"type":"string","pattern":"^[0-9a-f]{12}$"})", "the earlier snapshot"}};

constexpr RequestForm kExecuteBody{.body_schema = "ExecuteRequest"};
constexpr RequestForm kSnapshotBody{.body_schema = "SnapshotRequest"};
constexpr RequestForm kScreenshotBody{.body_schema = "ScreenshotRequest"};
constexpr RequestForm kInputBody{.body_schema = "InputRequest", .judges_members = true};
constexpr RequestForm kSessionBody{.body_schema = "SessionRequest"};
constexpr RequestForm kNameBody{.body_schema = "NameRequest", .may_lack_body = true};
constexpr RequestForm kCreateAvdBody{.body_schema = "CreateAvdRequest", .may_lack_body = true};
constexpr RequestForm kMcpBody{.body_schema = "McpMessage", .judges_members = true};
constexpr RequestForm kWhichTree{.query = kTreeQuery};
constexpr RequestForm kWhichPicture{.query = kPictureQuery};
constexpr RequestForm kWhichNode{.query = kNodeQuery};
constexpr RequestForm kSinceWhich{.query = kSinceQuery};
constexpr Parameter kEventsQuery[] = {{"stages", R"({"type":"boolean","default":false})",
                                       "whether the stages of steps are sent, too"}};
constexpr RequestForm kWhichEvents{.query = kEventsQuery};

constexpr std::span<const Errc> kNoErrors{};
constexpr RequestForm kNoBody{};
constexpr std::span<const AnswerForm> kNoMore{};

constexpr auto kRoutes = std::to_array<RouteRow>({
    {"GET", "/", answer_index, "the inspector, for browsers; else the routes", "Index", kNoErrors,
     kNoBody, kPage},
    {"GET", "/ui/app.js", answer_page_script, "the inspector's script", "", kNoErrors, kNoBody,
     kScript, http::Entry::open},
    {"GET", "/ui/app.css", answer_page_style, "the inspector's style", "", kNoErrors, kNoBody,
     kStyle, http::Entry::open},
    {"GET", "/ui/icon.svg", answer_page_icon, "the inspector's icon", "", kNoErrors, kNoBody, kIcon,
     http::Entry::open},
    {"GET", "/openapi.json", answer_openapi, "the routes, as OpenAPI 3.1", "OpenApi"},
    {"GET", "/healthz", answer_health, "whether the server answers", "Ok", kNoErrors, kNoBody,
     kNoMore, http::Entry::open},
    {"GET", "/readyz", answer_health, "the same", "Ok", kNoErrors, kNoBody, kNoMore,
     http::Entry::open},
    {"GET", "/metrics", answer_metrics, "counts and times of executions, for Prometheus", "",
     kNoErrors, kNoBody, kMetrics},
    {"POST", "/session", answer_begin_session, "show the token once, for a cookie", "SessionBegun",
     kSessionErrors, kSessionBody, kNoMore, http::Entry::open},
    {"DELETE", "/session", answer_end_session, "end the cookie's session", "Ok"},
    {"GET", "/devices", answer_devices, "the attached devices", "Devices", kListErrors},
    {"GET", "/devices/:serial", answer_device, "what one device reports of itself", "DeviceFacts",
     kDeviceErrors},
    {"GET", "/snapshots/:hash/selectors", answer_selectors,
     "the selectors of a node of a snapshot: ?ref=@n", "Selectors", kHeldErrors, kWhichNode},
    {"GET", "/snapshots/:hash/changes", answer_changes,
     "what changed between two snapshots: ?since=HASH", "Changes", kHeldErrors, kSinceWhich},
    {"GET", "/devices/:serial/snapshot", answer_tree,
     "the screen's tree: ?format=xml|compact|nodes, ?since=<hash>", "Tree", kTreeErrors, kWhichTree,
     kTreeTexts},
    {"GET", "/devices/:serial/stats", answer_stats, "the durations of its executions", "Stats",
     kStatsErrors},
    {"GET", "/devices/:serial/screenshot.png", answer_png, "the screen's picture", "",
     kPictureErrors, kWhichPicture, kPng},
    {"GET", "/devices/:serial/screenshot.jpg", answer_jpeg, "the same, smaller", "", kPictureErrors,
     kWhichPicture, kJpeg},
    {"POST", "/devices/:serial/input", answer_input,
     "tap, swipe, press a key or type by the device's own input command", "InputSent", kInputErrors,
     kInputBody},
    {"POST", "/execute", answer_execute, "run an execution", "Executed", kExecuteErrors,
     kExecuteBody},
    {"POST", "/snapshot", answer_snapshot, "run a snapshot", "Executed", kScreenErrors,
     kSnapshotBody},
    {"POST", "/screenshot", answer_screenshot, "run a screenshot, into a file", "Executed",
     kScreenErrors, kScreenshotBody},
    {"POST", "/mcp", answer_mcp, "the tools of `clawperator mcp`: Model Context Protocol, JSON-RPC",
     "McpReply", kNoErrors, kMcpBody, kMcpAnswers},
    {"GET", "/events", answer_events, "all events, as server-sent events", "", kEventErrors,
     kWhichEvents, kEvents},
    {"GET", "/android/emulators", answer_emulators, "the virtual devices", "Avds", kAvdListErrors},
    {"GET", "/android/emulators/running", answer_running_emulators, "the running emulators",
     "RunningEmulators", kAvdListErrors},
    {"GET", "/android/emulators/:name", answer_emulator, "one virtual device", "Avd", kAvdErrors},
    {"DELETE", "/android/emulators/:name", answer_delete_emulator, "delete a virtual device",
     "AvdDeleted", kAvdChangeErrors},
    {"POST", "/android/emulators/create", answer_create_emulator, "create a virtual device", "Avd",
     kAvdChangeErrors, kCreateAvdBody},
    {"POST", "/android/emulators/:name/start", answer_start_emulator, "start a virtual device",
     "EmulatorStarted", kAvdChangeErrors},
    {"POST", "/android/emulators/:name/stop", answer_stop_emulator, "stop an emulator",
     "EmulatorStopped", kAvdChangeErrors},
    {"POST", "/android/provision/emulator", answer_provision_emulator,
     "provide an emulator that fits", "Provisioned", kAvdChangeErrors, kNameBody},
    // Their old names.
    {"POST", "/observe/snapshot", answer_snapshot, "run a snapshot", "Executed", kScreenErrors,
     kSnapshotBody, kNoMore, http::Entry::guarded, true},
    {"POST", "/observe/screenshot", answer_screenshot, "run a screenshot, into a file", "Executed",
     kScreenErrors, kScreenshotBody, kNoMore, http::Entry::guarded, true},
});

constexpr bool is_described(const RouteRow& row) {
  return !row.summary.empty() && !(row.json_schema.empty() && row.other_answers.empty());
}
static_assert(std::ranges::all_of(kRoutes, is_described), "each route describes its answer");

Task<http::Response> answer_openapi(Service* service, Call) {
  co_return http::Response{.body = openapi_document(*service->routes, service->more_routes)};
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

std::vector<RouteRow> all_routes(std::span<const MoreRoutes> more) {
  std::vector<RouteRow> all(std::begin(kRoutes), std::end(kRoutes));
  for (const MoreRoutes& each : more) all.insert(all.end(), each.rows.begin(), each.rows.end());
  return all;
}

FoundRoute find_route(std::span<const RouteRow> routes, std::string_view method,
                      const std::vector<std::string>& segments) {
  FoundRoute found;
  std::vector<std::string> parameters;
  for (const RouteRow& row : routes) {
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

Task<http::Response> answer_request(Service* service, FoundRoute found, http::Request request) {
  RequestSpan span(Trace::of(co_await asio::this_coro::executor), request);
  Call call{std::move(request), std::move(found.parameters), span.traceparent()};
  Result<http::Response> answer = http::Response();
  if (const auto known = refuse_unknown(*service, *found.row, call.request); !known) {
    answer = error_answer(known.error());
  } else {
    answer = co_await found.row->answer(service, std::move(call));
  }
  if (!answer) answer = error_answer(answer.error());
  span.answered(answer->status);
  if (const auto& traceparent = span.traceparent()) {
    answer->headers.emplace_back("traceparent", to_string(*traceparent));
  }
  co_return answer;
}

}  // namespace clawperator::serve
