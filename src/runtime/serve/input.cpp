#include "runtime/serve/input.hpp"

#include <nlohmann/json.hpp>

#include "runtime/act/input_body.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/host/send_input.hpp"
#include "runtime/serve/request_body.hpp"

namespace clawperator::serve {
namespace {

http::Response input_answer(const Result<std::string>& done, const std::string& asked) {
  JsonObject json;
  json.boolean("ok", done.has_value());
  if (!done) json.json("error", to_json(done.error()));
  json.text("deviceId", done.value_or(asked));
  if (done) json.text("backend", "shell").text("effect", "unobserved");
  return {.status = done ? 200 : error_row(done.error().code()).http_status, .body = json.str()};
}

}  // namespace

Task<http::Response> answer_input(Service* service, Call call) {
  CO_TRY(const Json body, read_object_body(call.request, kMissingBody));
  CO_TRY(act::InputBody input, act::read_input(body));
  const std::string& serial = call.parameters.front();
  DeviceInput wanted{.command_id = "serve-input-" + std::to_string(next_stamp(service)),
                     .calls = std::move(input.calls),
                     .limit = input.limit};
  const auto done = co_await send_input(service->devices, service->sessions,
                                        target_of(*service->defaults, serial), std::move(wanted));
  http::Response answer = input_answer(done, serial);
  JsonObject event;
  event.text("deviceId", serial).json("input", input.told).json("result", answer.body);
  service->events.publish("clawperator:input", event.str());
  co_return answer;
}

}  // namespace clawperator::serve
