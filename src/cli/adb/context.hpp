#pragma once
// What the subcommands that talk about devices share: the server, the choice of device, and the
// words adb has for what went wrong.

#include "cli/adb/adb_command.hpp"
#include "runtime/device/choice/choice.hpp"

namespace clawperator::cli {

// The device that the context names, with adb's own words when there is none or more than one
// ("no devices/emulators found", "more than one device/emulator", "device 'X' not found",
// "device unauthorized.\n...").
Task<std::unique_ptr<Device>> open_adb_device(AdbContext* context);
// "- waiting for device -" until there is one.
Task<std::unique_ptr<Device>> wait_for_adb_device(AdbContext* context);
// The adb server, when one answers; absent: work goes directly to the devices.
Task<std::optional<ServerClient>> find_adb_server(AdbContext* context);

// -H, -P or -L was given: that server and nothing else.
bool server_is_given(const AdbContext& context);
// So it was, or by --transport: no device is reached otherwise.
bool is_only_server(const AdbContext& context);
Result<ServerClient> server_of(const AdbContext& context);
// Why a connection failed, without where it went.
std::string connect_reason(const Error& error);
// Did the server not answer because there is none?
bool is_nobody(const Error& error);

// Only a serial with a port in it can be dialled without having been connected before.
bool is_address(const std::string& serial);

DeviceChoice choice_of(const AdbContext& context);
// The row of a list that adb's rules name, whatever its state; adb passes over what it has no
// permission for. Fails when several are meant.
Result<std::optional<DeviceRow>> chosen_row(const AdbContext& context,
                                            const std::vector<DeviceRow>& rows);

// What we reach without an adb server. Empty when there is nothing at all, and where only a server
// was asked for.
Task<std::vector<DeviceRow>> own_rows(const AdbContext* context, Detail detail);
// What that server lists.
Task<std::vector<DeviceRow>> server_rows(ServerClient* server);
// The one of them that is meant. Fails as above, and as the server does about a device that is
// unauthorized or offline.
Task<DeviceRow> choose_row(const AdbContext* context);

// Copies an unframed service's words to stdout until it ends, with the link where it restarts adbd.
Task<int> print_service(AdbContext* context, std::string service);
// A command without input, its streams apart; the exit code is the command's.
Task<int> run_device_command(Device* device, std::string command);

// Runs the subcommand `name`; "unknown command X" when there is none.
Task<int> run_subcommand(AdbContext* context, std::string name, AdbWords words);

// Prints the line that answers, or the error of a query; the exit code.
int print_line(const Result<std::string>& line);
// adb's two ways of complaining: "error: ..." of a query, "adb: ..." of everything else. Both
// return 1.
int query_failed(const Error& error);
int adb_failed(std::string_view words);
// An error of a device or a service as adb words it: "closed" when adbd refused the service.
std::string adb_words(const Error& error);
// Prints "error: <words>"; the exit code is `code`.
int print_service_error(const Error& error, int code);
// The same of the file verbs, on stdout as adb has it: "adb: error: failed to get feature set:
// ...".
int transfer_failed(const Error& error);
// "not offered" and why; returns 1.
int not_offered(std::string_view what, std::string_view why);

// How adb's users name a device, and adb's sentences about one that is not there: what the resolver
// of runtime/device is handed to choose for `clawperator adb`.

// As the adb server lets devices be named: also by devpath, "product:X", "model:X", "device:X", and
// HOST for HOST:5555. A transport id goes before a serial, a serial before -d and -e. Properties
// name only what a server lists: a phone on a direct route tells them once it is open.
extern const Dialect kAdbDialect;

// As the server writes and compares a property, whose blanks would end the word: "Pixel 6" is
// model:Pixel_6.
std::string one_word(std::string property);

Question adb_question(const AdbContext& context, Readiness readiness);

// The adb server's sentence for a failure that it has one for.
Error in_adb_words(const Question& question, const Error& error);

}  // namespace clawperator::cli
