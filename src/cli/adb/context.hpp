#pragma once
// What the subcommands for devices share: the server, the choice of device, and adb's error
// messages.

#include "cli/adb/adb_command.hpp"
#include "runtime/device/choice/choice.hpp"

namespace clawperator::cli {

// The device that the context names. Without one, or with several, the error has adb's text
// ("no devices/emulators found", "more than one device/emulator", "device 'X' not found",
// "device unauthorized.\n...").
Task<std::unique_ptr<Device>> open_adb_device(AdbContext* context);
// Prints "- waiting for device -" and waits until there is one.
Task<std::unique_ptr<Device>> wait_for_adb_device(AdbContext* context);
// The adb server, if one answers; if absent, we reach the devices directly.
Task<std::optional<ServerClient>> find_adb_server(AdbContext* context);

// -H, -P or -L was given: only that server is used.
bool server_is_given(const AdbContext& context);
// A server was given by these options or by --transport: no device is reached in another way.
bool is_only_server(const AdbContext& context);
Result<ServerClient> server_of(const AdbContext& context);
// Why a connection failed, without the address.
std::string connect_reason(const Error& error);
// True if the server did not answer because none runs.
bool is_server_absent(const Error& error);

DeviceChoice choice_of(const AdbContext& context);
// The row of a list that adb's rules select, in any state; like adb, it skips rows without
// permission. Fails when several rows match.
Result<std::optional<DeviceRow>> chosen_row(const AdbContext& context,
                                            const std::vector<DeviceRow>& rows);

// The devices that we reach without an adb server. Empty when there are none, and when the options
// allow only a server.
Task<std::vector<DeviceRow>> own_rows(const AdbContext* context, Detail detail);
// The devices that this server lists.
Task<std::vector<DeviceRow>> server_rows(ServerClient* server);
// The selected row. Fails like chosen_row, and like the server for a device that is unauthorized
// or offline.
Task<DeviceRow> choose_row(const AdbContext* context);

// Copies an unframed service's output to stdout until it ends; a service that restarts adbd ends
// with the link.
Task<int> print_service(AdbContext* context, std::string service);
// A command without input and with separate output streams; the exit code is the command's.
Task<int> run_device_command(Device* device, std::string command);

// Runs the subcommand `name`; "unknown command X" when there is none.
Task<int> run_subcommand(AdbContext* context, std::string name, AdbWords words);

// Prints the line, or the error of a query; returns the exit code.
int print_line(const Result<std::string>& line);
// adb's two error forms: "error: ..." for a query, "adb: ..." for everything else. Both return 1.
int query_failed(const Error& error);
int adb_failed(std::string_view words);
// adb's text for an error of a device or a service: "closed" when adbd refused the service.
std::string adb_words(const Error& error);
// Prints "error: <text>"; returns `code`.
int print_service_error(const Error& error, int code);
// The same for file commands, on stdout like adb: "adb: error: failed to get feature set: ...".
int transfer_failed(const Error& error);
// Prints "not offered" and the reason; returns 1.
int not_offered(std::string_view what, std::string_view why);

// How adb's users name a device, and adb's messages when it is missing. The resolver of
// runtime/device uses it to choose a device for `clawperator adb`.

// The names that the adb server accepts: also devpath, "product:X", "model:X", "device:X", and
// HOST for HOST:5555. A transport id has priority over a serial, a serial over -d and -e.
// Properties select only devices of a server: a direct route has them only once it is open.
extern const Dialect kAdbDialect;

// The server's spelling of a property, where blanks would end the word: "Pixel 6" is model:Pixel_6.
std::string one_word(std::string property);

Question adb_question(const AdbContext& context, Readiness readiness);

// The adb server's message for a failure, if it has one.
Error in_adb_words(const Question& question, const Error& error);

}  // namespace clawperator::cli
