#pragma once
// The groups of commands; command_table.cpp joins them. One file per group.

#include <span>

#include "simdroid/userland/process.hpp"

namespace simdroid {

// The physical numbers of the displays: the phone's own, and one that is dark.
inline constexpr std::string_view kMainDisplay = "4619827259835644672";
inline constexpr std::string_view kSecondDisplay = "4619827551948147201";

std::span<const CommandEntry> activity_commands();  // am, monkey
std::span<const CommandEntry> control_commands();   // simctl
std::span<const CommandEntry> date_commands();      // date
std::span<const CommandEntry> dumpsys_commands();   // dumpsys
std::span<const CommandEntry> file_commands();      // cat, ls, rm, mkdir, stat, ...
std::span<const CommandEntry> filter_commands();    // head, tail, wc, grep, gzip, ...
std::span<const CommandEntry> input_commands();     // input
std::span<const CommandEntry> logcat_commands();    // logcat, log
std::span<const CommandEntry> package_commands();   // pm
std::span<const CommandEntry> program_commands();   // sh, env, which, sleep, yes, seq, ...
std::span<const CommandEntry> run_as_commands();    // run-as
std::span<const CommandEntry> screen_commands();    // screencap, uiautomator, wm
std::span<const CommandEntry> service_commands();   // cmd, svc
std::span<const CommandEntry> settings_commands();  // settings, getprop, setprop
std::span<const CommandEntry> system_commands();    // id, whoami, uname, ps, kill, df, ...
std::span<const CommandEntry> video_commands();     // screenrecord

// Used by `cmd`, abb: and the plain names alike; args[0] is whatever it was called by.
Task<int> run_activity(Process* process);
Task<int> run_broadcast(Process* process, std::size_t from);
Task<int> run_package(Process* process);
Task<int> list_packages(Process* process);
// The user in front.
int current_user(const Phone& phone);
Task<int> run_notification(Process* process);
Task<int> run_appops(Process* process);
// A service's answer to an unknown verb.
Task<int> unknown_verb(Process* process, std::string verb);
// pm install, install-create, install-write, ...
Task<int> run_install(Process* process);
Task<int> run_settings(Process* process);
Task<int> run_window(Process* process);
Task<int> run_input(Process* process);
// `cmd input`, which is there from Android 12 on.
Task<int> run_input_service(Process* process);
// Of `cmd SERVICE help`; empty: the service has none on that release.
std::string service_help(std::string_view service, int sdk);
// args[0] is the service name.
Task<int> run_service(Process* process);

}  // namespace simdroid
