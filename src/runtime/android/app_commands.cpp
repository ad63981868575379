#include "runtime/android/app_commands.hpp"

#include "base/text.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kMain = "android.intent.action.MAIN";
constexpr std::string_view kLauncher = "android.intent.category.LAUNCHER";
constexpr std::size_t kMaxSaid = 300;

// A new task, or the one that there is, as a launcher does it.
constexpr std::string_view kLauncherFlags = "0x10200000";

// What repeats the caller's own words, or names what was started.
bool is_echo(std::string_view line) {
  return line.starts_with("Starting:") || line.starts_with("Activity:") ||
         line.starts_with("Warning:");
}

bool is_failure(std::string_view line) {
  return line.starts_with("Error") || line.find("Permission Denial") != line.npos ||
         line.find("Exception") != line.npos || line.find("Failure calling service") != line.npos;
}

bool is_unresolved(std::string_view line) {
  return line.find("unable to resolve Intent") != line.npos ||
         line.find("does not exist") != line.npos;
}

}  // namespace

Words launcher_activity_words(const std::string& package) {
  return {"resolve-activity",     "--brief", "-a", std::string(kMain), "-c",
          std::string(kLauncher), package};
}

std::optional<std::string> read_launcher_activity(std::string_view printed) {
  std::optional<std::string> component;
  while (!printed.empty()) {
    const std::string_view line = trimmed(take_line(&printed));
    const std::size_t slash = line.find('/');
    const bool named = slash != line.npos && slash > 0 && slash + 1 < line.size() &&
                       line.find_first_of(" =:") == line.npos;
    if (named) component = std::string(line);
  }
  if (component && component->starts_with("android/")) return std::nullopt;
  return component;
}

Words launch_words(const std::string& component) {
  return {"start", "-W",
          "-a",    std::string(kMain),
          "-c",    std::string(kLauncher),
          "-f",    std::string(kLauncherFlags),
          "-n",    component};
}

Words launch_package_words(const std::string& package) {
  return {"start", "-W", "-f", std::string(kLauncherFlags), package};
}

Words view_words(const std::string& uri) {
  return {"start", "-W", "-a", "android.intent.action.VIEW", "-d", uri};
}

StartAnswer read_start(std::string_view out, std::string_view err) {
  const std::string both = std::string(err) + "\n" + std::string(out);
  std::string_view rest = both;
  StartAnswer answer;
  bool began = false;
  while (!rest.empty()) {
    const std::string_view line = trimmed(take_line(&rest));
    if (!is_echo(line) && is_failure(line)) {
      if (answer.said.empty()) answer.said = line.substr(0, kMaxSaid);
      if (!is_unresolved(line)) continue;
      return {StartOutcome::unresolved, std::string(line.substr(0, kMaxSaid))};
    }
    began = began || line.starts_with("Starting:");
    if (line == "Status: ok") answer.outcome = StartOutcome::shown;
    if (line == "Status: timeout") answer.outcome = StartOutcome::started;
  }
  if (!answer.said.empty()) return {StartOutcome::refused, std::move(answer.said)};
  if (answer.outcome != StartOutcome::refused) return answer;
  if (began) return {StartOutcome::started, {}};
  return {StartOutcome::refused, std::string(first_line(trimmed(both), kMaxSaid))};
}

}  // namespace clawperator
