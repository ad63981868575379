#include "runtime/serve/routes.hpp"

#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "base/error_members.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/effect.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/result.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/log_pieces.hpp"
#include "runtime/engine/password_fields.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/host/verbs/app_log.hpp"
#include "runtime/image/errc.hpp"
#include "runtime/serve/client_files.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/outcome.hpp"
#include "runtime/serve/request_body.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::serve {
namespace {

// An execution that is asked for, judged or not: what is wrong with it is told to the events, too.
struct Asked {
  Whom whom;
  std::optional<std::string> looked_at{};  // the device whose screen was seen before: no other
  std::string input;                       // JSON text, as it was given
  Result<Execution> execution;
  ScreenshotOptions screenshot{};
  bool ask_screen_size = false;
  std::optional<Traceparent> traceparent{};
  std::optional<Verify> verify{};
  bool tells_miss = false;
  std::optional<std::size_t> nth{};  // of the nodes that the plan's first step fits
  act::Shown shown{};                // that node, as it was seen
  JsonObject told{};                 // beside the envelope, of what went before
  Secrets secrets{};                 // the same
  const http::Asker* asker = nullptr;
};

NamedOperator package_of(const Service* service, const Whom& whom) {
  return whom.operator_package ? whom.operator_package : service->defaults->operator_package;
}

std::optional<Backend> named_backend(const Service* service, const Whom& whom) {
  return whom.backend ? whom.backend : service->defaults->backend;
}

Asked judged(const Service* service, Whom whom, std::string input) {
  auto execution = act::judge_payload(input, std::nullopt, package_of(service, whom));
  if (execution && !typed_by(*execution).empty()) {
    const auto shown = service->snapshots.last_shown(whom.device);
    const auto xml = shown ? service->snapshots.find(shown->hash) : std::nullopt;
    if (xml) mark_passwords(*execution, *xml, SeenWhen::before);
  }
  return {.whom = std::move(whom), .input = std::move(input), .execution = std::move(execution)};
}

// The one step of a route that is made here.
Asked own_step(Service* service, Whom whom, std::string_view prefix, const JsonObject& action) {
  const std::string id = std::string(prefix) + "-" + std::to_string(next_stamp(service));
  return judged(service, std::move(whom),
                JsonObject()
                    .text("commandId", id)
                    .text("taskId", id)
                    .text("source", "serve-api")
                    .text("expectedFormat", kExpectedFormat)
                    .number("timeoutMs", 30000)
                    .json("actions", "[" + action.str() + "]")
                    .str());
}

Asked own_snapshot(Service* service, Whom whom) {
  const auto action = JsonObject().text("id", "snap").text("type", "snapshot_ui");
  return own_step(service, std::move(whom), "serve-snap", action);
}

Asked own_screenshot(Service* service, Whom whom, const std::optional<std::string>& path) {
  auto action = JsonObject().text("id", "shot").text("type", "take_screenshot");
  if (path) action.object("params", JsonObject().text("path", *path));
  whom.backend = act::backend_of(act::Screenshot{}, named_backend(service, whom));
  return own_step(service, std::move(whom), "serve-shot", action);
}

// What the app tells of the steps while they run.
void tell_stage(Service* service, const std::string& command_id, const Stage& stage) {
  if (service->event_streams == 0) return;
  JsonObject data;
  data.text("commandId", command_id).text("stage", stage.name).text("operation", stage.operation);
  if (!stage.detail.empty()) data.text("detail", stage.detail);
  service->stages.publish("clawperator:stage", data.str());
}

// A client that gives up in the line may ask once more: then it would be done twice.
Task<void> unless_gone(const http::Asker* asker) {
  if (!asker->is_gone()) co_return ok();
  co_return fail(errc::cancelled, "whoever waited in line for it has left");
}

TargetOptions target_of(const Service* service, const Whom& whom,
                        const std::optional<std::string>& looked_at) {
  TargetOptions target = target_of(*service->defaults, whom.device);
  if (looked_at) stay_on(&target, *looked_at);
  return target;
}

ExecuteRequest request_of(Service* service, const Asked& asked) {
  ExecuteRequest request;
  request.execution = *asked.execution;
  request.secrets = asked.secrets;
  request.target = target_of(service, asked.whom, asked.looked_at);
  request.operator_package = package_of(service, asked.whom);
  request.broadcast_action = service->defaults->broadcast_action;
  request.screenshot = asked.screenshot;
  request.ask_screen_size = asked.ask_screen_size;
  request.backend = named_backend(service, asked.whom).value_or(Backend::operator_app);
  request.verify = asked.verify;
  request.shown = asked.shown;
  request.lock_patience = asked.whom.patience;
  request.sessions = service->sessions;
  request.traceparent = asked.traceparent;
  if (asked.asker && asked.whom.patience.count() > 0) {
    request.before_effects = [asker = asked.asker] { return unless_gone(asker); };
  }
  request.on_stage = [service, id = asked.execution->command_id](const Stage& stage) {
    tell_stage(service, id, stage);
  };
  return request;
}

// The device is noted as soon as it is known: an error that comes later says which it was.
Task<std::unique_ptr<adbproto::Device>> open_and_note(Supervisor* devices, TargetOptions target,
                                                      std::optional<std::string>* device_id) {
  auto device = co_await open_supervised(devices, std::move(target));
  if (device) *device_id = (*device)->serial();
  co_return device;
}

Task<ExecuteResult> execute_once(Service* service, const Asked* asked,
                                 std::optional<std::string>* device_id) {
  if (!asked->execution) co_return std::unexpected(asked->execution.error());
  ResolveDevice kept_open = [service, device_id](TargetOptions target) {
    return open_and_note(service->devices, std::move(target), device_id);
  };
  ExecuteRequest request = request_of(service, *asked);
  CO_TRY_VOID(co_await confine_pictures(service->files, &request));
  co_return co_await execute(std::move(request), service->log, std::move(kept_open));
}

// Why the one step of an envelope has nothing to show.
Error step_error(const Envelope& envelope, Errc otherwise) {
  return {otherwise, act::failure_message(envelope),
          ErrorMembers().json("envelope", to_json(envelope)).str()};
}

struct Looked {
  UiTree screen;
  std::string device;
};

// The screen as it is now, by an execution of its own; kept, so that refs of it hold. `device`: of
// the one that was reached before, if any.
Task<Looked> look(Service* service, const Asked* asked, std::optional<std::string> device) {
  std::optional<std::string> found;
  Asked snapshot = own_snapshot(service, asked->whom);
  snapshot.looked_at = std::move(device);
  snapshot.traceparent = asked->traceparent;
  snapshot.secrets = asked->secrets;
  CO_TRY(const ExecuteResult seen, co_await execute_once(service, &snapshot, &found));
  CO_TRY(UiTree screen, co_await run_blocking([&]() -> Result<UiTree> {
           if (snapshot_text(seen.envelope)) return act::observe(seen.envelope, service->snapshots);
           return std::unexpected(step_error(seen.envelope, errc::snapshot_extraction_failed));
         }));
  co_return Looked{std::move(screen), seen.device_id};
}

// What the step that ended the plan was looking for: the app leaves no results then, but names it.
struct Missing {
  NodeMatcher node{};
  std::size_t step = 0;
};

Missing find_missing(const Envelope& envelope, const Execution& execution) {
  for (std::size_t step = 0; step < execution.actions.size(); ++step) {
    const Json params = Json::parse(execution.actions[step].params.value_or("{}"), nullptr, false);
    const Json* matcher = find_member(params, "matcher");
    if (!matcher || !matcher->is_object()) continue;
    const NodeMatcher wanted = read_matcher(*matcher);
    if (envelope.error && envelope.error->contains(describe(wanted))) return {wanted, step};
  }
  return {};
}

// Which app should be in front of a device after these actions, where `package` was before; empty:
// nobody knows. What an app does with a click is not expected to bring another one.
std::string app_after(std::string package, std::span<const Action> done) {
  for (const Action& action : done) {
    switch (action.type) {
      case ActionType::open_app: package = action.application_id.value_or(""); break;
      case ActionType::open_uri:
      case ActionType::close_app:
      case ActionType::press_key: package.clear(); break;
      default: break;
    }
  }
  return package;
}

// What stands on the screen instead, by one more look. Empty where that fails.
asio::awaitable<JsonObject> look_for_miss(Service* service, Asked* asked,
                                          const ExecuteResult* result) {
  asked->secrets = result->secrets;
  const Missing missing = find_missing(result->envelope, *asked->execution);
  const std::span done = std::span(asked->execution->actions).first(missing.step);
  std::string before = app_after(service->in_front.of(own_name(*result)).value_or(""), done);
  const auto seen = co_await look(service, asked, result->device_id);
  if (!seen) co_return JsonObject();
  const auto find_crash = [&](std::string package) {
    return find_recent_crash(target_of(service, asked->whom, result->device_id), std::move(package),
                             supervised(service->devices));
  };
  auto told =
      co_await act::tell_whole_miss(&seen->screen, &missing.node, std::move(before), find_crash);
  co_return told ? *std::move(told) : JsonObject();
}

// What the plan is expected to have brought to the front; of one that failed nobody knows.
void note_in_front(Service* service, const Execution& execution, const ExecuteResult& result) {
  PerDevice& apps = service->in_front;
  const bool succeeds = succeeded(result.envelope);
  std::string before = apps.of(own_name(result)).value_or("");
  apps.note(result.device_id, own_name(result),
            succeeds ? app_after(std::move(before), execution.actions) : std::string());
}

// The plan with the nth of the nodes that its first step's matcher fits, as the screen is now.
Task<void> aim_at(Service* service, Asked* asked) {
  Json payload = Json::parse(payload_json(*asked->execution), nullptr, false);
  Json& params = payload["actions"][0]["params"];
  CO_TRY(const Looked seen, co_await look(service, asked, std::nullopt));
  asked->looked_at = seen.device;
  CO_TRY(const act::NthPlace found, co_await run_blocking([&] {
           return act::find_nth(seen.screen, read_matcher(params["matcher"]), *asked->nth);
         }));
  const bool is_click = asked->execution->actions.front().type == ActionType::click;
  const Point* point = is_click ? std::get_if<Point>(&found.place.at) : nullptr;
  if (point) {
    params.erase("matcher");
    params["coordinate"] = {{"x", point->x}, {"y", point->y}};
  } else {
    CO_TRY(const act::Selector only, act::selector_of(found));
    params["matcher"] = act::to_document(only);
  }
  if (found.is_password) params["secret"] = true;
  asked->shown = found.place.shown;
  found.matches.tell(asked->told);
  CO_TRY(asked->execution,
         act::judge_payload(write_json(payload), std::nullopt, package_of(service, asked->whom)));
  co_return ok();
}

// The same, or what is wrong with it as any execution's fault is told.
Task<Asked> aim(Service* service, Asked asked) {
  if (!asked.nth || !asked.execution) co_return asked;
  const Action& first = asked.execution->actions.front();
  const bool is_aimed = first.type == ActionType::click || first.type == ActionType::enter_text;
  const Json params = Json::parse(first.params.value_or("{}"), nullptr, false);
  if (!is_aimed || !find_member(params, "matcher")) {
    co_return fail(errc::invalid_body,
                   "'nth' is of a plan that begins with a click or an enter_text by a matcher");
  }
  const auto aimed = co_await aim_at(service, &asked);
  if (!aimed) asked.execution = std::unexpected(aimed.error());
  co_return asked;
}

struct Done {
  Result<ExecuteResult> result = fail(errc::cancelled, "");
  http::Response answer{};
};

Task<Done> run_and_tell(Service* service, Asked asked) {
  std::optional<std::string> found;
  Done done;
  done.result = co_await execute_once(service, &asked, &found);
  const Execution* execution = asked.execution ? &*asked.execution : nullptr;
  if (execution) service->metrics.record(*execution, found, done.result);
  JsonObject more = std::move(asked.told);
  if (asked.verify && done.result) {
    const std::optional<StepResult> none;
    const auto effect = co_await act::find_effect(&*done.result, &*asked.verify, &none);
    effect.tell(more);
  }
  if (asked.tells_miss && done.result && act::is_miss(done.result->envelope)) {
    const JsonObject miss = co_await look_for_miss(service, &asked, &*done.result);
    if (!miss.empty()) more.json("miss", asked.secrets.masked_json(miss.str()));
  }
  if (execution && done.result) note_in_front(service, *execution, *done.result);
  if (!found) found = asked.looked_at ? asked.looked_at : asked.whom.device;
  std::string input =
      execution ? told_execution(*execution, done.result) : masked_payload(asked.input);
  done.answer = co_await tell_outcome(service, execution, std::move(input), std::move(found),
                                      &done.result, std::move(more));
  co_return done;
}

Task<http::Response> run_and_answer(Service* service, Asked asked, const Call* call) {
  asked.traceparent = call->traceparent;
  asked.asker = call->request.asker;
  CO_TRY(asked, co_await aim(service, std::move(asked)));
  CO_TRY(Done done, co_await run_and_tell(service, std::move(asked)));
  co_return std::move(done.answer);
}

Result<act::TreeFormat> read_format(const std::string* name) {
  if (!name) return act::TreeFormat::xml;
  if (const auto format = act::read_tree_format(*name)) return *format;
  return fail(errc::invalid_query, "'format' must be xml, compact or json");
}

Result<act::SnapshotRequest> read_wanted(const Service* service, const http::Request& request) {
  act::SnapshotRequest wanted;
  TRY(wanted.format, read_format(request.parameter("format")));
  const std::string* since = request.parameter("since");
  if (!since) return wanted;
  if (!act::is_tree_hash(*since)) {
    return fail(errc::invalid_query, "'since' must be the hash of a snapshot: 12 hex digits");
  }
  wanted.since = act::Since{};
  if (const auto xml = service->snapshots.find(*since)) {
    if (auto tree = parse_hierarchy(*xml)) wanted.since->tree = *std::move(tree);
  }
  return wanted;
}

std::string_view type_of(act::TreeFormat format) {
  if (format == act::TreeFormat::xml) return "application/xml; charset=utf-8";
  return format == act::TreeFormat::json ? "application/json; charset=utf-8"
                                         : "text/plain; charset=utf-8";
}

Task<http::Response> answer_picture(Service* service, Call call, PictureFormat format) {
  // It needs no app, and waits for no execution.
  Whom whom{.device = call.parameters.front(), .backend = Backend::shell};
  Asked asked = own_screenshot(service, std::move(whom), std::nullopt);
  asked.screenshot.format = format;
  asked.screenshot.to_memory = true;
  asked.traceparent = call.traceparent;
  CO_TRY(Done done, co_await run_and_tell(service, std::move(asked)));
  if (!done.result) co_return std::move(done.answer);
  const auto& picture = done.result->picture;
  if (picture.empty()) {
    co_return std::unexpected(step_error(done.result->envelope, errc::screenshot_capture_failed));
  }
  co_return http::Response{
      .content_type = format == PictureFormat::png ? "image/png" : "image/jpeg",
      .body = std::string(reinterpret_cast<const char*>(picture.data()), picture.size())};
}

}  // namespace

