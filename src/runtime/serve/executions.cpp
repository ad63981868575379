#include "runtime/serve/routes.hpp"

#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "base/error_members.hpp"
#include "base/number.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/perform.hpp"
#include "runtime/act/result.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/image/errc.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/executors.hpp"
#include "runtime/serve/outcome.hpp"
#include "runtime/serve/request_body.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator::serve {
namespace {

NamedOperator package_of(const Service* service, const Target& target) {
  return target.operator_package ? target.operator_package : service->defaults->operator_package;
}

std::optional<Backend> named_backend(const Service* service, const Target& target) {
  return target.backend ? target.backend : service->defaults->backend;
}

// The one step of a route that is made here.
std::string own_step(Service* service, std::string_view prefix, const JsonObject& action) {
  const std::string id = std::string(prefix) + "-" + std::to_string(next_stamp(service));
  return JsonObject()
      .text("commandId", id)
      .text("taskId", id)
      .text("source", "serve-api")
      .text("expectedFormat", kExpectedFormat)
      .number("timeoutMs", 30000)
      .json("actions", "[" + action.str() + "]")
      .str();
}

std::string own_snapshot(Service* service) {
  return own_step(service, "serve-snap",
                  JsonObject().text("id", "snap").text("type", "snapshot_ui"));
}

std::string own_screenshot(Service* service, const std::optional<std::string>& path) {
  auto action = JsonObject().text("id", "shot").text("type", "take_screenshot");
  if (path) action.object("params", JsonObject().text("path", *path));
  return own_step(service, "serve-shot", action);
}

// A client that gives up while it waits in line may send the request again: it would be done twice.
Task<void> unless_gone(const http::Peer* peer) {
  if (!peer->is_gone()) co_return ok();
  co_return fail(errc::cancelled, "the client left while it waited in line");
}

act::Request request_of(const Service* service, const Target& target, std::string payload,
                        const Call& call) {
  act::Request request{.what = act::Payload{std::move(payload)}, .how = {}, .seen = service->seen};
  request.how.target = target_of(*service->defaults, target.device);
  request.how.operator_package = package_of(service, target);
  request.how.broadcast_action = service->defaults->broadcast_action;
  request.how.lock_patience = target.queue_limit;
  request.how.traceparent = call.traceparent;
  if (call.request.peer && target.queue_limit.count() > 0) {
    request.how.before_effects = [peer = call.request.peer] { return unless_gone(peer); };
  }
  request.backend = named_backend(service, target);
  request.explains_miss = false;
  return request;
}

// Why the one step of an envelope has nothing to show.
Error step_error(const Envelope& envelope, Errc otherwise) {
  return {otherwise, act::failure_message(envelope),
          ErrorMembers().json("envelope", to_json(envelope)).str()};
}

// Every text of a step is secret.
std::string with_secret_texts(const std::string& payload) {
  Json document = Json::parse(payload, nullptr, false);
  const Json* steps = find_member(document, "actions");
  if (!steps || !steps->is_array()) return payload;
  for (Json& step : document["actions"]) {
    const Json* params = step.is_object() ? find_member(step, "params") : nullptr;
    if (params && find_member(*params, "text")) step["params"]["secret"] = true;
  }
  return write_json(document);
}

struct Done {
  act::Outcome outcome;
  http::Response answer{};
};

// `named`: the device that the client has named.
Task<Done> run_and_publish(Service* service, act::Request request,
                           std::optional<std::string> named) {
  const std::string payload = std::get<act::Payload>(request.what).json;
  const bool is_aimed = request.ref || request.nth;
  RouteExecutor executor(service);
  std::optional<std::string> found;
  request.how.on_device = [&found](const std::string& serial) { found = serial; };
  Done done{co_await act::perform(&executor, std::move(request))};
  const auto& result = done.outcome.result;
  const Execution* execution = done.outcome.execution ? &*done.outcome.execution : nullptr;
  if (execution) service->metrics.record(*execution, found, result);
  // Of a plan that was never aimed it is not known which fields it types into.
  std::string input = execution  ? published_execution(*execution, result)
                      : is_aimed ? masked_payload(with_secret_texts(payload))
                                 : masked_payload(payload);
  done.answer = co_await publish_outcome(service, execution, std::move(input),
                                         found ? found : named, &result, done.outcome.beside());
  co_return done;
}

Task<http::Response> run_and_answer(Service* service, act::Request request,
                                    std::optional<std::string> named) {
  CO_TRY(Done done, co_await run_and_publish(service, std::move(request), std::move(named)));
  co_return std::move(done.answer);
}

Result<act::TreeFormat> read_format(const std::string* name) {
  if (!name) return act::TreeFormat::xml;
  if (const auto format = act::read_tree_format(*name)) return *format;
  return fail(errc::invalid_query, "'format' must be xml, compact or nodes");
}

Result<act::SnapshotRequest> read_snapshot_request(const Service* service,
                                                   const http::Request& request) {
  act::SnapshotRequest wanted;
  TRY(wanted.format, read_format(request.parameter("format")));
  const std::string* since = request.parameter("since");
  if (!since) return wanted;
  if (!act::is_tree_hash(*since)) {
    return fail(errc::invalid_query, "'since' must be the hash of a snapshot: 12 hex digits");
  }
  wanted.since = act::Since{};
  if (const auto xml = service->seen.store.find(*since)) {
    if (auto tree = parse_hierarchy(*xml)) wanted.since->tree = *std::move(tree);
  }
  return wanted;
}

// A difference from an XML tree is text.
std::string_view type_of(act::TreeFormat format, const StepData& data) {
  const std::string* actual = find_data(data, "actual_format");
  const bool is_xml = !actual || *actual == "hierarchy_xml";
  if (format == act::TreeFormat::xml && is_xml) return "application/xml; charset=utf-8";
  return format == act::TreeFormat::nodes ? "application/json; charset=utf-8"
                                          : "text/plain; charset=utf-8";
}

Result<std::optional<int>> read_max_side(const http::Request& request) {
  constexpr int kLeast = 64, kMost = 16384;  // as the tool `screenshot` takes
  const std::string* given = request.parameter("maxSide");
  if (!given) return std::nullopt;
  const auto side = whole_number<int>(*given);
  if (side && *side >= kLeast && *side <= kMost) return side;
  return fail(errc::invalid_query, "'maxSide' must be a whole number from 64 to 16384");
}

// A page that watches the screen takes pictures all the time; their events would push those of the
// executions out of the list. No client names a file here: the picture goes to memory.
Task<Done> run_unseen(Service* service, act::Request request, std::optional<std::string> named) {
  act::SupervisedExecutor executor(service->devices, service->sessions, service->log);
  Done done{co_await act::perform(&executor, std::move(request))};
  const auto& result = done.outcome.result;
  if (result) co_return done;
  OutcomeReport report = report_of(result, named, nullptr, "{}");
  done.answer = {.status = report.status, .body = std::move(report.answer)};
  co_return done;
}

Task<http::Response> answer_picture(Service* service, Call call, PictureFormat format) {
  // It needs no app, and waits for no execution.
  const Target target{.device = call.parameters.front(), .backend = Backend::shell};
  act::Request request = request_of(service, target, own_screenshot(service, std::nullopt), call);
  request.how.screenshot.format = format;
  request.how.screenshot.to_memory = true;
  CO_TRY(const auto max_side, read_max_side(call.request));
  request.how.screenshot.max_side = max_side;
  CO_TRY(const bool is_published, read_flag(call.request, "events", true));
  const auto run = is_published ? run_and_publish : run_unseen;
  CO_TRY(Done done, co_await run(service, std::move(request), target.device));
  if (!done.outcome.result) co_return std::move(done.answer);
  const ExecuteResult& result = *done.outcome.result;
  if (result.picture.empty()) {
    co_return std::unexpected(step_error(result.envelope, errc::screenshot_capture_failed));
  }
  http::Response answer{.content_type = format == PictureFormat::png ? "image/png" : "image/jpeg",
                        .body = std::string(reinterpret_cast<const char*>(result.picture.data()),
                                            result.picture.size())};
  if (result.screen) {
    answer.headers.emplace_back("X-Screen-Size", std::to_string(result.screen->width) + "x" +
                                                     std::to_string(result.screen->height));
  }
  for (const StepResult& step : result.envelope.step_results) {
    const std::string* warning = find_data(step.data, "warn");
    if (warning) answer.headers.emplace_back("X-Warning", *warning);
  }
  // The hash of a large picture takes milliseconds.
  CO_TRY_VOID(co_await run_blocking_if(answer.body.size() > kHoldsUpLoop, [&]() -> Result<void> {
    answer = http::with_etag(call.request, std::move(answer));
    return ok();
  }));
  co_return answer;
}

}  // namespace

