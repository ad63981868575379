#pragma once
// The stub phone's activity manager, and the Operator app behind it.
//
//   am broadcast ... --es payload JSON   appends the hierarchy and the result envelope to the log
//   am start, am force-stop, am get-current-user
//
// Files of PHONE_STATE: `hierarchy.xml`, what a snapshot finds; `stopped`, the packages that are
// stopped: a broadcast that does not say --include-stopped-packages passes them by, and says that
// it is completed.

#include "log.hpp"

namespace {

constexpr std::size_t kLoggerChunk = 4000;  // the app's logger splits longer lines

// As the app's logger does: whole if short, else line by line in pieces of 4000.
void append_message(std::string& log, char priority, std::string_view tag,
                    std::string_view message) {
  if (message.size() < kLoggerChunk) return append_entry(log, priority, tag, message);
  while (!message.empty()) {
    const std::size_t line = std::min(message.find('\n'), message.size());
    for (std::size_t at = 0; at < line; at += kLoggerChunk) {
      append_entry(log, priority, tag, message.substr(at, std::min(kLoggerChunk, line - at)));
    }
    message.remove_prefix(std::min(line + 1, message.size()));
  }
}

std::string member(std::string_view json, std::string_view name) {
  const std::string key = "\"" + std::string(name) + "\":\"";
  const std::size_t at = json.find(key);
  if (at == std::string_view::npos) return {};
  json.remove_prefix(at + key.size());
  return std::string(json.substr(0, json.find('"')));
}

// The payload is the host's own compact JSON, whose actions begin {"id":"...","type":"...".
std::string run_actions(std::string_view payload, std::string& log) {
  std::string steps;
  const std::string_view start = "{\"id\":\"";
  for (std::size_t at = payload.find(start); at != std::string_view::npos;
       at = payload.find(start, at + 1)) {
    const std::string type = member(payload.substr(at), "type");
    std::string data = "{}";
    if (type == "snapshot_ui") {
      append_message(log, 'D', "E", "[TaskScope] UI Hierarchy:\n" + read_state("hierarchy.xml"));
      data = R"({"actual_format":"hierarchy_xml"})";
    }
    if (type == "take_screenshot") data = R"({"error":"UNSUPPORTED_RUNTIME_SCREENSHOT"})";
    const bool done = type != "take_screenshot";
    steps += (steps.empty() ? "" : ",") + std::string(R"({"id":")") +
             member(payload.substr(at), "id") + R"(","actionType":")" + type + R"(","success":)" +
             (done ? "true" : "false") + ",\"data\":" + data + "}";
  }
  return steps;
}

int run_payload(const std::string& payload) {
  std::string log;
  const std::string ids =
      " commandId=" + member(payload, "commandId") + " taskId=" + member(payload, "taskId");
  append_message(log, 'D', "o", "[Clawperator-Command] start" + ids);
  const std::string steps = run_actions(payload, log);
  append_message(log, 'D', "o", "[Clawperator-Command] success" + ids);
  append_message(log, 'I', "o",
                 R"([Clawperator-Result] {"commandId":")" + member(payload, "commandId") +
                     R"(","taskId":")" + member(payload, "taskId") +
                     R"(","status":"success","stepResults":[)" + steps + R"(],"error":null})");
  return append_to_log(log);
}

struct Intent {
  std::string action, component, package, payload, uri;
  bool include_stopped = false;
  bool waits = false;
  std::string unknown;  // the option that Android does not know
};

Intent parse_intent(const Arguments& arguments) {
  static const std::vector<std::string_view> kFlags = {"--receiver-foreground", "-W", "-S",
                                                       "--include-stopped-packages"};
  static const std::vector<std::string_view> kWithValue = {"-a", "-c", "-d", "-f",
                                                           "-n", "-p", "-t"};
  static const std::vector<std::string_view> kExtras = {"--es", "--ez", "--ei", "--el"};
  Intent intent;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    const std::size_t left = arguments.size() - i - 1;
    if (std::ranges::find(kFlags, option) != kFlags.end()) {
      intent.include_stopped |= option == "--include-stopped-packages";
      intent.waits |= option == "-W";
    } else if (std::ranges::find(kExtras, option) != kExtras.end() && left >= 2) {
      if (arguments[i + 1] == "payload") intent.payload = arguments[i + 2];
      i += 2;
    } else if (std::ranges::find(kWithValue, option) != kWithValue.end() && left >= 1) {
      const std::string& value = arguments[++i];
      if (option == "-a") intent.action = value;
      if (option == "-n") intent.component = value;
      if (option == "-p") intent.package = value;
    } else if (option.starts_with('-')) {
      intent.unknown = option;
    } else {
      intent.uri = option;
    }
  }
  return intent;
}

std::string shown(const Intent& intent) {
  return "Intent { act=" + intent.action +
         (intent.package.empty() ? "" : " pkg=" + intent.package) +
         (intent.component.empty() ? "" : " cmp=" + intent.component) +
         (intent.payload.empty() ? "" : " (has extras)") + " }\n";
}

int broadcast(const Intent& intent) {
  const std::string stopped = "\n" + read_state("stopped");
  const bool reached =
      intent.include_stopped || stopped.find("\n" + intent.package + "\n") == std::string::npos;
  if (reached && !intent.payload.empty() && run_payload(intent.payload) != 0) return 1;
  return print("Broadcasting: " + shown(intent) + "Broadcast completed: result=0\n");
}

int am(const Arguments& given) {
  Arguments arguments = given;
  const int user = take_user(arguments);
  const std::string verb = arguments.empty() ? "" : arguments[0];
  if (verb == "get-current-user") return print(std::to_string(current_user()) + "\n");
  if (is_forbidden(user)) return forbid(verb, user);
  if (verb == "force-stop")
    return arguments.size() > 1
               ? 0
               : throw_to_shell(
                     verb,
                     "java.lang.IllegalArgumentException: Argument expected after \"force-stop\"");
  const Intent intent = parse_intent(arguments);
  if (!intent.unknown.empty()) {
    return throw_to_shell(verb,
                          "java.lang.IllegalArgumentException: Unknown option: " + intent.unknown);
  }
  if (verb == "broadcast") return broadcast(intent);
  if (verb == "start" || verb == "start-activity") {
    return print("Starting: " + shown(intent) + (intent.waits ? "Status: ok\nComplete\n" : ""));
  }
  return complain("Unknown command: " + verb + "\n", 255);
}

// Android 7's `cmd activity` does not know what its `am` knows.
int cmd_activity(const Arguments& arguments) {
  const std::string verb = arguments.empty() ? "" : arguments[0];
  if (sdk() < 26 && verb != "force-stop" && verb != "get-current-user") {
    return complain("Unknown command: " + verb + "\n", 255);
  }
  return am(arguments);
}

}  // namespace