asio::awaitable<http::Response> tell_outcome(Service* service, const Execution* execution,
                                             std::string input,
                                             std::optional<std::string> device_id,
                                             const Result<ExecuteResult>* result, JsonObject more) {
  Told told;
  const auto write = [&]() -> Result<void> {
    told = tell(*result, device_id, execution, input, more);
    return ok();
  };
  [[maybe_unused]] const auto written =
      co_await adbproto::run_blocking_if(is_large(*result), write);
  if (told.result) service->events.publish("clawperator:result", *std::move(told.result));
  service->events.publish("clawperator:execution", std::move(told.execution));
  co_return http::Response{.status = told.status, .body = std::move(told.answer)};
}

Task<http::Response> answer_execute(Service* service, Call call) {
  CO_TRY(Json body, read_body(call.request));
  CO_TRY(std::string execution, read_execution(body));
  CO_TRY(Whom whom, read_whom(body));
  CO_TRY(const auto verify, take_verify(body));
  CO_TRY(const bool tells_miss, read_flag(body, "miss"));
  CO_TRY(const auto nth, read_nth(body));
  Asked asked = judged(service, std::move(whom), std::move(execution));
  asked.verify = verify;
  asked.tells_miss = tells_miss;
  asked.nth = nth;
  co_return co_await run_and_answer(service, std::move(asked), &call);
}

