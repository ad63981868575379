#include "runtime/serve/routes.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/async/parallel.hpp"
#include "base/json_text.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/device/identity.hpp"
#include "runtime/device/lock.hpp"
#include "runtime/engine/preflight.hpp"
#include "runtime/host/verbs/system.hpp"
#include "runtime/serve/errc.hpp"

namespace clawperator::serve {
namespace {

// A list that changes often is published at most this often, with all that has changed.
constexpr std::chrono::milliseconds kBetweenLists{100};

JsonObject row_json(const DeviceRow& row) {
  JsonObject json;
  json.text("serial", row.serial)
      .text("state", row.state.text())
      .text("transport", transport_name(row.transport));
  if (!row.model.empty()) json.text("model", row.model);
  if (row.facts && row.facts->tls) json.boolean("tls", true);
  if (!row.obstacle.empty()) json.text("obstacle", row.obstacle);
  return json;
}

std::string rows_json(std::span<const DeviceRow> rows) { return list_json(rows, row_json); }

}  // namespace

Task<http::Response> answer_devices(Service* service, Call) {
  co_await service->devices->find_server();
  const auto rows = service->devices->rows();
  const auto why_nothing = service->devices->why_nothing();
  if (rows.empty() && why_nothing) {
    co_return fail(errc::internal_error, "Failed to list devices", why_nothing->members());
  }
  co_return ok_answer(JsonObject().json("devices", rows_json(rows)).str());
}

asio::awaitable<void> publish_devices(Service* service) {
  std::string last;
  for (;;) {
    if (!co_await service->devices->next_events()) co_return;
    std::string now = JsonObject().json("devices", rows_json(service->devices->rows())).str();
    if (now != last) service->events.publish("clawperator:devices", now);
    last = std::move(now);
    co_await sleep_for(kBetweenLists);
    if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) co_return;
  }
}

namespace {

// What a phone reports of itself. A part that it does not report is null in the answer.
struct Facts {
  Result<Identity> identity = fail(errc::unknown, "");
  Result<CommandOutput> release = fail(errc::unknown, "");
  Result<FoundApps> apps = fail(errc::unknown, "");
  Result<Battery> battery = fail(errc::unknown, "");
};

Task<void> read_facts(adbproto::Device* device, NamedOperator wanted, Facts* facts) {
  using namespace base::parallel;
  CommandChannel channel(device);
  auto [identity, release, apps, battery] =
      co_await (read_identity(device) && run_on_device(device, release_line()) &&
                find_operator(&channel, std::move(wanted)) && read_battery(device));
  *facts = {std::move(identity), std::move(release), std::move(apps), std::move(battery)};
  co_return ok();
}

void add_object(JsonObject& json, std::string_view name, const std::optional<JsonObject>& object) {
  object ? json.object(name, *object) : json.null(name);
}

JsonObject facts_json(const Facts& facts, const NamedOperator& wanted, const std::string& serial) {
  std::optional<JsonObject> android, app, battery, busy;
  if (facts.release) {
    const AndroidRelease release = parse_release(facts.release->out);
    if (release.sdk > 0) {
      android = JsonObject().text("release", release.release).number("sdk", release.sdk);
    }
  }
  const auto found = facts.apps ? choose_operator(*facts.apps, wanted) : PackageCheck{};
  if (found.installed) {
    app = JsonObject().text("package", found.package);
    if (found.version) app->text("version", to_string(*found.version));
  }
  if (facts.battery) {
    battery = JsonObject().number("percent", facts.battery->percent);
    battery->text("status", facts.battery->status);
  }
  const auto holder =
      !facts.identity
          ? std::nullopt
          : holder_of(lock_identity(facts.identity->serialno, facts.identity->boot_id, serial));
  if (holder) {
    busy = JsonObject().text("commandId", holder->command_id);
    busy->number("since", holder->since).number("holderPid", holder->pid);
  }
  JsonObject json;
  add_object(json, "android", android);
  add_object(json, "operator", app);
  add_object(json, "battery", battery);
  add_object(json, "busy", busy);
  return json;
}

}  // namespace

Task<http::Response> answer_device(Service* service, Call call) {
  constexpr std::chrono::seconds kLimit{10};  // a phone that hangs answers none of these
  const std::string& named = call.parameters.front();
  CO_TRY(const auto device, co_await service->devices->open(target_of(*service->defaults, named)));
  const NamedOperator& wanted = service->defaults->operator_package;
  Facts facts;
  CO_TRY_VOID(co_await adbproto::with_deadline(read_facts(device.get(), wanted, &facts), kLimit,
                                               "the phone's answers"));
  JsonObject json;
  json.text("deviceId", device->serial());
  const auto rows = service->devices->rows();
  const auto row = std::ranges::find(rows, device->serial(), &DeviceRow::serial);
  if (row != rows.end()) json.object("device", row_json(*row));
  json.append(facts_json(facts, wanted, device->serial()));
  co_return ok_answer(json.str());
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
  bool is_there = false;
  for (const DeviceRow& row : service->devices->rows()) {
    if (!Question{.serial = name}.matches(row)) continue;
    is_there = true;
    if (!stats) stats = service->metrics.stats(row.serial);
  }
  if (!stats && is_there) {
    co_return ok_answer(JsonObject().text("deviceId", name).object("verbs", {}).str());
  }
  if (!stats) co_return fail(errc::device_not_found, "nothing was done on " + name);
  co_return ok_answer(*stats);
}

}  // namespace clawperator::serve
