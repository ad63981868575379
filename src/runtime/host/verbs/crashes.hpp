#pragma once
// The crashes of an app, asked of the phone's log in one bounded read.

#include "runtime/host/verbs/crash_report.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

// package_not_found, logcat_unavailable, and what run_on_device fails with.
Task<CrashReport> read_crashes(adbproto::Device* device, std::string package);

}  // namespace clawperator
