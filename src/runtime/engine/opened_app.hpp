#pragma once
// Whether the app of a plan that does nothing but open one is on the phone.

#include "runtime/engine/phone.hpp"

namespace clawperator {

// Whether the plan is such a one.
bool opens_one_app(const Execution& execution);
// android_app_launch_failed where it is not there. Only a plain "no" of the phone counts.
Task<void> check_opened_app(const ExecutionJob* job, Phone* phone);

}  // namespace clawperator
