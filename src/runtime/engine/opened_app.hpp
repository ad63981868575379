#pragma once
// Whether the app is on the phone, for a plan whose only action is to open it.

#include "runtime/engine/phone.hpp"

namespace clawperator {

// Whether the plan only opens one app.
bool opens_one_app(const Execution& execution);
// android_app_launch_failed where the app is missing. Only a clear answer of the phone counts.
Task<void> check_opened_app(const ExecutionJob* job, Phone* phone);

}  // namespace clawperator