Task<http::Response> answer_snapshot(Service* service, Call call) {
  CO_TRY(const Json body, read_object_body(call.request));
  CO_TRY_VOID(refuse_what_executes(body));
  CO_TRY(Whom whom, read_whom(body));
  co_return co_await run_and_answer(service, own_snapshot(service, std::move(whom)), &call);
}

Task<http::Response> answer_screenshot(Service* service, Call call) {
  CO_TRY(const Json body, read_object_body(call.request));
  CO_TRY_VOID(refuse_what_executes(body));
  CO_TRY(Whom whom, read_whom(body));
  CO_TRY(const auto path, read_path(body));
  co_return co_await run_and_answer(service, own_screenshot(service, std::move(whom), path), &call);
}

Task<http::Response> answer_tree(Service* service, Call call) {
  CO_TRY(const auto wanted, read_wanted(service, call.request));
  Whom whom{.device = call.parameters.front()};
  CO_TRY(whom.patience, read_patience(call.request));
  CO_TRY(whom.backend, read_backend(call.request));
  Asked asked = own_snapshot(service, std::move(whom));
  asked.traceparent = call.traceparent;
  asked.ask_screen_size = wanted.format == act::TreeFormat::compact || wanted.since;
  CO_TRY(Done done, co_await run_and_tell(service, std::move(asked)));
  if (!done.result) co_return std::move(done.answer);
  Envelope& envelope = done.result->envelope;
  if (!snapshot_text(envelope)) {
    co_return std::unexpected(step_error(envelope, errc::snapshot_extraction_failed));
  }
  CO_TRY(const std::string foreground, co_await run_blocking([&]() -> Result<std::string> {
           const act::SnapshotStore& store = service->snapshots;
           TRY(std::string app, act::render_snapshot(envelope, wanted, done.result->screen, store));
           const auto* hash = find_data(snapshot_step(envelope)->data, "tree_hash");
           if (hash) store.note_showing(done.result->device_id, own_name(*done.result), *hash);
           return app;
         }));
  const StepData& data = snapshot_step(envelope)->data;
  service->in_front.note(done.result->device_id, own_name(*done.result), foreground);
  http::Response answer{.content_type = std::string(type_of(wanted.format)),
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
