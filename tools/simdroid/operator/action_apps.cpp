// Actions on apps, keys, recordings and the whole screen.
#include "simdroid/operator/action_runner.hpp"

#include <array>
#include <cstdio>

#include "simdroid/ui/hierarchy.hpp"
#include "simdroid/ui/keyboard.hpp"

namespace simdroid {
namespace {

constexpr Duration kNavigationPoll = std::chrono::milliseconds(200);
constexpr int kSensitivitySince = 34;

// Of the uppermost window that is no app's, or another app's than the one in front.
std::string overlay_package(const UiWorld& world) {
  if (world.keyboard_shown()) return std::string(kKeyboardPackage);
  const std::vector<UiWindow> windows = world.windows();
  const std::string& below = windows.back().package;
  return below == windows.front().package ? std::string() : below;
}

}  // namespace

Routine<Outcome> ActionRunner::open_app(const DeviceAction* action) {
  co_await cost(c_.latencies->launch);
  const auto opened = co_await with_retry(
      &action->retry, "openApp(" + action->application_id + ")", [this, action] {
        if (c_.world->open_app(action->application_id)) return Attempt<std::string>("");
        return Attempt<std::string>(
            give_up("No launch intent found for package: " + action->application_id));
      });
  if (!opened) co_return std::unexpected(opened.error());
  const bool waits = c_.can->open_app_waits && !action->skip_navigation_wait;
  if (!waits) co_return succeeded(*action, {{"application_id", action->application_id}});
  co_return co_await wait_until_in_front(action);
}

Routine<Outcome> ActionRunner::wait_until_in_front(const DeviceAction* action) {
  const Time start = c_.timeline->now(), deadline = start + action->navigation_timeout;
  while (true) {
    c_.world->advance(c_.timeline->now());
    const std::string package(c_.world->foreground_package());
    const Time now = c_.timeline->now();
    const std::string elapsed = milliseconds_text(now - start);
    if (package == action->application_id) {
      co_return succeeded(*action, {{"application_id", action->application_id},
                                    {"navigation_elapsed_ms", elapsed},
                                    {"resolved_package", package}});
    }
    if (now >= deadline) {
      co_return failed_step(*action, "NAVIGATION_TIMEOUT",
                            {{"last_package", package},
                             {"navigation_elapsed_ms", elapsed},
                             {"message", action->application_id + " did not come to the front"}});
    }
    co_await pause(std::min(kNavigationPoll, deadline - now));
  }
}

Routine<Outcome> ActionRunner::open_uri(const DeviceAction* action) {
  co_await cost(c_.latencies->launch);
  const auto opened =
      co_await with_retry(&action->retry, "openUri(" + action->uri + ")", [this, action] {
        if (c_.world->open_uri(action->uri)) return Attempt<std::string>("");
        return Attempt<std::string>(give_up(
            "URI_NOT_HANDLED: no application is registered for " + action->uri, "URI_NOT_HANDLED"));
      });
  if (!opened) co_return std::unexpected(opened.error());
  co_return succeeded(*action, {{"uri", action->uri}});
}

// The app may not stop others; the host has done it before the broadcast.
Outcome ActionRunner::close_app(const DeviceAction& action) {
  return failed_step(action, "UNSUPPORTED_RUNTIME_CLOSE",
                     {{"application_id", action.application_id},
                      {"message",
                       "The Android runtime cannot close other apps; the host must "
                       "force-stop them over adb."}});
}

Outcome ActionRunner::take_screenshot(const DeviceAction& action) {
  return failed_step(action, "UNSUPPORTED_RUNTIME_SCREENSHOT",
                     {{"message",
                       "The Android runtime takes no screenshots; the host must "
                       "capture the screen over adb."}});
}

Outcome ActionRunner::doctor_ping(const DeviceAction& action) {
  const auto word = [](bool value) { return value ? "true" : "false"; };
  StepData data{{"developer_options_enabled", word(c_.facts->developer_options)},
                {"usb_debugging_enabled", word(c_.facts->usb_debugging)}};
  if (c_.can->device_state) {
    merge(data, {{"screen_on", word(c_.world->awake())},
                 {"device_locked", word(c_.world->locked())},
                 {"user_unlocked", "true"}});
  }
  return succeeded(action, std::move(data));
}

Routine<Outcome> ActionRunner::press_key(const DeviceAction* action) {
  co_await cost(c_.latencies->action);
  if (!c_.facts->global_actions_work) co_return failed_step(*action, "GLOBAL_ACTION_FAILED");
  c_.world->advance(c_.timeline->now());
  c_.world->press(action->key);
  const std::string_view name = action->key == Key::back   ? "back"
                                : action->key == Key::home ? "home"
                                                           : "recents";
  co_return succeeded(*action, {{"key", std::string(name)}});
}

Routine<Outcome> ActionRunner::sleep(const DeviceAction* action) {
  co_await pause(action->duration);
  co_return succeeded(*action, {{"duration_ms", milliseconds_text(action->duration)}});
}

Routine<Outcome> ActionRunner::wait_for_navigation(const DeviceAction* action) {
  const Time start = c_.timeline->now(),
             deadline = start + action->timeout.value_or(Duration::zero());
  while (true) {
    co_await cost(c_.latencies->accessibility);
    c_.world->advance(c_.timeline->now());
    const std::string package(c_.world->foreground_package());
    const bool there = action->expected_package.empty() || package == action->expected_package;
    const bool seen =
        !action->expected_node.given() || find_match(tree(), action->expected_node) != nullptr;
    const Time now = c_.timeline->now();
    if (there && seen) {
      co_return succeeded(
          *action, {{"resolved_package", package}, {"elapsed_ms", milliseconds_text(now - start)}});
    }
    if (now >= deadline) {
      co_return failed_step(*action, "NAVIGATION_TIMEOUT", {{"last_package", package}});
    }
    co_await pause(std::min(kNavigationPoll, deadline - now));
  }
}

Routine<Outcome> ActionRunner::snapshot(const DeviceAction* action) {
  stage("stage-start", "logUiTree", "label=logUiTree");
  co_await cost(c_.latencies->hierarchy);
  c_.world->advance(c_.timeline->now());
  std::string xml = hierarchy_xml(*c_.world, {.visibility = c_.can->node_visibility,
                                              .sensitivity = c_.facts->sdk >= kSensitivitySince});
  const bool in_result = c_.can->hierarchy_in_result;
  if (!in_result) {
    const std::string tag = c_.can->tagged_hierarchy ? " [commandId=" + c_.command_id + "]" : "";
    c_.log(LogKind::hierarchy, 'D', "[TaskScope] UI Hierarchy" + tag + ":\n" + xml);
  }
  stage("stage-success", "logUiTree", "data={}");
  if (c_.world->on_tree_read) c_.world->on_tree_read();
  const std::string overlay = overlay_package(*c_.world);
  StepData data{{"actual_format", "hierarchy_xml"}};
  if (in_result) data.emplace_back("text", std::move(xml));
  data.emplace_back("foreground_package", c_.world->foreground_package());
  data.emplace_back("has_overlay", overlay.empty() ? "false" : "true");
  if (!overlay.empty()) data.emplace_back("overlay_package", overlay);
  data.emplace_back("window_count", std::to_string(c_.world->window_count()));
  if (c_.can->receipts) data.emplace_back("operator_overlay_visible", "false");
  co_return succeeded(*action, std::move(data));
}

Outcome ActionRunner::start_recording(const DeviceAction& action) {
  std::string id = action.session_id;
  if (id.empty()) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "record-%lld-%08x",
                  static_cast<long long>(c_.recorder->wall_ms()),
                  static_cast<unsigned>(c_.jitter->next()));
    id = text.data();
  }
  c_.recorder->set_storage_available(c_.facts->storage_available);
  const auto session = c_.recorder->start(id, c_.package);
  if (!session) return failed_step(action, session.error().message());
  c_.log(LogKind::recording, 'I', "SESSION_STARTED sessionId=" + session->id);
  return succeeded(action, {{"sessionId", session->id}, {"filePath", session->path}});
}

Outcome ActionRunner::stop_recording(const DeviceAction& action) {
  c_.recorder->set_storage_available(c_.facts->storage_available);
  const auto session = c_.recorder->stop(action.session_id);
  if (!session) return failed_step(action, session.error().message());
  const std::string events = std::to_string(session->events);
  c_.log(LogKind::recording, 'I',
         "SESSION_STOPPED sessionId=" + session->id + " eventCount=" + events);
  return succeeded(
      action, {{"sessionId", session->id}, {"filePath", session->path}, {"eventCount", events}});
}

}  // namespace simdroid
