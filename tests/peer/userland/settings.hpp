#pragma once
// The stub phone's settings, notification policy and app operations.
//
//   settings [--user N] get|put|delete NAMESPACE KEY [VALUE]
//   cmd notification allow_listener|disallow_listener COMPONENT [USER]     (from Android 8.1 on)
//   cmd appops set PACKAGE OPERATION MODE, get PACKAGE OPERATION
//
// Files of PHONE_STATE: `setting.NAMESPACE.KEY` holds a value, `listeners` a line per allowed
// notification listener, `changes` gets every command in its order.

#include <algorithm>

#include "state.hpp"

namespace {

// What a phone with an adb connection has.
std::string value_of(const std::string& space, const std::string& key) {
  const std::string value = read_state("setting." + space + "." + key);
  if (!value.empty()) return value;
  const bool is_on =
      space == "global" && (key == "adb_enabled" || key == "development_settings_enabled");
  return is_on ? "1" : "null";
}

int settings(const Arguments& given) {
  Arguments arguments = given;
  const int user = take_user(arguments);
  if (is_forbidden(user)) return forbid(arguments.empty() ? "" : arguments[0], user);
  if (arguments.size() < 3) return complain("Invalid command\n", 255);
  const std::string name = "setting." + arguments[1] + "." + arguments[2];
  if (arguments[0] == "get") return print(value_of(arguments[1], arguments[2]) + "\n");
  append_state("changes", joined(arguments));
  if (arguments[0] == "delete") {
    const bool deleted = ::unlink(state_path(name).c_str()) == 0;
    return print(deleted ? "Deleted 1 rows\n" : "Deleted 0 rows\n");
  }
  if (arguments[0] != "put" || arguments.size() < 4 || arguments[3].empty()) {
    return complain("Bad arguments\n", 255);
  }
  return replace_state(name, arguments[3]) ? 0 : 1;
}

// At first those of the setting, as after the update from an Android that kept them there.
std::vector<std::string> allowed_listeners() {
  const bool kept = has_state("listeners");
  std::vector<std::string> listeners;
  std::istringstream text(
      read_state(kept ? "listeners" : "setting.secure.enabled_notification_listeners"));
  for (std::string each; std::getline(text, each, kept ? '\n' : ':');) listeners.push_back(each);
  return listeners;
}

// The grants live in a file of their own; the setting is written from it and never read again.
int notification(const Arguments& arguments) {
  const std::string verb = arguments.empty() ? "" : arguments[0];
  const bool allow = verb == "allow_listener";
  if (sdk() < 27 || (!allow && verb != "disallow_listener") || arguments.size() < 2) {
    return complain("Unknown command: " + verb + "\n", 255);
  }
  append_state("changes", joined(arguments));
  std::vector<std::string> listeners = allowed_listeners();
  std::erase(listeners, arguments[1]);
  if (allow) listeners.push_back(arguments[1]);
  std::string lines, setting;
  for (const std::string& each : listeners) {
    lines += each + "\n";
    setting += (setting.empty() ? "" : ":") + each;
  }
  const bool done = replace_state("listeners", lines) &&
                    replace_state("setting.secure.enabled_notification_listeners", setting);
  return done ? 0 : 1;
}

int dumpsys_notification() {
  const std::vector<std::string> listeners = allowed_listeners();
  std::string text = "  Notification listeners:\n    All notification listeners (" +
                     std::to_string(listeners.size()) + ") enabled for current profiles:\n";
  for (const std::string& each : listeners) text += "      ComponentInfo{" + each + "}\n";
  return print("Current Notification Manager state:\n" + text);
}

int appops(const Arguments& given) {
  Arguments arguments = given;
  const int user = take_user(arguments);
  if (is_forbidden(user)) return forbid("set", user);
  const bool get = arguments.size() == 3 && arguments[0] == "get";
  if (!get && (arguments.size() < 4 || arguments[0] != "set")) {
    return complain("Unknown command\n", 255);
  }
  if (arguments[2] == "ACCESS_RESTRICTED_SETTINGS" && sdk() < 33) {
    return complain("Error: Unknown operation string: " + arguments[2] + "\n", 255);
  }
  if (get) return print("No operations.\nDefault mode: allow\n");
  append_state("changes", joined(arguments));
  return 0;
}

}  // namespace
