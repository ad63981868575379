#include "runtime/engine/opened_app.hpp"

#include "base/error_members.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/preflight.hpp"

namespace clawperator {

bool opens_app_first(const Execution& execution) {
  return !execution.actions.empty() && execution.actions.front().is<OpenApp>();
}

Task<void> check_opened_app(const ExecutionJob* job, Phone* phone) {
  const Execution& execution = job->request.execution;
  if (!opens_app_first(execution)) co_return ok();
  const std::string& app = *execution.actions.front().as<OpenApp>()->application_id;
  CO_TRY(const bool absent, co_await is_absent(phone->channel(), app));
  if (!absent) co_return ok();
  co_return fail(errc::android_app_launch_failed,
                 app + " is not installed on " + phone->device()->serial(),
                 ErrorMembers()
                     .text("hint", absent_app_hint(phone->advised_name()))
                     .object("details", ErrorMembers().text("applicationId", app))
                     .str());
}

}  // namespace clawperator
