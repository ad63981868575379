#pragma once
// Whether the app is on the phone, for a plan that begins with opening it.

#include "runtime/engine/phone.hpp"

namespace clawperator {

// Whether the plan opens an app before it does anything else but look.
bool opens_app_first(const Execution& execution);
// android_app_launch_failed where the app is missing, with `details.near`: packages with nearly
// that name. Only a clear answer of the phone counts.
Task<void> check_opened_app(const ExecutionJob* job, Phone* phone);

}  // namespace clawperator
