#include "runtime/serve/input.hpp"

#include <nlohmann/json.hpp>

#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/engine/device_input.hpp"
#include "runtime/host/phone_maker.hpp"
#include "runtime/serve/input_body.hpp"
#include "runtime/serve/request_body.hpp"

namespace clawperator::serve {
namespace {

// The device that has taken it.
Task<std::string> send_input(Service* service, std::string serial, DeviceInput input) {
  CO_TRY(const CommandClaim claim, service->sessions->claim(input.command_id));
  CO_TRY(const auto device,
         co_await open_supervised(service->devices, target_of(*service->defaults, serial)));
  const auto done = co_await perform_input(device.get(), std::move(input));
  if (!done) co_return std::unexpected(co_await with_vendor_hint(device.get(), done.error()));
  co_return device->serial();
}

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
  CO_TRY(InputBody input, read_input(body));
  const std::string& serial = call.parameters.front();
  DeviceInput wanted{.command_id = "serve-input-" + std::to_string(next_stamp(service)),
                     .calls = std::move(input.calls),
                     .limit = input.limit};
  const auto done = co_await send_input(service, serial, std::move(wanted));
  http::Response answer = input_answer(done, serial);
  JsonObject event;
  event.text("deviceId", serial).json("input", input.told).json("result", answer.body);
  service->events.publish("clawperator:input", event.str());
  co_return answer;
}

}  // namespace clawperator::serve
