#include "runtime/host/doctor/device_questions.hpp"

#include "runtime/contract/json_text.hpp"
#include "runtime/device/forwarded_device.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/permissions.hpp"

namespace clawperator {

namespace {

constexpr auto kGrace =
    std::chrono::milliseconds(2000);  // handshake 5000 + 2000, smoke 10000 + 2000
constexpr double kHandshakeMs = 5000;
constexpr double kSmokeMs = 10000;
constexpr std::string_view kSource = "clawperator-doctor";
constexpr std::string_view kSettingsApp = "com.android.settings";

std::string milliseconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

Action action(std::string id, ActionType type) {
  Action action;
  action.id = std::move(id);
  action.type = type;
  return action;
}

Action on_settings(std::string id, ActionType type) {
  Action made = action(std::move(id), type);
  made.application_id = kSettingsApp;
  made.params = JsonObject().text("applicationId", kSettingsApp).str();
  return made;
}

template <class T>
bool is_cancelled(const Result<T>& answer) {
  return !answer && answer.error().code() == errc::cancelled;
}

Task<std::unique_ptr<adbproto::Device>> hand_out(DevicePointer device) {
  co_return forward_to(std::move(device));
}

}  // namespace

Task<DeviceAnswers> ask_device(adbproto::Device* device, std::string operator_package,
                               ProgramVersions versions) {
  using namespace adbproto::parallel;
  AndroidServices services(device);
  auto [sdk, size, density, developer, debugging, wifi, log_probe, maker, compatibility] =
      co_await (run_on_device(device, sdk_line()) && run_on_device(device, screen_size_line()) &&
                run_on_device(device, screen_density_line()) &&
                read_setting(&services, {"global", "development_settings_enabled"}) &&
                read_setting(&services, {"global", "adb_enabled"}) &&
                read_setting(&services, {"global", "adb_wifi_enabled"}) &&
                run_on_device(device, log_probe_line()) && ask_maker(device) &&
                check_compatibility(device, std::move(operator_package), versions));
  if (is_cancelled(sdk)) co_return std::unexpected(sdk.error());
  if (is_cancelled(compatibility)) co_return std::unexpected(compatibility.error());
  DeviceAnswers answers;
  answers.sdk = std::move(sdk);
  answers.wm_size = std::move(size);
  answers.wm_density = std::move(density);
  answers.developer_options = std::move(developer);
  answers.usb_debugging = std::move(debugging);
  answers.wifi_debugging = std::move(wifi);
  answers.log_probe = std::move(log_probe);
  answers.maker = std::move(maker);
  answers.versions = std::move(versions);
  answers.compatibility = std::move(compatibility);
  co_return answers;
}

Task<ServiceFacts> ask_about_service(adbproto::Device* device, std::string operator_package) {
  using namespace adbproto::parallel;
  AndroidServices services(device);
  CO_TRY_VOID(co_await services.find_user());
  auto [list, state, maker] =
      co_await (read_setting(&services, {"secure", std::string(kAccessibilityList)}) &&
                run_on_device(device, accessibility_state_line()) && ask_maker(device));
  if (is_cancelled(list)) co_return std::unexpected(list.error());
  ServiceFacts facts;
  facts.maker = std::move(maker);
  if (list) facts.listed = service_listing(list->out, operator_package);
  facts.ui_automation = state && shows_ui_automation(state->out);
  co_return facts;
}

Execution handshake_execution() {
  Execution execution;
  execution.command_id = "handshake-" + milliseconds_now();
  execution.task_id = "doctor-handshake";
  execution.source = kSource;
  execution.timeout_ms = kHandshakeMs;
  execution.actions = {action("h1", ActionType::doctor_ping)};
  return execution;
}

Execution smoke_execution() {
  Execution execution;
  execution.command_id = "smoke-" + milliseconds_now();
  execution.task_id = "doctor-smoke";
  execution.source = kSource;
  execution.timeout_ms = kSmokeMs;
  execution.actions = {on_settings("s1", ActionType::close_app),
                       on_settings("s2", ActionType::open_app),
                       action("s3", ActionType::snapshot_ui)};
  return execution;
}

std::function<Ping(std::string operator_package)> ping_of(DevicePointer device,
                                                          PingOptions options) {
  return [device = std::move(device), options = std::move(options)](std::string package) -> Ping {
    Dispatch dispatch{device, options.target, std::move(package), options.broadcast_action,
                      nullptr};
    return [dispatch = std::move(dispatch)] { return execute_on(dispatch, handshake_execution()); };
  };
}

Task<ExecuteResult> execute_on(Dispatch dispatch, Execution execution) {
  ExecuteRequest request;
  request.execution = std::move(execution);
  request.target = std::move(dispatch.target);
  request.operator_package = std::move(dispatch.operator_package);
  request.broadcast_action = std::move(dispatch.broadcast_action);
  request.grace = kGrace;
  request.await_service = false;  // whoever pings waits longer, and looks in between
  auto given = [device = std::move(dispatch.device)](const TargetOptions&) {
    return hand_out(device);
  };
  co_return co_await execute(std::move(request), dispatch.log, std::move(given));
}

}  // namespace clawperator
