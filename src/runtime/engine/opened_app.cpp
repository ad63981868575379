#include "runtime/engine/opened_app.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/preflight.hpp"
#include "runtime/ui/near_text.hpp"

namespace clawperator {

namespace {

constexpr std::size_t kMostNear = 5;  // as of nodes

// "Chrome" and "com.android.crhome" are near com.android.chrome. Empty without a list.
asio::awaitable<std::vector<std::string>> near_packages(CommandChannel* channel, std::string app) {
  const auto listed = co_await installed_packages(channel);
  std::vector<std::pair<Nearness, std::string>> compared;
  const NearText wanted(app);
  for (const FoundApp& each : listed.value_or(FoundApps{})) {
    compared.emplace_back(wanted.to(NearText(each.package)), each.package);
  }
  co_return nearest_first(std::move(compared), kMostNear);
}

// Steps before it that only look change nothing, so the plan can still be refused as a whole.
const OpenApp* opened_first(const Execution& execution) {
  const auto first = std::ranges::find_if_not(execution.actions, only_looks, &Action::type);
  return first == execution.actions.end() ? nullptr : first->as<OpenApp>();
}

}  // namespace

bool opens_app_first(const Execution& execution) { return opened_first(execution) != nullptr; }

Task<void> check_opened_app(const ExecutionJob* job, Phone* phone) {
  const Execution& execution = job->request.execution;
  const OpenApp* opened = opened_first(execution);
  if (!opened) co_return ok();
  const std::string& app = *opened->application_id;
  CO_TRY(const bool absent, co_await is_absent(phone->channel(), app));
  if (!absent) co_return ok();
  ErrorMembers details;
  details.text("applicationId", app);
  details.strings("near", co_await near_packages(phone->channel(), app));
  co_return fail(errc::android_app_launch_failed,
                 app + " is not installed on " + phone->device()->serial(),
                 hint_and_details(absent_app_hint(phone->advised_name()), details));
}

}  // namespace clawperator
