#include "runtime/host/permissions.hpp"

#include <algorithm>
#include <array>

#include "adbproto/wire/services.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/text_lines.hpp"
#include "runtime/engine/preflight.hpp"

namespace clawperator {

using adbproto::Error;
using adbproto::ok;
using adbproto::Result;
using adbproto::Task;

namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kAccessibilityList = "enabled_accessibility_services";
constexpr std::string_view kListenerList = "enabled_notification_listeners";
constexpr std::string_view kAccessibilitySwitch = "accessibility_enabled";
constexpr std::string_view kNotificationPermission = "android.permission.POST_NOTIFICATIONS";
constexpr std::string_view kNotTried = "not tried";
constexpr std::string_view kUnfinished = "interrupted: it is not known whether it was done";
constexpr std::size_t kMaxList = 32 * 1024;

Words list_words(const std::string& operator_package) {
  return {"list", "packages", package_filter(operator_package)};
}

SettingKey secure(std::string_view name) { return {"secure", std::string(name)}; }

ServiceList list_of(const Result<CommandOutput>& output, std::string_view key) {
  ServiceList list = output ? parse_service_list(output->out) : ServiceList{};
  if (!output) list.problem = output.error().message();
  if (list.problem) list.problem = "Could not read " + std::string(key) + ": " + *list.problem;
  return list;
}

std::string with_entry(const ServiceList& list, const std::string& component) {
  return list.entries.empty() ? component : list.entries + ":" + component;
}

std::string without_entry(const ServiceList& list, std::string_view component) {
  std::string rest;
  std::string_view left = list.entries;
  while (!left.empty()) {
    const auto end = left.find(':');
    const std::string_view entry = left.substr(0, end);
    left = end == left.npos ? std::string_view{} : left.substr(end + 1);
    if (entry != component) rest.append(rest.empty() ? "" : ":").append(entry);
  }
  return rest;
}

void fail_with(ServiceGrant* grant, std::string problem) {
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
    fail_with(grant, std::move(objection));
  }
  co_return ok();
}

Task<void> write_accessibility(AndroidServices* services, std::string package,
                               const PermissionState* before, ServiceGrant* grant) {
  const ServiceList& list = before->accessibility;
  const std::string component = accessibility_component(package);
  if (list.problem) {
    fail_with(grant, *list.problem);
    co_return ok();
  }
  const bool listed = lists_service(list, component);
  if (listed && !before->accessibility_is_off) {
    succeed(grant, true);
    co_return ok();
  }
  Enabling enabling{kAccessibilityList, kAccessibilitySwitch,
                    listed ? "" : with_entry(list, component)};
  co_return co_await write_setting(services, std::move(enabling), grant);
}

// Android starts a listed service again only when it was taken off the list. One command does
// both, and goes on when the link or we are gone: a service must not stay disabled half-way.
std::string relisting_command(const ServiceList& list, const std::string& component) {
  const auto setting = [](std::string_view verb, std::string_view name) {
    return "settings " + std::string(verb) + " secure " + std::string(name);
  };
  const auto put = [&](std::string_view name, std::string_view value) {
    return setting("put", name) + " " + adbproto::quote_for_shell(value);
  };
  const std::string rest = without_entry(list, component);
  return "trap '' HUP; " +
         (rest.empty() ? setting("delete", kAccessibilityList) : put(kAccessibilityList, rest)) +
         "; " + put(kAccessibilitySwitch, "1") + "; " + put(kAccessibilityList, list.entries);
}

Task<ServiceGrant> list_anew(adbproto::Device* device, const ServiceList* list,
                             std::string component) {
  const auto done = co_await run_on_device(device, relisting_command(*list, component));
  if (!done && ends_everything(done.error())) co_return std::unexpected(done.error());
  if (!done) co_return ServiceGrant{false, true, done.error().message()};
  if (done->exit_status == 0) co_return ServiceGrant{true, false, {}};
  const std::string text = one_message(done->text());
  co_return ServiceGrant{false, true, "Could not list " + component + " again: " + text};
}