asio::awaitable<http::Response> publish_outcome(Service* service, const Execution* execution,
                                                std::string input,
                                                std::optional<std::string> device_id,
                                                const Result<ExecuteResult>* result,
                                                JsonObject more) {
  OutcomeReport report;
  const auto write = [&]() -> Result<void> {
    report = report_of(*result, device_id, execution, input, more);
    return ok();
  };
  [[maybe_unused]] const auto written =
      co_await adbproto::run_blocking_if(is_large(*result), write);
  if (report.result) service->events.publish("clawperator:result", *std::move(report.result));
  service->events.publish("clawperator:execution", std::move(report.execution));
  co_return http::Response{.status = report.status, .body = std::move(report.answer)};
}

asio::awaitable<void> publish_command(Service* service, const Execution* execution,
                                      const Result<ExecuteResult>* result) {
  std::optional<std::string> device;
  if (*result) device = (*result)->device_id;
  service->metrics.record(*execution, device, *result);
  co_await publish_outcome(service, execution, published_execution(*execution, *result), device,
                           result);
}

Task<http::Response> answer_execute(Service* service, Call call) {
  CO_TRY(Json body, read_body(call.request));
  CO_TRY(std::string execution, read_execution(body));
  CO_TRY(const Target target, read_target(body));
  act::Request request = request_of(service, target, std::move(execution), call);
  CO_TRY(request.observe, take_observation(body));
  CO_TRY(request.verify, take_verify(body));
  CO_TRY(request.explains_miss, read_flag(body, "miss"));
  CO_TRY(request.ref, read_ref(body));
  CO_TRY(request.nth, read_nth(body));
  CO_TRY(request.patience, read_patience(body));
  request.how.ask_screen_size =
      request.observe && request.observe->format == act::TreeFormat::compact;
  co_return co_await run_and_answer(service, std::move(request), target.device);
}

