#include "cli/environment_table.hpp"

namespace clawperator::cli {
namespace {

constexpr bool kShared = true;  // is_shared_with_daemon

constexpr EnvironmentVariable kVariables[] = {
    {"ANDROID_SERIAL", "the device, where --device does not name one"},
    {"ADB_SERVER_SOCKET", "the adb server: tcp:HOST:PORT or localfilesystem:PATH", kShared},
    {"ANDROID_ADB_SERVER_ADDRESS", "the adb server's host; default 127.0.0.1", kShared},
    {"ANDROID_ADB_SERVER_PORT", "the adb server's port; default 5037", kShared},
    {"ADB_VENDOR_KEYS", "further adb keys or folders of keys, separated by colons", kShared},
    {"ADB_PATH", "the adb program that --start-server starts"},
    {"ADB_COMPRESSION", "0 switches compression of `adb push` and `adb pull` off"},
    {"ADB_MDNS", "0 leaves multicast discovery alone", kShared},
    {"ANDROID_LOG_TAGS", "the filter of `adb logcat`"},
    {"CLAWPERATOR_USB", "0 leaves phones on USB alone", kShared},
    {"CLAWPERATOR_OPERATOR_PACKAGE", "the Operator app, where --operator-package does not name it",
     kShared},
    {"CLAWPERATOR_RECEIVER_PACKAGE", "the same under its old name; read last", kShared},
    {"CLAWPERATOR_BROADCAST_ACTION", "the broadcast the Operator app listens to", kShared},
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
    {"ANDROID_USER_HOME", "the folder of the SDK's own files; default ~/.android", kShared},
    {"ANDROID_SDK_HOME", "the folder that holds .android, where HOME is not meant", kShared},
    {"EMULATOR_PATH", "the emulator program"},
    {"SDKMANAGER_PATH, AVDMANAGER_PATH", "the SDK's programs that make virtual devices"},
    {"JAVA_HOME", "the Java that `doctor --full` builds with"},
    {"CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR", "the certificates that downloads trust"},
    {"SSH_AUTH_SOCK", "the ssh-agent whose keys `skills install` logs in with"},
    {"NO_COLOR", "when set, nothing is coloured"},
    {"HOME", "~/.clawperator and ~/.android are looked for here", kShared},
    {"XDG_CONFIG_HOME", "the configuration of `hub login` and of MCP clients; default ~/.config"},
    {"CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME", "where these clients have their settings"},
    {"XDG_CACHE_HOME", "snapshots and device facts; default ~/.cache", kShared},
    {"XDG_RUNTIME_DIR", "locks, the daemon's socket, serve's token, if it is this user's alone"},
    {"CLAWPERATOR_LOCK_DIR", "locks are taken there alone: for sandboxes, and for tests", kShared},
    {"TMPDIR", "the folder of screenshots without a path", kShared},
};

}  // namespace

std::span<const EnvironmentVariable> environment_table() { return kVariables; }

}  // namespace clawperator::cli
