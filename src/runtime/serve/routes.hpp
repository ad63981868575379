#pragma once
// The functions that answer the routes, and what the server itself and POST /mcp have of them.

#include "base/json_text.hpp"
#include "runtime/act/input_body.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// devices.cpp: the attached devices, and the health of the server itself.
// {"ok":true,"devices":[{"serial","state","transport","model"?,"tls"?,"obstacle"?}]}, one for each
// way to a device.
Task<http::Response> answer_devices(Service* service, Call call);
// GET /devices/:serial: what one phone reports of itself, and which command has it now.
Task<http::Response> answer_device(Service* service, Call call);
// The list as the event clawperator:devices, whenever it changes. Ends with the server.
asio::awaitable<void> publish_devices(Service* service);
// 200 as long as the process answers. It needs no token, so it contains nothing about devices.
Task<http::Response> answer_health(Service* service, Call call);
// Numbers for Prometheus.
Task<http::Response> answer_metrics(Service* service, Call call);
// The durations of one device's executions; device_not_found where it had none.
Task<http::Response> answer_stats(Service* service, Call call);

// browser_session.cpp: a page in a browser shows the token once; from then on a cookie that no
// script can read stands for it. POST /session {"token"}: UNAUTHORIZED for a wrong one.
// {"ok":true,"tokenRequired"}; a client that needs no token gets no session.
Task<http::Response> answer_begin_session(Service* service, Call call);
// DELETE /session ends those of the request's cookies.
Task<http::Response> answer_end_session(Service* service, Call call);

// executions.cpp: from a request to its answer and its events.
Task<http::Response> answer_execute(Service* service, Call call);
Task<http::Response> answer_snapshot(Service* service, Call call);
Task<http::Response> answer_screenshot(Service* service, Call call);
// GET /devices/:serial/snapshot?format=xml|compact|nodes&since=HASH, the tree itself.
Task<http::Response> answer_tree(Service* service, Call call);
// GET /devices/:serial/screenshot.png and .jpg, the picture itself.
Task<http::Response> answer_png(Service* service, Call call);
Task<http::Response> answer_jpeg(Service* service, Call call);

// snapshots.cpp: about snapshots that were shown; stale_ref for others.
// GET /snapshots/:hash/selectors?ref=@n: the selectors of that node, the best first.
Task<http::Response> answer_selectors(Service* service, Call call);
// GET /snapshots/:hash/changes?since=HASH: what differs from an earlier one.
Task<http::Response> answer_changes(Service* service, Call call);

// page.cpp: GET / is the inspector for browsers, and the list of routes for all others. The page
// and its files need no token: without them a browser could not show the token.
bool wants_page(const http::Request& request);
Task<http::Response> answer_index(Service* service, Call call);
Task<http::Response> answer_page_script(Service* service, Call call);
Task<http::Response> answer_page_style(Service* service, Call call);
Task<http::Response> answer_page_icon(Service* service, Call call);

// Counts an execution of any client and publishes its outcome as events, before it returns the
// answer. `execution` is nullptr where the plan could not be judged; `input` is the requested plan
// as JSON text, `more` stands beside the envelope. The pointers must live until the task ends.
asio::awaitable<http::Response> publish_outcome(Service* service, const Execution* execution,
                                                std::string input,
                                                std::optional<std::string> device_id,
                                                const Result<ExecuteResult>* result,
                                                JsonObject more = {});

// The same of an execution that no route reports: one of the daemon's socket or of POST /mcp.
asio::awaitable<void> publish_command(Service* service, const Execution* execution,
                                      const Result<ExecuteResult>* result);

// input.cpp: POST /devices/:serial/input: taps, keys and text by the device's own `input`, without
// the app. {"ok":true,"deviceId","backend":"shell","effect":"unobserved"}: the input was sent, and
// its effect is not checked unless the body has `verify`.
Task<http::Response> answer_input(Service* service, Call call);
// The device that took it: counted, and in the events as clawperator:input.
Task<InputDone> give_and_publish(Service* service, TargetOptions target, DeviceInput input);

// events.cpp: GET /events: what happens, as server-sent events; too_many_requests beyond
// kMaxEventStreams.
inline constexpr std::size_t kMaxEventStreams = 1000;
Task<http::Response> answer_events(Service* service, Call call);

// mcp_route.cpp: POST /mcp: the Model Context Protocol over HTTP, a message a request, no sessions.
Task<http::Response> answer_mcp(Service* service, Call call);

// emulators.cpp: the virtual devices of this user, as `clawperator emulator` has them.
Task<http::Response> answer_emulators(Service* service, Call call);
Task<http::Response> answer_running_emulators(Service* service, Call call);
Task<http::Response> answer_emulator(Service* service, Call call);
Task<http::Response> answer_create_emulator(Service* service, Call call);
Task<http::Response> answer_start_emulator(Service* service, Call call);
Task<http::Response> answer_stop_emulator(Service* service, Call call);
Task<http::Response> answer_delete_emulator(Service* service, Call call);
Task<http::Response> answer_provision_emulator(Service* service, Call call);

}  // namespace clawperator::serve
