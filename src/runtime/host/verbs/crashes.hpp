#pragma once
// The crashes of an app, asked of the phone's log in one bounded read.

#include "runtime/engine/engine.hpp"
#include "runtime/host/verbs/crash_report.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

// package_not_found, logcat_unavailable, and what run_on_device fails with.
Task<CrashReport> read_crashes(adbproto::Device* device, std::string package);

// The last crash of the package, with "agoMs", where it was in the last ten minutes. Empty where
// there was none, and where the phone does not say so within five seconds.
Task<JsonObject> find_recent_crash(TargetOptions target, std::string package,
                                   ResolveDevice resolve = resolve_device);

}  // namespace clawperator
