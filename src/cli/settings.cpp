#include "cli/settings.hpp"

#include <climits>
#include <cmath>
#include <cstdlib>
#include <initializer_list>

#include "base/suggest.hpp"
#include "base/system/child_environment.hpp"
#include "base/system/environment.hpp"
#include "cli/argument_checks.hpp"
#include "cli/environment_table.hpp"
#include "cli/output.hpp"
#include "cli/version.hpp"
#include "runtime/daemon/messages.hpp"
#include "runtime/device/runtime_folder.hpp"

namespace clawperator::cli {
namespace {

// The first variable that is set and not blank.
std::string first_of_environment(std::initializer_list<const char*> names,
                                 std::string_view otherwise) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (!value) continue;
    if (std::string_view(value).find_first_not_of(" \t") != std::string_view::npos) return value;
  }
  return std::string(otherwise);
}

std::string default_log_folder() {
  const auto folder = state_folder();
  return folder.empty() ? std::string() : (folder / "logs").string();
}

bool daemon_is_refused(const Globals& globals) {
  const auto refused = environment_variable("CLAWPERATOR_NO_DAEMON");
  return globals.no_daemon || (refused && *refused != "0");
}

}  // namespace

std::string expand_home(std::string path) {
  const bool in_home = path == "~" || path.starts_with("~/");
  const std::string home = home_folder().string();
  return in_home && !home.empty() ? home + path.substr(1) : path;
}

Result<void> check_path_length(std::string_view flag, std::string_view path) {
  if (path.size() < PATH_MAX) return ok();
  return fail(errc::usage, std::string(flag) + " is too long for a path: " + clipped(path));
}

NamedOperator operator_package(const Globals& globals) {
  if (globals.operator_package) return globals.operator_package;
  std::string named =
      first_of_environment({"CLAWPERATOR_OPERATOR_PACKAGE", "CLAWPERATOR_RECEIVER_PACKAGE"}, "");
  return named.empty() ? std::nullopt : std::optional(std::move(named));
}

std::optional<std::string> broadcast_action(const Globals& globals) {
  if (globals.broadcast_action) return globals.broadcast_action;
  std::string named = first_of_environment({"CLAWPERATOR_BROADCAST_ACTION"}, "");
  return named.empty() ? std::nullopt : std::optional(std::move(named));
}

act::SnapshotStore snapshot_store() {
  const auto folder = cache_folder();
  return act::SnapshotStore(folder.empty() ? folder : folder / "snapshots");
}

act::Seen seen_screens() { return {.by = act::Seen::By::user, .store = snapshot_store()}; }

Result<double> finite_timeout_or(const Globals& globals, double otherwise) {
  const double timeout = globals.timeout_ms.value_or(otherwise);
  if (!std::isfinite(timeout)) return validation_error("timeoutMs must be a finite number");
  return timeout;
}

Result<TimeLimit> time_limit(const Globals& globals) {
  // Pictures and packages are transferred and virtual devices boot: that takes longer than an
  // execution.
  constexpr double kLongestLimit = 3'600'000;
  if (!globals.timeout_ms) return TimeLimit{};
  TRY(const double given, finite_timeout_or(globals, kLongestLimit));
  if (given < 1 || given > kLongestLimit) {
    return validation_error("timeoutMs must be between 1 and 3600000");
  }
  return TimeLimit(std::chrono::milliseconds(static_cast<std::int64_t>(given)));
}

EventLogOptions log_options(const Globals& globals) {
  EventLogOptions options;
  options.folder = expand_home(first_of_environment({"CLAWPERATOR_LOG_DIR"}, default_log_folder()));
  const std::string named =
      globals.log_level.value_or(first_of_environment({"CLAWPERATOR_LOG_LEVEL"}, "info"));
  options.level = parse_log_level(named).value_or(LogLevel::info);
  options.to_stderr = globals.verbose;
  options.secrets = secrets_in(our_environment());
  return options;
}

void warn_of_runtime_folders() {
  const auto folders = runtime_folders();
  if (!folders) return;  // the commands that need them fail
  for (const std::string& warning : folders->warnings) {
    print_warning("[clawperator] WARN: " + warning);
  }
}

daemon::Surface surface_of(const Globals& globals) {
  daemon::Surface surface{.version = std::string(kVersionText), .settings = {}};
  const auto add = [&](const std::string& name) {
    if (const auto value = environment_variable(name.c_str())) surface.settings[name] = *value;
  };
  for (const EnvironmentVariable& variable : environment_table()) {
    if (variable.is_shared_with_daemon) add(std::string(variable.name));
  }
  add("CLAWPERATOR_MDNS");  // redirects discovery in tests; not in the table
  const EventLogOptions log = log_options(globals);
  surface.settings["log folder"] = log.folder;
  surface.settings["log level"] = std::to_string(static_cast<int>(log.level));
  if (globals.target.adb_server) surface.settings["adb server"] = *globals.target.adb_server;
  return surface;
}

Result<void> refuse_accept_new(const Globals& globals) {
  if (!globals.target.accept_new) return ok();
  return fail(errc::usage,
              "--accept-new is for single commands; for a long-lived process use `clawperator "
              "known forget`");
}

std::optional<daemon::Surface> daemon_surface(const Globals& globals) {
  const TargetOptions& target = globals.target;
  if (daemon_is_refused(globals) || globals.verbose || target.start_server || target.accept_new) {
    return std::nullopt;
  }
  return surface_of(globals);
}

}  // namespace clawperator::cli
