#include "runtime/serve/routes.hpp"

#include "adbproto/wire/errc.hpp"
#include "base/json_text.hpp"
#include "runtime/daemon/daemon_server.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/serve/errc.hpp"

namespace clawperator::serve {

Task<http::Response> answer_devices(Service* service, Call) {
  co_await service->devices->find_server();
  const auto rows = service->devices->rows();
  const auto why_nothing = service->devices->why_nothing();
  if (rows.empty() && why_nothing) {
    co_return fail(errc::internal_error, "Failed to list devices", why_nothing->members());
  }
  co_return ok_answer(JsonObject().json("devices", daemon::devices_json(rows)).str());
}

Task<http::Response> answer_health(Service*, Call) { co_return ok_answer("{}"); }

Task<http::Response> answer_metrics(Service* service, Call) {
  Gauges now{.in_flight = service->sessions->in_flight(),
             .event_streams = service->event_streams,
             .events = service->events.published()};
  for (const DeviceRow& row : service->devices->rows()) ++now.devices[row.state.text()];
  co_return http::Response{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                           .body = service->metrics.prometheus(now)};
}

Task<http::Response> answer_stats(Service* service, Call call) {
  const std::string& name = call.parameters.front();
  auto stats = service->metrics.stats(name);
  for (const DeviceRow& row : service->devices->rows()) {
    if (!stats && Question{.serial = name}.matches(row)) stats = service->metrics.stats(row.serial);
  }
  if (!stats) co_return fail(errc::device_not_found, "nothing was done on " + name);
  co_return ok_answer(*stats);
}

}  // namespace clawperator::serve
