#include "runtime/serve/routes.hpp"

#include <exception>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/hints.hpp"
#include "base/json_text.hpp"
#include "runtime/act/effect.hpp"
#include "runtime/act/executors.hpp"
#include "runtime/serve/request_body.hpp"

namespace clawperator::serve {
namespace {

http::Response input_answer(const Result<InputDone>& done, const std::optional<std::string>& named,
                            const std::optional<Verify>& verify) {
  JsonObject json;
  json.boolean("ok", done.has_value());
  if (!done) json.json("error", to_json(restated(done.error(), Reader::http)));
  if (done || named) json.text("deviceId", done ? done->device : *named);
  if (done) json.text("backend", "shell");
  if (done && verify) act::effect_of(done->proof, *verify).write_to(json);
  if (done && !verify) json.text("effect", "unobserved");
  return {.status = done ? 200 : done.error().code()->http_status, .body = json.str()};
}

}  // namespace

Task<InputDone> give_and_publish(Service* service, TargetOptions target, DeviceInput input) {
  std::optional<std::string> device = target.device;
  input.command_id = "serve-input-" + std::to_string(next_stamp(service));
  const std::string_view kind = input.kind;
  const std::string description = input.description;
  const auto verify = input.verify;
  act::SupervisedExecutor executor(service->devices, service->sessions, service->log);
  Result<InputDone> done = fail(errc::cancelled, "the client has left; maybe done");
  std::exception_ptr thrown;
  try {
    done = co_await executor.give_input(std::move(target), std::move(input));
  } catch (const std::exception&) {
    thrown = std::current_exception();  // being cancelled comes as one
  }
  if (done) device = done->device;
  Result<std::string> taken = device.value_or("");
  if (!done) taken = std::unexpected(done.error());
  service->metrics.record_input(kind, device.value_or(""), taken);
  JsonObject event;
  if (device) {
    event.text("deviceId", *device);
  } else {
    event.json("deviceId", "null");
  }
  event.json("input", description).json("result", input_answer(done, device, verify).body);
  service->events.publish("clawperator:input", event.str());
  if (thrown) std::rethrow_exception(thrown);
  co_return done;
}

Task<http::Response> answer_input(Service* service, Call call) {
  CO_TRY(Json body, read_object_body(call.request));
  CO_TRY(const auto verify, take_verify(body));
  CO_TRY(DeviceInput input, act::read_input(body));
  input.verify = verify;
  const std::string& serial = call.parameters.front();
  const auto done =
      co_await give_and_publish(service, target_of(*service->defaults, serial), std::move(input));
  co_return input_answer(done, serial, verify);
}

}  // namespace clawperator::serve
