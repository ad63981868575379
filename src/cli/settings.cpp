#include "cli/settings.hpp"

#include <climits>
#include <cmath>
#include <cstdlib>
#include <initializer_list>

#include "cli/grammar/suggest.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/operator_package.hpp"
#include "runtime/device/environment.hpp"

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

}  // namespace

std::string expand_home(std::string path) {
  const bool in_home = path == "~" || path.starts_with("~/");
  const auto home = environment_variable("HOME");
  return in_home && home ? *home + path.substr(1) : path;
}

Result<void> check_path_length(std::string_view flag, std::string_view path) {
  if (path.size() < PATH_MAX) return ok();
  return fail(errc::usage, std::string(flag) + " is too long for a path: " + clipped(path));
}

std::optional<std::string> wanted_operator_package(const Globals& globals) {
  if (globals.operator_package) return globals.operator_package;
  std::string named =
      first_of_environment({"CLAWPERATOR_OPERATOR_PACKAGE", "CLAWPERATOR_RECEIVER_PACKAGE"}, "");
  return named.empty() ? std::nullopt : std::optional(std::move(named));
}

std::string operator_package(const Globals& globals) {
  return wanted_operator_package(globals).value_or(std::string(kReleaseOperatorPackage));
}

std::string broadcast_action(const Globals& globals) {
  if (globals.broadcast_action) return *globals.broadcast_action;
  return first_of_environment({"CLAWPERATOR_BROADCAST_ACTION"}, kBroadcastAction);
}

act::SnapshotStore snapshot_store() {
  const auto folder = cache_folder();
  return act::SnapshotStore(folder.empty() ? folder : folder / "snapshots");
}

Result<double> finite_timeout_or(const Globals& globals, double otherwise) {
  const double timeout = globals.timeout_ms.value_or(otherwise);
  if (!std::isfinite(timeout)) return validation_error("timeoutMs must be a finite number");
  return timeout;
}

EventLogOptions log_options(const Globals& globals) {
  EventLogOptions options;
  options.folder = expand_home(first_of_environment({"CLAWPERATOR_LOG_DIR"}, default_log_folder()));
  const std::string named =
      globals.log_level.value_or(first_of_environment({"CLAWPERATOR_LOG_LEVEL"}, "info"));
  options.level = parse_log_level(named).value_or(LogLevel::info);
  options.to_stderr = globals.verbose;
  return options;
}

}  // namespace clawperator::cli
