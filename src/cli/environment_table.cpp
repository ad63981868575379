#include "cli/environment_table.hpp"

namespace clawperator::cli {
namespace {

constexpr bool kShared = true;  // is_shared_with_daemon

constexpr EnvironmentVariable kVariables[] = {
    {"ANDROID_SERIAL", "the device, unless --device names one"},
    {"ADB_SERVER_SOCKET", "the adb server: tcp:HOST:PORT or localfilesystem:PATH", kShared},
    {"ANDROID_ADB_SERVER_ADDRESS", "the adb server's host; default 127.0.0.1", kShared},
    {"ANDROID_ADB_SERVER_PORT", "the adb server's port; default 5037", kShared},
    {"ADB_VENDOR_KEYS", "further adb keys or folders of keys, separated by colons", kShared},
    {"ADB_PATH", "the adb program that --start-server starts"},
    {"ADB_COMPRESSION", "0 turns off compression in `adb push` and `adb pull`"},
    {"ADB_MDNS", "0 turns off multicast discovery", kShared},
    {"ANDROID_LOG_TAGS", "the filter of `adb logcat`"},
    {"CLAWPERATOR_USB", "0 turns off direct USB access", kShared},
    {"CLAWPERATOR_OPERATOR_PACKAGE", "the Operator app, unless --operator-package names it",
     kShared},
    {"CLAWPERATOR_RECEIVER_PACKAGE", "old name of CLAWPERATOR_OPERATOR_PACKAGE; read last",
     kShared},
    {"CLAWPERATOR_BROADCAST_ACTION", "the broadcast the Operator app listens to", kShared},
    {"CLAWPERATOR_LOG_DIR", "the folder of the log files; default ~/.clawperator/logs"},
    {"CLAWPERATOR_LOG_LEVEL", "debug, info, warn or error; default info"},
    {"CLAWPERATOR_NO_DAEMON", "any value but 0: like --no-daemon"},
    {"LISTEN_FDS, LISTEN_PID", "for `daemon run`: the listening socket from systemd"},
    {"TRACEPARENT", "the trace of the command, in the W3C trace context format"},
    {"CLAWPERATOR_SKILLS_REGISTRY", "the skills registry; it replaces all default places"},
    {"CLAWPERATOR_BIN", "the program that skill scripts call; default this program"},
    {"CLAWPERATOR_PASS_ENV", "names of further variables to pass to skills and other programs"},
    {"CLAWPERATOR_TOKEN", "the token of requests to `serve`"},
    {"container, KUBERNETES_SERVICE_HOST", "if set, `serve` runs in a container"},
    {"CLAWPERATOR_APK_METADATA_URL", "the list of Operator apps for `operator download`"},
    {"CLAWPERATOR_SKILLS_REPO", "the repository of `skills install`, `update` and `sync`"},
    {"GIT_DIR, GIT_INDEX_FILE", "what git sets for its hooks: the repository of `skills scan`"},
    {"OPENCLAW_STATE_DIR", "the state folder of `agent-skills`; also CLAWDBOT_... and CLAWDIS_..."},
    {"OPENCLAW_CONFIG_PATH",
     "the configuration file of `agent-skills`; also CLAWDBOT_..., CLAWDIS_..."},
    {"OPENCLAW_BUNDLED_SKILLS_DIR",
     "the bundled skills of `agent-skills`; also CLAWDBOT_..., CLAWDIS_..."},
    {"HOMEBREW_BREW_FILE, HOMEBREW_PREFIX", "the place of brew, if it is not in PATH"},
    {"CLAWHUB_REGISTRY, CLAWHUB_SITE", "the hub's API and its website; also CLAWDHUB_..."},
    {"CLAWHUB_WORKDIR", "the folder of the hub's lock file and skills; also CLAWDHUB_WORKDIR"},
    {"CLAWHUB_CONFIG_PATH", "the token file of `hub login`; also CLAWDHUB_CONFIG_PATH"},
    {"ANDROID_HOME, ANDROID_SDK_ROOT", "the Android SDK, for emulators and --start-server"},
    {"ANDROID_AVD_HOME", "the folder of the virtual devices; default ~/.android/avd"},
    {"ANDROID_USER_HOME", "the folder of the SDK's user files; default ~/.android", kShared},
    {"ANDROID_SDK_HOME", "the folder that contains .android, instead of HOME", kShared},
    {"EMULATOR_PATH", "the emulator program"},
    {"DISPLAY, WAYLAND_DISPLAY", "if neither is set, an emulator starts without a window"},
    {"SDKMANAGER_PATH, AVDMANAGER_PATH", "the SDK's programs that create virtual devices"},
    {"JAVA_HOME", "the Java for `doctor --full`"},
    {"CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR", "the certificates that downloads trust"},
    {"SSH_AUTH_SOCK", "the ssh-agent with the keys for `skills install`"},
    {"NO_COLOR", "if set, the output has no colours"},
    {"HOME", "the folder of ~/.clawperator and ~/.android", kShared},
    {"XDG_CONFIG_HOME", "settings of `hub login` and of MCP clients; default ~/.config"},
    {"CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME", "the settings folders of these clients"},
    {"XDG_CACHE_HOME", "saved snapshots and device facts; default ~/.cache", kShared},
    {"XDG_RUNTIME_DIR", "locks, the daemon's socket, serve's token; must be private to this user"},
    {"CLAWPERATOR_LOCK_DIR", "the only folder for locks: for sandboxes and tests", kShared},
    {"TMPDIR", "the folder of screenshots without --path", kShared},
};

}  // namespace

std::span<const EnvironmentVariable> environment_table() { return kVariables; }

}  // namespace clawperator::cli
