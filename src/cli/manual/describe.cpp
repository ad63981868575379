#include "cli/manual/all_errors.hpp"
#include "cli/manual/manual.hpp"

#include "base/json_text.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/version.hpp"
#include "runtime/contract/action_manual.hpp"

namespace clawperator::cli {
namespace {

std::vector<std::string> words_of(std::string_view list, char separator) {
  std::vector<std::string> parts;
  for_each_part(
      list,
      [&](std::string_view part) {
        if (!part.empty()) parts.emplace_back(part);
      },
      separator);
  return parts;
}

std::string option_json(const Option& option) {
  JsonObject json;
  json.text("name", option.name)
      .strings("aliases", words_of(option.aliases, ' '))
      .number("values", static_cast<int>(wanted_values(option.arity)));
  if (option.arity != Arity::none) json.text("value", option.value_name);
  if (!option.choices.empty()) json.strings("choices", words_of(option.choices, ' '));
  return json.text("help", option.help).str();
}

std::string variable_json(const EnvironmentVariable& variable) {
  return JsonObject().text("name", variable.name).text("help", variable.help).str();
}

std::string error_json(const ErrorCode* row) {
  return JsonObject()
      .text("code", row->published)
      .number("exitCode", row->exit_code)
      .number("httpStatus", row->http_status)
      .text("meaning", row->meaning)
      .str();
}

std::string param_json(const ParamUse& use) {
  return JsonObject()
      .text("name", use.name)
      .text("kind", param_kind_name(use.name))
      .boolean("required", use.is_required)
      .text("meaning", use.meaning)
      .str();
}

std::string action_json(const ActionPage& page) {
  std::vector<std::string> aliases;
  for (const AliasRow& row : action_aliases()) {
    if (row.canonical == action_name(page.type)) aliases.emplace_back(row.alias);
  }
  return JsonObject()
      .text("type", action_name(page.type))
      .strings("aliases", aliases)
      .text("summary", page.summary)
      .json("params", list_json(page.params, param_json))
      .str();
}

constexpr EnvironmentVariable kVariables[] = {
    {"ANDROID_SERIAL", "the device, where --device does not name one"},
    {"ADB_SERVER_SOCKET", "the adb server: tcp:HOST:PORT or localfilesystem:PATH"},
    {"ANDROID_ADB_SERVER_ADDRESS", "the adb server's host; default 127.0.0.1"},
    {"ANDROID_ADB_SERVER_PORT", "the adb server's port; default 5037"},
    {"ADB_VENDOR_KEYS", "further adb keys or folders of keys, separated by colons"},
    {"ADB_PATH", "the adb program that --start-server starts"},
    {"ADB_COMPRESSION", "0 switches compression of `adb push` and `adb pull` off"},
    {"ADB_MDNS", "0 leaves multicast discovery alone"},
    {"ANDROID_LOG_TAGS", "the filter of `adb logcat`"},
    {"CLAWPERATOR_USB", "0 leaves phones on USB alone"},
    {"CLAWPERATOR_OPERATOR_PACKAGE", "the Operator app, where --operator-package does not name it"},
    {"CLAWPERATOR_RECEIVER_PACKAGE", "the same under its old name; read last"},
    {"CLAWPERATOR_BROADCAST_ACTION", "the broadcast the Operator app listens to"},
    {"CLAWPERATOR_LOG_DIR", "the folder of the log files; default ~/.clawperator/logs"},
    {"CLAWPERATOR_LOG_LEVEL", "debug, info, warn or error; default info"},
    {"CLAWPERATOR_NO_DAEMON", "not empty and not 0: as --no-daemon"},
    {"LISTEN_FDS, LISTEN_PID", "for `daemon run`: a socket that systemd listens at for it"},
    {"TRACEPARENT", "the trace that a command belongs to, as the W3C's trace context spells it"},
    {"CLAWPERATOR_SKILLS_REGISTRY", "the skills registry, whatever else is there"},
    {"CLAWPERATOR_BIN", "what a skill's script calls; default this program"},
    {"CLAWPERATOR_PASS_ENV", "names of further variables that skills and other programs get"},
    {"CLAWPERATOR_TOKEN", "the token that requests to `serve` bear"},
    {"container, KUBERNETES_SERVICE_HOST", "when set, `serve` is in a container"},
    {"CLAWPERATOR_APK_METADATA_URL", "where `operator download` learns of Operator apps"},
    {"CLAWPERATOR_SKILLS_REPO", "the repository of `skills install`, `update` and `sync`"},
    {"OPENCLAW_STATE_DIR", "the folder of `agent-skills`; also as CLAWDBOT_... and CLAWDIS_..."},
    {"OPENCLAW_CONFIG_PATH", "its configuration file; also as CLAWDBOT_... and CLAWDIS_..."},
    {"OPENCLAW_BUNDLED_SKILLS_DIR", "its bundled skills; also as CLAWDBOT_... and CLAWDIS_..."},
    {"HOMEBREW_BREW_FILE, HOMEBREW_PREFIX", "where brew is, if it is not on the PATH"},
    {"CLAWHUB_REGISTRY, CLAWHUB_SITE", "the hub of `hub`, and its pages; also as CLAWDHUB_..."},
    {"CLAWHUB_WORKDIR", "where `hub` keeps its lock file and skills; also CLAWDHUB_WORKDIR"},
    {"CLAWHUB_CONFIG_PATH", "the file of `hub login`; also CLAWDHUB_CONFIG_PATH"},
    {"ANDROID_HOME, ANDROID_SDK_ROOT", "the Android SDK, for emulators and --start-server"},
    {"ANDROID_AVD_HOME", "the folder of the virtual devices; default ~/.android/avd"},
    {"ANDROID_USER_HOME", "the folder of the SDK's own files; default ~/.android"},
    {"ANDROID_SDK_HOME", "the folder that holds .android, where HOME is not meant"},
    {"EMULATOR_PATH", "the emulator program"},
    {"SDKMANAGER_PATH, AVDMANAGER_PATH", "the SDK's programs that make virtual devices"},
    {"JAVA_HOME", "the Java that `doctor --full` builds with"},
    {"CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR", "the certificates that downloads trust"},
    {"SSH_AUTH_SOCK", "the ssh-agent whose keys `skills install` logs in with"},
    {"NO_COLOR", "when set, nothing is coloured"},
    {"HOME", "~/.clawperator and ~/.android are looked for here"},
    {"XDG_CONFIG_HOME", "the configuration of `hub login`; default ~/.config"},
    {"XDG_CACHE_HOME", "snapshots and device facts; default ~/.cache"},
    {"XDG_RUNTIME_DIR", "locks, the daemon's socket, serve's token, if it is this user's alone"},
    {"CLAWPERATOR_LOCK_DIR", "locks are taken there alone: for sandboxes, and for tests"},
    {"TMPDIR", "where screenshots go that nobody named"},
};

}  // namespace

std::string command_json(const Command& command) {
  JsonObject json;
  json.text("name", command.name)
      .strings("synonyms", words_of(command.synonyms, ' '))
      .text("usage", command.usage)
      .text("summary", command.summary);
  if (!command.details.empty()) json.text("details", command.details);
  json.strings("examples", words_of(command.examples, '\n'))
      .boolean("needsDevice", command.reach == Reach::device)
      .json("options", list_json(command.options, option_json));
  if (command.kind == Kind::payload) {
    json.json("actions", list_json(action_manual(), action_json));
    const std::vector<std::string> fields(matcher_fields().begin(), matcher_fields().end());
    json.strings("matcherFields", fields);
  }
  if (!command.subcommands.empty()) {
    json.json("subcommands", list_json(command.subcommands, [](const Command* subcommand) {
                return command_json(*subcommand);
              }));
  }
  return json.str();
}

std::string program_json() {
  return JsonObject()
      .text("name", "clawperator")
      .text("version", kVersionText)
      .json("globals", list_json(global_options(), option_json))
      .json("commands",
            list_json(commands(), [](const Command* command) { return command_json(*command); }))
      .json("environment", list_json(environment_table(), variable_json))
      .json("errors", list_json(all_errors(), error_json))
      .str();
}

std::span<const EnvironmentVariable> environment_table() { return kVariables; }

}  // namespace clawperator::cli
