#include "runtime/serve/input.hpp"

#include <exception>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/host/send_input.hpp"
#include "runtime/serve/request_body.hpp"

namespace clawperator::serve {
namespace {

http::Response input_answer(const Result<std::string>& done,
                            const std::optional<std::string>& asked) {
  JsonObject json;
  json.boolean("ok", done.has_value());
  if (!done) json.json("error", to_json(done.error()));
  if (done || asked) json.text("deviceId", done ? *done : *asked);
  if (done) json.text("backend", "shell").text("effect", "unobserved");
  return {.status = done ? 200 : error_row(done.error().code()).http_status, .body = json.str()};
}

}  // namespace

Task<std::string> give_and_tell(Service* service, TargetOptions target, act::InputBody input) {
  std::optional<std::string> device = target.device;
  DeviceInput wanted{.command_id = "serve-input-" + std::to_string(next_stamp(service)),
                     .calls = std::move(input.calls),
                     .limit = input.limit};
  Result<std::string> done = fail(errc::cancelled, "whoever asked for it has left; maybe done");
  std::exception_ptr thrown;
  try {
    done = co_await send_input(service->devices, service->sessions, std::move(target),
                               std::move(wanted));
  } catch (const std::exception&) {
    thrown = std::current_exception();  // being cancelled comes as one
  }
  if (done) device = *done;
  service->metrics.record_input(input.kind, device.value_or(""), done);
  JsonObject event;
  if (device) {
    event.text("deviceId", *device);
  } else {
    event.json("deviceId", "null");
  }
  event.json("input", input.told).json("result", input_answer(done, device).body);
  service->events.publish("clawperator:input", event.str());
  if (thrown) std::rethrow_exception(thrown);
  co_return done;
}

Task<http::Response> answer_input(Service* service, Call call) {
  CO_TRY(const Json body, read_object_body(call.request, kMissingBody));
  CO_TRY(act::InputBody input, act::read_input(body));
  const std::string& serial = call.parameters.front();
  const auto done =
      co_await give_and_tell(service, target_of(*service->defaults, serial), std::move(input));
  co_return input_answer(done, serial);
}

}  // namespace clawperator::serve
