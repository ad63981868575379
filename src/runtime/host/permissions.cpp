#include "runtime/host/permissions.hpp"

#include <algorithm>

#include "adbproto/wire/services.hpp"
#include "base/text.hpp"
#include "runtime/engine/preflight.hpp"

namespace clawperator {

namespace {

constexpr std::string_view kListenerList = "enabled_notification_listeners";
constexpr std::string_view kAccessibilitySwitch = "accessibility_enabled";
constexpr std::string_view kNotificationPermission = "android.permission.POST_NOTIFICATIONS";
constexpr std::string_view kNotTried = "not tried";
constexpr std::string_view kUnfinished = "interrupted: it is not known whether it was done";
// 800 ms in all: the system may list the listener a little after the command.
constexpr auto kListenerPause = std::chrono::milliseconds(400);
constexpr int kListenerReads = 3;

SettingKey secure(std::string_view name) { return {"secure", std::string(name)}; }

ServiceList list_of(const Result<CommandOutput>& output, std::string_view key) {
  ServiceList list = output ? parse_service_list(output->out) : ServiceList{};
  if (!output) list.problem = output.error().message();
  if (list.problem) list.problem = "Could not read " + std::string(key) + ": " + *list.problem;
  return list;
}

void note_failure(ServiceGrant* grant, std::string problem) {
  grant->ok = false;
  grant->error = std::move(problem);
}

void succeed(ServiceGrant* grant, bool already_enabled) { *grant = {true, already_enabled, {}}; }

// One setting to be written: `on_switch` before it, if it is not empty.
struct Enabling {
  std::string_view key;
  std::string_view on_switch;
  std::string value;
};

// Leaves `grant` ok only if every write was accepted.
Task<void> write_setting(AndroidServices* services, Enabling enabling, ServiceGrant* grant) {
  grant->error = kUnfinished;
  std::string objection;
  if (!enabling.on_switch.empty()) {
    CO_TRY(objection, co_await put_setting(services, secure(enabling.on_switch), "1"));
  }
  if (objection.empty() && !enabling.value.empty()) {
    CO_TRY(objection,
           co_await put_setting(services, secure(enabling.key), std::move(enabling.value)));
  }
  if (objection.empty()) {
    succeed(grant, false);
  } else {
    note_failure(grant, std::move(objection));
  }
  co_return ok();
}

// Without it Android 13 and newer take the service of an app that came from outside of a store off
// the list again. Older ones do not have the command, and some phones refuse: the list shows the
// result.
Task<void> lift_restriction(AndroidServices* services, std::string package) {
  const auto done = co_await run_on_device(
      services->device(), allow_restricted_settings_line(services->user(), package));
  if (!done && ends_everything(done.error())) co_return std::unexpected(done.error());
  co_return ok();
}

Task<void> write_accessibility(AndroidServices* services, std::string package,
                               const PermissionState* before, ServiceGrant* grant) {
  const ServiceList& list = before->accessibility;
  const std::string component = accessibility_component(package);
  if (list.problem) {
    note_failure(grant, *list.problem);
    co_return ok();
  }
  const bool listed = lists_service(list, component);
  if (listed && !before->accessibility_is_off) {
    succeed(grant, true);
    co_return ok();
  }
  Enabling enabling{kAccessibilityList, kAccessibilitySwitch,
                    listed ? "" : with_entry(list, component)};
  CO_TRY_VOID(co_await lift_restriction(services, std::move(package)));
  co_return co_await write_setting(services, std::move(enabling), grant);
}

Task<ServiceGrant> list_anew(AndroidServices* services, const ServiceList* list,
                             std::string component) {
  const Relisting relisting{kAccessibilityList, kAccessibilitySwitch,
                            without_entry(*list, component), list->entries};
  const auto done =
      co_await run_on_device(services->device(), relisting_line(services->user(), relisting));
  if (!done && ends_everything(done.error())) co_return std::unexpected(done.error());
  if (!done) co_return ServiceGrant{false, true, done.error().message()};
  if (done->exit_status == 0) co_return ServiceGrant{true, false, {}};
  const std::string text = one_message(done->text());
  co_return ServiceGrant{false, true, "Could not list " + component + " again: " + text};
}

// Android before 8.1 has no such command; its versions report that in several ways.
bool has_no_listeners(const CommandOutput& output) {
  const std::string text = output.err + output.out;
  constexpr std::array<std::string_view, 5> kTexts = {"No shell command implementation",
                                                      "Unknown command", "Can't find service",
                                                      "not found", "inaccessible"};
  return std::ranges::any_of(kTexts, [&](auto known) { return text.contains(known); });
}

// nullopt: there is no such command. Else the device's objection, empty when it has none.
Task<std::optional<std::string>> allow_listener(AndroidServices* services, std::string component) {
  const auto done =
      co_await run_on_device(services->device(), allow_listener_line(services->user(), component));
  if (!done && ends_everything(done.error())) co_return std::unexpected(done.error());
  if (!done || has_no_listeners(*done)) co_return std::optional<std::string>();
  const std::string text = one_message(done->text());
  const bool refused = done->exit_status != 0 || text.contains("Exception");
  if (!refused)
    co_return std::optional<std::string>("");  // confirm_listener reads whether it was granted
  co_return "Could not allow " + component + (text.empty() ? "" : ": " + text);
}

Task<void> write_listener(AndroidServices* services, std::string package,
                          const PermissionState* before, ServiceGrant* grant) {
  const std::string component = notification_listener_component(package);
  const ServiceList& list = before->listeners;
  if (before->may_listen.value_or(!list.problem && lists_service(list, component))) {
    succeed(grant, true);
    co_return ok();
  }
  grant->error = kUnfinished;
  CO_TRY(const auto objection, co_await allow_listener(services, component));
  if (objection) {
    *grant = {objection->empty(), false, {}};
    if (!objection->empty()) grant->error = *objection;
    co_return ok();
  }
  if (list.problem) {
    note_failure(grant, *list.problem);
    co_return ok();
  }
  const std::string value = lists_service(list, component) ? "" : with_entry(list, component);
  co_return co_await write_setting(services, {kListenerList, {}, value}, grant);
}

// Old Androids have no such permission, or grant it at installation.
bool needs_no_grant(std::string_view printed) {
  const std::string text = ascii_lower(printed);
  constexpr std::array<std::string_view, 3> kTexts = {
      "unknown permission", "not a changeable permission type", "already granted"};
  return std::ranges::any_of(kTexts, [&](auto known) { return text.contains(known); });
}

PermissionGrant judge_grant(const CommandOutput& output) {
  if (output.exit_status == 0) return {true, false, {}};
  std::string text = one_message(output.err + " " + output.out);
  if (needs_no_grant(text)) return {true, true, std::move(text)};
  if (text.empty()) text = "Could not grant " + std::string(kNotificationPermission);
  return {false, false, std::move(text)};
}

Task<void> write_notification(AndroidServices* services, std::string package,
                              PermissionGrant* grant) {
  grant->error = kUnfinished;
  const auto done = co_await services->order(
      AndroidService::package, grant_words(services->user(), package, kNotificationPermission));
  if (!done && ends_everything(done.error())) co_return std::unexpected(done.error());
  *grant = done ? judge_grant(*done) : PermissionGrant{false, false, done.error().message()};
  co_return ok();
}

Task<ServiceList> read_list(AndroidServices* services, std::string_view key) {
  const auto printed = co_await read_setting(services, secure(key));
  if (!printed && ends_everything(printed.error())) co_return std::unexpected(printed.error());
  co_return list_of(printed, key);
}

// Reads the list again that was written.
Task<void> confirm_listed(AndroidServices* services, std::string_view list, std::string component,
                          ServiceGrant* grant) {
  CO_TRY(const ServiceList now, co_await read_list(services, list));
  if (now.problem) {
    note_failure(grant, *now.problem);
  } else if (!lists_service(now, component)) {
    note_failure(grant, "The device did not keep " + component + " in " + std::string(list));
  }
  co_return ok();
}

Task<void> confirm_accessibility(AndroidServices* services, std::string component,
                                 ServiceGrant* grant) {
  if (!grant->ok || grant->already_enabled) co_return ok();
  co_return co_await confirm_listed(services, kAccessibilityList, std::move(component), grant);
}

// The system checks the new value a moment later, and may strike it out.
Task<void> confirm_settled(AndroidServices* services, std::string package, ServiceGrant* grant) {
  const std::string component = accessibility_component(package);
  if (!grant->ok || grant->already_enabled) co_return ok();
  CO_TRY_VOID(co_await confirm_accessibility(services, component, grant));
  if (!grant->ok) co_return ok();
  co_await sleep_for(kSettleTime);
  CO_TRY_VOID(co_await confirm_accessibility(services, component, grant));
  if (grant->ok) co_return ok();
  PermissionState state;
  CO_TRY(state.accessibility, co_await read_list(services, kAccessibilityList));
  CO_TRY_VOID(co_await write_accessibility(services, package, &state, grant));
  if (!grant->ok) co_return ok();
  co_await sleep_for(kSettleTime);
  grant->already_enabled = false;
  CO_TRY_VOID(co_await confirm_accessibility(services, component, grant));
  if (!grant->ok) {
    grant->error = "The system took " + component + " off its list of services again";
  }
  co_return ok();
}

// The system's own state of our listener; nullopt where it does not report it.
Task<std::optional<bool>> read_listener_state(AndroidServices* services, std::string component) {
  const auto state = co_await run_on_device(services->device(), notification_state_line());
  if (!state && ends_everything(state.error())) co_return std::unexpected(state.error());
  co_return state ? grants_listener(state->out, component) : std::nullopt;
}

// The system's own word counts; where it has none, the setting is all there is.
Task<void> confirm_listener(AndroidServices* services, std::string component, ServiceGrant* grant) {
  if (!grant->ok || grant->already_enabled) co_return ok();
  for (int reads = 1;; ++reads) {
    CO_TRY(const auto listens, co_await read_listener_state(services, component));
    if (!listens) break;
    if (*listens) co_return ok();
    if (reads == kListenerReads) {
      note_failure(grant, "The device did not allow " + component + " to listen to notifications");
      co_return ok();
    }
    co_await sleep_for(kListenerPause);
  }
  co_return co_await confirm_listed(services, kListenerList, std::move(component), grant);
}

}  // namespace

std::string GrantReport::first_error() const {
  if (!accessibility.ok) return accessibility.error.value_or("");
  if (!notification.ok) return notification.error.value_or("");
  return notification_listener.ok ? "" : notification_listener.error.value_or("");
}

GrantReport untried_grants(std::string why) {
  GrantReport report;
  report.accessibility.error = std::move(why);
  report.notification.error = kNotTried;
  report.notification_listener.error = kNotTried;
  return report;
}

namespace {

Task<PermissionState> read_state_of_user(AndroidServices* services, std::string package) {
  using namespace base::parallel;
  const auto [accessibility, listeners, may_listen, enabled, packages] =
      co_await (read_setting(services, secure(kAccessibilityList)) &&
                read_setting(services, secure(kListenerList)) &&
                read_listener_state(services, notification_listener_component(package)) &&
                read_setting(services, secure(kAccessibilitySwitch)) &&
                services->call(AndroidService::package,
                               list_packages_words(services->user(), operator_filter(package))));
  for (const auto* answer : {&accessibility, &listeners, &enabled, &packages}) {
    if (!*answer && ends_everything(answer->error())) co_return std::unexpected(answer->error());
  }
  PermissionState state;
  state.accessibility = list_of(accessibility, kAccessibilityList);
  state.listeners = list_of(listeners, kListenerList);
  if (may_listen) state.may_listen = *may_listen;
  state.accessibility_is_off = enabled && one_message(enabled->out) == "0";
  if (packages) state.packages = packages->out;
  co_return state;
}

}  // namespace

// User 0 is read at the same time as the user in front: for most phones that is one wait, not two.
Task<PermissionState> read_permission_state(AndroidServices* services,
                                            std::string operator_package) {
  using namespace base::parallel;
  auto [state, user] =
      co_await (read_state_of_user(services, operator_package) && services->find_user());
  CO_TRY_VOID(user);
  if (*user == 0) co_return std::move(state);
  co_return co_await read_state_of_user(services, operator_package);
}

Task<void> write_grants(AndroidServices* services, std::string operator_package,
                        PermissionState before, GrantReport* report) {
  *report = untried_grants();
  CO_TRY_VOID(
      co_await write_accessibility(services, operator_package, &before, &report->accessibility));
  CO_TRY_VOID(co_await write_notification(services, operator_package, &report->notification));
  co_return co_await write_listener(services, operator_package, &before,
                                    &report->notification_listener);
}

Task<void> confirm_grants(AndroidServices* services, std::string operator_package,
                          GrantReport* report) {
  using namespace base::parallel;
  const auto [accessibility, listener] =
      co_await (confirm_settled(services, operator_package, &report->accessibility) &&
                confirm_listener(services, notification_listener_component(operator_package),
                                 &report->notification_listener));
  CO_TRY_VOID(accessibility);
  co_return listener;
}

Task<GrantReport> grant_permissions(adbproto::Device* device, std::string operator_package) {
  AndroidServices services(device);
  GrantReport report;
  CO_TRY(auto before, co_await read_permission_state(&services, operator_package));
  CO_TRY_VOID(co_await write_grants(&services, operator_package, std::move(before), &report));
  CO_TRY_VOID(co_await confirm_grants(&services, operator_package, &report));
  co_return report;
}

Task<ServiceGrant> enable_accessibility(adbproto::Device* device, std::string operator_package) {
  AndroidServices services(device);
  const std::string component = accessibility_component(operator_package);
  CO_TRY(PermissionState state, co_await read_permission_state(&services, operator_package));
  ServiceGrant grant;
  if (!state.accessibility.problem && lists_service(state.accessibility, component)) {
    CO_TRY(grant, co_await list_anew(&services, &state.accessibility, component));
  } else {
    CO_TRY_VOID(co_await write_accessibility(&services, operator_package, &state, &grant));
  }
  CO_TRY_VOID(co_await confirm_accessibility(&services, component, &grant));
  co_return grant;
}

std::string to_json(const ServiceGrant& grant) {
  JsonObject json;
  json.boolean("ok", grant.ok).boolean("alreadyEnabled", grant.already_enabled);
  if (grant.error) json.text("error", *grant.error);
  return json.str();
}

std::string to_json(const PermissionGrant& grant) {
  JsonObject json;
  json.boolean("ok", grant.ok).boolean("skipped", grant.skipped);
  if (grant.error) json.text("error", *grant.error);
  return json.str();
}

JsonObject& add_grants(JsonObject& json, const GrantReport& report) {
  return json.json("accessibility", to_json(report.accessibility))
      .json("notification", to_json(report.notification))
      .json("notificationListener", to_json(report.notification_listener));
}

}  // namespace clawperator