Task<void> write_listener(AndroidServices* services, std::string package, const ServiceList* list,
                          ServiceGrant* grant) {
  const std::string component = notification_listener_component(package);
  if (list->problem) {
    fail_with(grant, *list->problem);
    co_return ok();
  }
  if (lists_service(*list, component)) {
    succeed(grant, true);
    co_return ok();
  }
  Enabling enabling{kListenerList, {}, with_entry(*list, component)};
  co_return co_await write_setting(services, std::move(enabling), grant);
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
  Words words{"grant", std::move(package), std::string(kNotificationPermission)};
  const auto done = co_await services->order(AndroidService::package, std::move(words));
  if (!done && ends_everything(done.error())) co_return std::unexpected(done.error());
  *grant = done ? judge_grant(*done) : PermissionGrant{false, false, done.error().message()};
  co_return ok();
}

// Reads a list again that was written.
Task<void> confirm(AndroidServices* services, std::string_view key, std::string component,
                   ServiceGrant* grant) {
  if (!grant->ok || grant->already_enabled) co_return ok();
  const auto printed = co_await read_setting(services, secure(key));
  if (!printed && ends_everything(printed.error())) co_return std::unexpected(printed.error());
  const ServiceList now = list_of(printed, key);
  if (now.problem) {
    fail_with(grant, *now.problem);
  } else if (!lists_service(now, component)) {
    fail_with(grant, "The device did not keep " + component + " in " + std::string(key));
  }
  co_return ok();
}

bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

}  // namespace

std::string GrantReport::first_error() const {
  if (!accessibility.ok) return accessibility.error.value_or("");
  if (!notification.ok) return notification.error.value_or("");
  return notification_listener.ok ? "" : notification_listener.error.value_or("");
}

std::string accessibility_component(const std::string& operator_package) {
  return operator_package +
         "/clawperator.operator.accessibilityservice.OperatorAccessibilityService";
}

std::string notification_listener_component(const std::string& operator_package) {
  return operator_package + "/action.notification.NotificationListenerService";
}

ServiceList parse_service_list(std::string_view printed) {
  printed = trimmed(printed);
  if (printed.empty() || printed == "null") return {};
  if (printed.size() > kMaxList) return {{}, "the device printed more than 32 KiB"};
  if (has_control_character(printed)) return {{}, "the device printed what is no list of services"};
  return {std::string(printed), {}};
}

bool lists_service(const ServiceList& list, std::string_view component) {
  return (":" + list.entries + ":").contains(":" + std::string(component) + ":");
}

GrantReport untried_grants(std::string why) {
  GrantReport report;
  report.accessibility.error = std::move(why);
  report.notification.error = kNotTried;
  report.notification_listener.error = kNotTried;
  return report;
}

Task<PermissionState> read_permission_state(AndroidServices* services,
                                            std::string operator_package) {
  using namespace asio::experimental::awaitable_operators;
  const auto [accessibility, listeners, enabled, packages] =
      co_await (read_setting(services, secure(kAccessibilityList)) &&
                read_setting(services, secure(kListenerList)) &&
                read_setting(services, secure(kAccessibilitySwitch)) &&
                services->ask(AndroidService::package, list_words(operator_package)));
  for (const auto* answer : {&accessibility, &listeners, &enabled, &packages}) {
    if (!*answer && ends_everything(answer->error())) co_return std::unexpected(answer->error());
  }
  PermissionState state;
  state.accessibility = list_of(accessibility, kAccessibilityList);
  state.listeners = list_of(listeners, kListenerList);
  state.accessibility_is_off = enabled && one_message(enabled->out) == "0";
  if (packages) state.packages = packages->out;
  co_return state;
}

Task<void> write_grants(AndroidServices* services, std::string operator_package,
                        PermissionState before, GrantReport* report) {
  *report = untried_grants();
  CO_TRY_VOID(
      co_await write_accessibility(services, operator_package, &before, &report->accessibility));
  CO_TRY_VOID(co_await write_notification(services, operator_package, &report->notification));
  co_return co_await write_listener(services, operator_package, &before.listeners,
                                    &report->notification_listener);
}

Task<void> confirm_grants(AndroidServices* services, std::string operator_package,
                          GrantReport* report) {
  using namespace asio::experimental::awaitable_operators;
  const auto [accessibility, listener] =
      co_await (confirm(services, kAccessibilityList, accessibility_component(operator_package),
                        &report->accessibility) &&
                confirm(services, kListenerList, notification_listener_component(operator_package),
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
    CO_TRY(grant, co_await list_anew(device, &state.accessibility, component));
  } else {
    CO_TRY_VOID(co_await write_accessibility(&services, operator_package, &state, &grant));
  }
  CO_TRY_VOID(co_await confirm(&services, kAccessibilityList, component, &grant));
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
