#pragma once
// What the subcommands that talk about devices share: the server, the choice of device, and the
// words adb has for what went wrong.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/adb/adb_command.hpp"

namespace clawperator::cli {

// -H, -P or -L was given: that server and nothing else.
bool server_is_given(const AdbContext& context);
adbproto::Result<adbproto::ServerClient> server_of(const AdbContext& context);
// Why a connection failed, without where it went.
std::string connect_reason(const adbproto::Error& error);
// Did the server not answer because there is none?
bool is_nobody(const adbproto::Error& error);

adbproto::DeviceChoice choice_of(const AdbContext& context);
// Does a row of a device list belong to the choice? Serials match as the adb server matches them:
// also by devpath, "product:X", "model:X", "device:X", and HOST for HOST:5555.
bool is_chosen(const AdbContext& context, const adbproto::DeviceLine& line);
// The sentences of adb's server about a choice that fits no device, or several.
adbproto::Error none_chosen(const AdbContext& context);
adbproto::Error several_chosen(const AdbContext& context);
adbproto::Error in_adb_words(const AdbContext& context, const adbproto::Error& error);

// What the adb server would list, without a server; empty when there is nothing at all.
adbproto::Task<std::vector<adbproto::DeviceLine>> list_lines(const AdbContext* context, Look look);
// The one of them that is meant. Fails as above, and as the server does about a device that is
// unauthorized or offline.
adbproto::Task<adbproto::DeviceLine> choose_line(const AdbContext* context);

// Runs the subcommand `name`; "unknown command X" when there is none.
adbproto::Task<int> run_subcommand(AdbContext* context, std::string name,
                                   std::vector<std::string> arguments);

// adb's two ways of complaining: "error: ..." of a query, "adb: ..." of everything else. Both
// return 1.
int query_failed(const adbproto::Error& error);
int adb_failed(std::string_view words);
// "not offered" and why; returns 1.
int not_offered(std::string_view what, std::string_view why);

}  // namespace clawperator::cli
