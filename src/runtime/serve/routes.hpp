#pragma once
// The functions that answer the routes, and what the server itself and POST /mcp have of them.

#include "base/json_text.hpp"
#include "runtime/act/input_body.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// devices.cpp: what is attached, and whether the server itself is well.
// {"ok":true,"devices":[{"serial","state","transport"}]}, one a way to reach one.
Task<http::Response> answer_devices(Service* service, Call call);
// 200 as long as the process answers. Everybody may ask, so it says nothing of devices.
Task<http::Response> answer_health(Service* service, Call call);
// Numbers for Prometheus.
Task<http::Response> answer_metrics(Service* service, Call call);
// How long what was done on one device took; device_not_found where nothing was.
Task<http::Response> answer_stats(Service* service, Call call);

// browser_session.cpp: how a page in a browser comes to be let in: it shows the token once, and a
// cookie that no script reads stands for it from then on.
// POST /session {"token"}: UNAUTHORIZED for another one. {"ok":true,"tokenRequired"}; nothing is
// begun for who needs no token.
Task<http::Response> answer_begin_session(Service* service, Call call);
// DELETE /session ends those of the request's cookies.
Task<http::Response> answer_end_session(Service* service, Call call);

// executions.cpp: from what a request asks to its answer, and what the events tell of it.
Task<http::Response> answer_execute(Service* service, Call call);
Task<http::Response> answer_snapshot(Service* service, Call call);
Task<http::Response> answer_screenshot(Service* service, Call call);
// GET /devices/:serial/snapshot?format=xml|compact|json&since=HASH, the tree itself.
Task<http::Response> answer_tree(Service* service, Call call);
// GET /devices/:serial/screenshot.png and .jpg, the picture itself.
Task<http::Response> answer_png(Service* service, Call call);
Task<http::Response> answer_jpeg(Service* service, Call call);
// What became of an execution, whoever asked for it: it is counted, and the events tell it before
// the answer is given. `execution` is nullptr for what could not be judged; `input` is what was
// asked for, as JSON text, `more` what stands beside the envelope. The pointers must live until the
// task ends.
asio::awaitable<http::Response> publish_outcome(Service* service, const Execution* execution,
                                                std::string input,
                                                std::optional<std::string> device_id,
                                                const Result<ExecuteResult>* result,
                                                JsonObject more = {});

// The same of an execution that no route reports: one of the daemon's socket or of POST /mcp.
asio::awaitable<void> publish_command(Service* service, const Execution* execution,
                                      const Result<ExecuteResult>* result);

// input.cpp: POST /devices/:serial/input: what a hand would do, by the device's own `input`,
// without the app. {"ok":true,"deviceId","backend":"shell","effect":"unobserved"}: it was sent, and
// nobody has looked at what came of it, unless the body says `verify`.
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
