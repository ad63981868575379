#include "runtime/host/doctor/questions.hpp"

#include <algorithm>

#include "adbproto/client/server_client.hpp"
#include "base/clock.hpp"
#include "base/json_text.hpp"
#include "base/own_program.hpp"
#include "base/system/environment.hpp"
#include "runtime/android/screen_commands.hpp"
#include "runtime/device/discovery/routes.hpp"
#include "runtime/device/forwarded_device.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/device/start_server.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/other_programs.hpp"
#include "runtime/host/permissions.hpp"

namespace clawperator {

namespace {

// As the Node CLI: handshake 5000 + 2000, smoke 10000 + 2000.
constexpr auto kGrace = std::chrono::milliseconds(2000);
constexpr double kHandshakeMs = 5000;
constexpr double kSmokeMs = 10000;
constexpr std::string_view kSource = "clawperator-doctor";
constexpr std::string_view kSettingsApp = "com.android.settings";

Execution doctor_execution(const std::string& name, double timeout_ms,
                           std::vector<Action> actions) {
  Execution execution;
  execution.command_id = name + "-" + std::to_string(base::wall_milliseconds());
  execution.task_id = "doctor-" + name;
  execution.source = kSource;
  execution.timeout_ms = timeout_ms;
  execution.actions = std::move(actions);
  return execution;
}

template <class T>
bool was_cancelled(const Result<T>& answer) {
  return !answer && answer.error().code() == errc::cancelled;
}

Task<std::unique_ptr<adbproto::Device>> hand_out(DevicePointer device) {
  co_return forward_to(std::move(device));
}

}  // namespace

Task<DeviceAnswers> query_device(adbproto::Device* device, NamedOperator operator_package,
                                 ProgramVersions versions) {
  using namespace base::parallel;
  AndroidServices services(device);
  auto [sdk, size, density, screen, developer, debugging, wifi, maker, compatibility] = co_await (
      run_on_device(device, sdk_line()) && run_on_device(device, screen_size_line()) &&
      run_on_device(device, screen_density_line()) && run_on_device(device, screen_state_line()) &&
      read_setting(&services, {"global", "development_settings_enabled"}) &&
      read_setting(&services, {"global", "adb_enabled"}) &&
      read_setting(&services, {"global", "adb_wifi_enabled"}) && read_maker(device) &&
      check_compatibility(device, std::move(operator_package), versions));
  if (was_cancelled(sdk)) co_return std::unexpected(sdk.error());
  if (was_cancelled(compatibility)) co_return std::unexpected(compatibility.error());
  co_return DeviceAnswers{.sdk = std::move(sdk),
                          .wm_size = std::move(size),
                          .wm_density = std::move(density),
                          .screen = std::move(screen),
                          .developer_options = std::move(developer),
                          .usb_debugging = std::move(debugging),
                          .wifi_debugging = std::move(wifi),
                          .compatibility = std::move(compatibility),
                          .versions = std::move(versions),
                          .maker = std::move(maker)};
}

Task<ServiceFacts> query_service(adbproto::Device* device, std::string operator_package) {
  using namespace base::parallel;
  AndroidServices services(device);
  CO_TRY_VOID(co_await services.find_user());
  auto [list, state, maker] =
      co_await (read_setting(&services, {"secure", std::string(kAccessibilityList)}) &&
                run_on_device(device, accessibility_state_line()) && read_maker(device));
  if (was_cancelled(list)) co_return std::unexpected(list.error());
  ServiceFacts facts;
  facts.maker = std::move(maker);
  if (list) facts.listed = service_listing(list->out, operator_package);
  facts.ui_automation = state && shows_ui_automation(state->out);
  co_return facts;
}

Execution handshake_execution() {
  return doctor_execution("handshake", kHandshakeMs, {{DoctorPing{}, "h1"}});
}

Execution smoke_execution() {
  const std::string settings(kSettingsApp);
  return doctor_execution(
      "smoke", kSmokeMs,
      {{CloseApp{settings}, "s1"}, {OpenApp{settings}, "s2"}, {Snapshot{}, "s3"}});
}

Ping ping_of(DevicePointer device, PingOptions options) {
  return [device = std::move(device), options = std::move(options)](std::string package) {
    return execute_on(
        {device, options.target, std::move(package), options.broadcast_action, nullptr},
        handshake_execution());
  };
}

Task<ExecuteResult> execute_on(Dispatch dispatch, Execution execution) {
  ExecuteRequest request;
  request.execution = std::move(execution);
  request.target = std::move(dispatch.target);
  request.operator_package = std::move(dispatch.operator_package);
  request.broadcast_action = std::move(dispatch.broadcast_action);
  request.grace = kGrace;
  request.await_service = false;  // the caller pings for longer, and checks in between
  auto given = [device = std::move(dispatch.device)](const TargetOptions&) {
    return hand_out(device);
  };
  co_return co_await execute(std::move(request), dispatch.log, std::move(given));
}

namespace {

Task<void> query_server(ServerClient client, ServerFacts* facts) {
  using namespace base::parallel;
  auto [version, features, lines] =
      co_await (client.version() && client.host_features() && client.devices(ListFormat::detailed));
  if (!version) co_return std::unexpected(version.error());
  facts->version = *version;
  facts->usb_backend = features && features->has("libusb") ? "libusb" : "native";
  if (!lines) co_return std::unexpected(lines.error());
  for (const auto& line : *lines) facts->rows.push_back(server_row(line));
  co_return ok();
}

asio::awaitable<ServerFacts> survey_server(TargetOptions target, ServerClient client) {
  ServerFacts facts;
  facts.address = client.address().to_string();
  facts.is_used = target.transport == Transport::automatic || target.transport == Transport::server;
  if (!facts.is_used) co_return facts;
  facts.can_start = has_adb_program();
  const auto answered = co_await query_server(std::move(client), &facts);
  if (!answered) facts.problem = answered.error();
  co_return facts;
}

asio::awaitable<UsbFacts> survey_usb(TargetOptions target) {
  Routes routes(std::move(target));
  const auto bus = co_await routes.usb_bus();
  if (!bus) co_return UsbFacts{.problem = bus.error()};
  UsbFacts facts;
  facts.phones = co_await (*bus)->devices();
  if (facts.phones.empty()) co_return facts;
  if (const auto usable = (*bus)->can_open(); !usable) facts.no_library = usable.error();
  co_return facts;
}

// Opening a phone shows whether another process holds it. Ours is open, the server's are not
// touched.
asio::awaitable<std::vector<DeviceRow>> try_other_phones(TargetOptions target, HostFacts facts) {
  Routes routes(std::move(target));
  std::vector<DeviceRow> rows;
  for (const auto& phone : facts.usb.phones) {
    const bool is_held = std::ranges::any_of(
        facts.server.rows, [&](const DeviceRow& row) { return holds(row, phone); });
    const bool is_ours = facts.route == "usb" && usb_row(phone).serial == facts.serial;
    const bool is_open = phone.access == adbproto::UsbDevice::Access::open;
    if (is_open && !is_held && !is_ours) rows.push_back(co_await routes.describe_usb_phone(phone));
  }
  co_return rows;
}

// The states of everything, when nothing can be used as it is.
asio::awaitable<std::vector<DeviceRow>> all_rows(TargetOptions target) {
  auto rows = co_await list_devices(std::move(target), Detail::states);
  co_return rows ? *std::move(rows) : std::vector<DeviceRow>{};
}

// --start-server, once for all that follows.
Task<void> start_if_absent(ServerClient client) {
  const auto version = co_await client.version();
  if (version || version.error().code() != errc::io) co_return ok();
  co_return co_await start_adb_server(client.address());
}

bool is_for_the_caller(const Error& error) {
  return error.code() == errc::invalid_argument || error.code() == errc::cancelled;
}

}  // namespace

Task<HostSurvey> survey_host(TargetOptions target) {
  using namespace base::parallel;
  target.authorization_limit = {};
  const Routes routes(target);
  CO_TRY(auto client, routes.server());
  Result<void> started;
  if (std::exchange(target.start_server, false)) started = co_await start_if_absent(client);
  HostSurvey survey;
  HostFacts& facts = survey.facts;
  auto [device, server, usb] = co_await (
      resolve_device(target) && survey_server(target, std::move(client)) && survey_usb(target));
  facts.question = question_of(target);
  facts.server = std::move(server);
  if (!started) facts.server.problem = started.error();
  facts.usb = std::move(usb);
  facts.key = adbproto::read_user_key_state(environment_variable);
  facts.own_program = own_program().string();
  for (const auto& program : other_programs()) facts.other_programs.push_back(program.string());
  if (device) {
    survey.device = *std::move(device);
    facts.serial = survey.device->serial();
    facts.route = survey.device->route();
    facts.rows = co_await try_other_phones(std::move(target), facts);
    co_return survey;
  }
  if (is_for_the_caller(device.error())) co_return std::unexpected(device.error());
  facts.unresolved = device.error();
  facts.rows = co_await all_rows(target);
  co_return survey;
}

namespace {

// Twice kChoreLimit: a phone that is slow to start the app is not a failed repair.
constexpr auto kLaunchLimit = std::chrono::seconds(20);

// The exit status is no proof: abb's is always 1, and `am start` of some versions ends with 0 in
// every case.
bool reports_start(const CommandOutput& output) {
  const std::string text = output.out + output.err;
  return output.out.contains("Starting:") && !text.contains("Error") && !text.contains("Exception");
}

}  // namespace

Task<void> launch_operator(adbproto::Device* device, std::string operator_package) {
  AndroidServices services(device);
  CO_TRY(const int user, co_await services.find_user());
  CommandChannel channel(device);
  const auto output = co_await channel.run(
      AndroidService::activity,
      start_activity_words(user, main_activity_component(operator_package)), kLaunchLimit);
  if (!output && ends_everything(output.error())) co_return std::unexpected(output.error());
  if (output && reports_start(*output)) co_return ok();
  co_return fail(errc::android_app_launch_failed,
                 output ? output->text() : output.error().message());
}

}  // namespace clawperator
