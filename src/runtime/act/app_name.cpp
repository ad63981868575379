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

// What many packages have in common says nothing of an app.
bool is_common(const std::string& word) {
  return is_one_of(word, "com org net io google android apps app");
}

}  // namespace

bool is_app_name(std::string_view text) { return !text.contains('.'); }

std::vector<std::string> packages_named(std::string_view name,
                                        const std::vector<std::string>& packages) {
  const auto words = parts_of(name, ' ');
  if (std::ranges::all_of(words, is_common)) return {};
  std::vector<std::string> named;
  for (const std::string& package : packages) {
    const auto parts = parts_of(package, '.');
    const auto is_part = [&](const std::string& word) {
      return std::ranges::find(parts, word) != parts.end();
    };
    if (std::ranges::all_of(words, is_part)) named.push_back(package);
  }
  return named;
}

namespace {

// Of an action that an app is named for; null: none is.
std::optional<std::string>* app_of(Action& action) {
  if (auto* open = action.as<OpenApp>()) return &open->application_id;
  if (auto* close = action.as<CloseApp>()) return &close->application_id;
  if (auto* wait = action.as<WaitForNavigation>()) return &wait->expected_package;
  return nullptr;
}

}  // namespace

Task<std::string> resolve_app_names(Executor* executor, TargetOptions target,
                                    Execution* execution) {
  std::optional<std::vector<std::string>> packages;
  std::string found;
  for (Action& action : execution->actions) {
    std::optional<std::string>* app = app_of(action);
    if (!app || !*app || !is_app_name(**app)) continue;
    if (!packages) {
      CO_TRY(const auto device, co_await executor->open(target));
      CO_TRY(packages, co_await list_launchable(device.get()));
    }
    const std::string name = **app;
    const auto named = packages_named(name, *packages);
    if (named.empty()) continue;
    if (named.size() > 1) {
      ErrorMembers details;
      details.text("applicationId", name).strings("near", named);
      co_return fail_with(errc::android_app_launch_failed,
                          "several apps fit \"" + name + "\"; name one of `near` by its package",
                          details);
    }
    *app = found = named.front();
  }
  co_return found;
}

}  // namespace clawperator::act