Task<http::Response> answer_snapshot(Service* service, Call call) {
  CO_TRY(const Json body, read_object_body(call.request));
  CO_TRY(const Target target, read_target(body));
  co_return co_await run_and_answer(
      service, request_of(service, target, own_snapshot(service), call), target.device);
}

Task<http::Response> answer_screenshot(Service* service, Call call) {
  CO_TRY(const Json body, read_object_body(call.request));
  CO_TRY(Target target, read_target(body));
  CO_TRY(const auto path, read_path(body));
  target.backend = act::backend_of(Screenshot{}, named_backend(service, target));
  co_return co_await run_and_answer(
      service, request_of(service, target, own_screenshot(service, path), call), target.device);
}

Task<http::Response> answer_tree(Service* service, Call call) {
  CO_TRY(const auto wanted, read_snapshot_request(service, call.request));
  Target target{.device = call.parameters.front()};
  CO_TRY(target.queue_limit, read_queue_limit(call.request));
  CO_TRY(target.backend, read_backend(call.request));
  act::Request request = request_of(service, target, own_snapshot(service), call);
  request.how.ask_screen_size = wanted.format == act::TreeFormat::compact || wanted.since;
  CO_TRY(request.how.gives_way, read_flag(call.request, "giveWay", false));
  CO_TRY(Done done, co_await run_and_publish(service, std::move(request), target.device));
  if (!done.outcome.result) co_return std::move(done.answer);
  ExecuteResult& result = *done.outcome.result;
  Envelope& envelope = result.envelope;
  if (!snapshot_text(envelope)) {
    co_return std::unexpected(step_error(envelope, errc::snapshot_extraction_failed));
  }
  StepResult* step = snapshot_step(envelope);
  CO_TRY_VOID(co_await act::show(&service->seen, &result, step, wanted));
  const StepData& data = step->data;
  http::Response answer{.content_type = std::string(type_of(wanted.format, data)),
                        .body = *snapshot_text(envelope)};
  for (const auto& [header, name] :
       {std::pair{"X-Tree-Hash", "tree_hash"}, std::pair{"X-Since", "since"}}) {
    if (const std::string* value = find_data(data, name))
      answer.headers.emplace_back(header, *value);
  }
  co_return answer;
}

Task<http::Response> answer_png(Service* service, Call call) {
  return answer_picture(service, std::move(call), PictureFormat::png);
}

Task<http::Response> answer_jpeg(Service* service, Call call) {
  return answer_picture(service, std::move(call), PictureFormat::jpeg);
}

}  // namespace clawperator::serve
