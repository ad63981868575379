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
// So it was, or by --transport: no device is reached otherwise.
bool is_only_server(const AdbContext& context);
Result<adbproto::ServerClient> server_of(const AdbContext& context);
// Why a connection failed, without where it went.
std::string connect_reason(const Error& error);
// Did the server not answer because there is none?
bool is_nobody(const Error& error);

// Only a serial with a port in it can be dialled without having been connected before.
bool is_address(const std::string& serial);

adbproto::DeviceChoice choice_of(const AdbContext& context);
// The row of a list that adb's rules name, whatever its state; adb passes over what it has no
// permission for. Fails when several are meant.
Result<std::optional<DeviceRow>> chosen_row(const AdbContext& context,
                                            const std::vector<DeviceRow>& rows);

// What we reach without an adb server. Empty when there is nothing at all, and where only a server
// was asked for.
Task<std::vector<DeviceRow>> own_rows(const AdbContext* context, Detail detail);
// What that server lists.
Task<std::vector<DeviceRow>> server_rows(adbproto::ServerClient* server);
// The one of them that is meant. Fails as above, and as the server does about a device that is
// unauthorized or offline.
Task<DeviceRow> choose_row(const AdbContext* context);

// A question that an adb server answers about one device, and the answer of a row of our own.
struct Query {
  std::string_view verb;
  std::string (*of_row)(const DeviceRow&);
};
// The server's answer; ours where none answers.
Task<std::string> ask_about_device(AdbContext* context, Query query);

// Runs the subcommand `name`; "unknown command X" when there is none.
Task<int> run_subcommand(AdbContext* context, std::string name, std::vector<std::string> arguments);

// adb's two ways of complaining: "error: ..." of a query, "adb: ..." of everything else. Both
// return 1.
int query_failed(const Error& error);
int adb_failed(std::string_view words);
// The same of the file verbs, on stdout as adb has it: "adb: error: failed to get feature set:
// ...".
int transfer_failed(const Error& error);
// "not offered" and why; returns 1.
int not_offered(std::string_view what, std::string_view why);

}  // namespace clawperator::cli
