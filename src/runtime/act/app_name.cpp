#include "runtime/act/app_name.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "base/text.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/verbs/apps.hpp"

namespace clawperator::act {
namespace {

std::vector<std::string> parts_of(std::string_view text, char between) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(text, between)) {
    if (!part.empty()) parts.push_back(ascii_lower(part));
  }
  return parts;
}

}  // namespace

bool is_app_name(std::string_view text) { return !text.contains('.'); }

std::vector<std::string> packages_named(std::string_view name,
                                        const std::vector<std::string>& packages) {
  const auto words = parts_of(name, ' ');
  std::vector<std::string> named;
  for (const std::string& package : packages) {
    const auto parts = parts_of(package, '.');
    const auto is_part = [&](const std::string& word) {
      return std::ranges::find(parts, word) != parts.end();
    };
    if (!words.empty() && std::ranges::all_of(words, is_part)) named.push_back(package);
  }
  return named;
}

Task<std::string> resolve_app_names(Executor* executor, TargetOptions target,
                                    Execution* execution) {
  std::optional<std::vector<std::string>> packages;
  std::string opened;
  for (Action& action : execution->actions) {
    auto* open = std::get_if<OpenApp>(&action.kind);
    if (!open || !open->application_id || !is_app_name(*open->application_id)) continue;
    if (!packages) {
      CO_TRY(const auto device, co_await executor->open(target));
      CO_TRY(packages, co_await list_launchable(device.get()));
    }
    const std::string name = *open->application_id;
    const auto named = packages_named(name, *packages);
    if (named.empty()) continue;
    if (named.size() > 1) {
      ErrorMembers details;
      details.text("applicationId", name).strings("near", named);
      co_return fail_with(errc::android_app_launch_failed,
                          "several apps fit \"" + name + "\"; open one of `near` by its package",
                          details);
    }
    open->application_id = opened = named.front();
  }
  co_return opened;
}

}  // namespace clawperator::act
