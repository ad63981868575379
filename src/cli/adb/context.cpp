#include "cli/adb/context.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "adbproto/wire/errc.hpp"
#include "base/system/environment.hpp"
#include "cli/adb/shell_session.hpp"
#include "cli/output.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/device/start_server.hpp"

namespace clawperator::cli {
namespace {

using DevicePtr = std::unique_ptr<Device>;

bool may_use_server(const AdbContext& context) {
  const Transport transport = context.target.transport;
  return transport == Transport::automatic || transport == Transport::server;
}

TargetOptions adb_target(const AdbContext& context, Readiness readiness) {
  TargetOptions target = context.target;
  target.dialect = &kAdbDialect;
  target.readiness = readiness;
  return target;
}

// Each poll queries every source; a person does not notice a quarter of a second.
constexpr auto kListPollInterval = std::chrono::milliseconds(250);

// The server's messages for a device that is not usable yet.
constexpr std::string_view kAbsences[] = {"not found", "no devices",   "no emulators",
                                          "offline",   "unauthorized", "still"};

bool may_come_yet(const Error& error) {
  const Errc code = error.code();
  if (code == errc::no_devices || code == errc::device_not_found || code == errc::device_offline ||
      code == errc::device_unauthorized) {
    return true;
  }
  return code == errc::refused && std::ranges::any_of(kAbsences, [&](std::string_view words) {
           return error.message().contains(words);
         });
}

Task<void> copy_out(ByteStream* stream) {
  Bytes buffer(64 * 1024);
  for (;;) {
    CO_TRY(const std::size_t size, co_await stream->read_some(buffer));
    print_out(as_text(ByteView(buffer).first(size)));
  }
}

std::string unauthorized_text() {
  return "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is " +
         environment_variable("ADB_VENDOR_KEYS").value_or("not set") +
         "\nTry 'adb kill-server' if that seems wrong.\n"
         "Otherwise check for a confirmation dialog on your device.";
}

bool is_property(std::string_view wanted, std::string_view kind, const std::string& value) {
  return wanted.starts_with(kind) && wanted.substr(kind.size()) == one_word(value);
}

bool is_network_serial(std::string_view serial) {
  return serial.contains(':') || serial.starts_with("emulator-") || serial.starts_with("adb-") ||
         serial.contains("._adb");
}

bool matches(const Question& question, const DeviceRow& row) {
  if (question.transport_id) return row.transport_id == question.transport_id;
  if (question.serial) {
    const std::string& wanted = *question.serial;
    return wanted == row.serial || wanted + ":5555" == row.serial ||
           (!row.bus_address.empty() && wanted == row.bus_address) ||
           is_property(wanted, "product:", row.product) ||
           is_property(wanted, "model:", row.model) || is_property(wanted, "device:", row.device);
  }
  if (question.reachable == Reachable::any) return true;
  const bool is_local = !is_on_usb(row) && is_network_serial(row.serial);
  return is_local == (question.reachable == Reachable::local);
}

// No source has the device: a server reports that, or there is no server.
bool is_none(const Error& error) {
  return error.code() == errc::no_devices || error.code() == errc::device_not_found ||
         error.code() == errc::adb_server_failed;
}

Error none_chosen(const Question& question) {
  if (question.transport_id) {
    return {errc::device_not_found,
            "no device with transport id '" + std::to_string(*question.transport_id) + "'"};
  }
  if (question.serial) {
    return {errc::device_not_found, "device '" + *question.serial + "' not found"};
  }
  if (question.reachable == Reachable::usb) return {errc::no_devices, "no devices found"};
  if (question.reachable == Reachable::local) return {errc::no_devices, "no emulators found"};
  return {errc::no_devices, "no devices/emulators found"};
}

Error several_chosen(const Question& question) {
  constexpr std::string_view kKinds[] = {"device/emulator", "device", "emulator"};
  const auto kind = kKinds[static_cast<std::size_t>(question.reachable)];
  return {errc::multiple_devices_device_id_required, "more than one " + std::string(kind)};
}

// An address that was connected before and does not answer is known, and offline.
Error worded(const Question& question, const DeviceRow* meant, Error error) {
  const bool is_known = question.serial && meant != nullptr && meant->transport == Transport::tcp;
  if (is_known && is_none(error)) return in_adb_words(question, {errc::device_offline, ""});
  return in_adb_words(question, error);
}

}  // namespace

bool server_is_given(const AdbContext& context) { return context.target.adb_server.has_value(); }

bool is_only_server(const AdbContext& context) {
  return server_is_given(context) || context.target.transport == Transport::server;
}

Result<ServerClient> server_of(const AdbContext& context) {
  TRY(auto address, choose_server_address(context.target.adb_server, environment_variable));
  return ServerClient(std::move(address));
}

std::string connect_reason(const Error& error) {
  const int reason = error.system_error();
  return reason == 0 ? error.message() : std::generic_category().message(reason);
}

bool is_server_absent(const Error& error) {
  return error.code() == errc::io || error.code() == errc::adb_server_failed;
}

DeviceChoice choice_of(const AdbContext& context) {
  return server_choice(adb_question(context, Readiness::any));
}

Result<std::optional<DeviceRow>> chosen_row(const AdbContext& context,
                                            const std::vector<DeviceRow>& rows) {
  const Question question = adb_question(context, Readiness::listed);
  const auto chosen = choose_rows(rows, question);
  const Error several{errc::multiple_devices_device_id_required, ""};
  if (!chosen && chosen.error().code() != several.code()) return std::optional<DeviceRow>{};
  if (chosen && chosen->size() == 1) return rows[chosen->front()];
  return std::unexpected(in_adb_words(question, several));
}

Task<std::optional<ServerClient>> find_adb_server(AdbContext* context) {
  if (!may_use_server(*context)) co_return std::optional<ServerClient>{};
  CO_TRY(auto client, server_of(*context));
  auto version = co_await client.version();
  if (!version && is_server_absent(version.error()) && context->target.start_server) {
    CO_TRY_VOID(co_await start_adb_server(client.address()));
    version = co_await client.version();
  }
  if (version) co_return client;
  if (is_server_absent(version.error()) && !server_is_given(*context)) {
    co_return std::optional<ServerClient>{};
  }
  co_return fail(version.error().code(), "cannot connect to daemon at " +
                                             client.address().to_string() + ": " +
                                             connect_reason(version.error()));
}

Task<DevicePtr> open_adb_device(AdbContext* context) {
  return resolve_device(adb_target(*context, Readiness::any));
}

// A device can be one of our targets and connected to the server, too.
Task<std::vector<DeviceRow>> own_rows(const AdbContext* context, Detail detail) {
  if (is_only_server(*context)) co_return std::vector<DeviceRow>{};
  auto rows = co_await list_devices(context->target, detail);
  if (!rows && rows.error().code() == errc::adb_server_failed) co_return std::vector<DeviceRow>{};
  if (!rows) co_return rows;
  std::set<std::string> held;  // serials
  for (const DeviceRow& row : *rows) {
    if (row.transport == Transport::server) held.insert(row.serial);
  }
  std::erase_if(*rows, [&](const DeviceRow& row) { return held.contains(row.serial); });
  co_return rows;
}

Task<std::vector<DeviceRow>> server_rows(ServerClient* server) {
  CO_TRY(const auto lines, co_await server->devices(ListFormat::detailed));
  std::vector<DeviceRow> rows;
  rows.reserve(lines.size());
  for (const DeviceLine& line : lines) rows.push_back(server_row(line));
  co_return rows;
}

Task<DeviceRow> choose_row(const AdbContext* context) {
  CO_TRY(const auto rows, co_await own_rows(context, Detail::states));
  CO_TRY(auto row, chosen_row(*context, rows));
  const auto refusal = [&](Errc code) {
    return std::unexpected(in_adb_words(adb_question(*context, Readiness::listed), {code, ""}));
  };
  if (row && row->state == State::unauthorized) co_return refusal(errc::device_unauthorized);
  if (row && row->state == State::offline) co_return refusal(errc::device_offline);
  if (row) co_return *std::move(row);
  AdbContext quiet = *context;
  quiet.target.authorization_limit = {};  // a status query must not open a key dialog on the phone
  quiet.target.server_is_absent = true;   // the caller has just checked
  CO_TRY(const auto device, co_await open_adb_device(&quiet));
  co_return DeviceRow{.serial = device->serial(), .state = state_of(*device)};
}

Task<std::unique_ptr<Device>> wait_for_adb_device(AdbContext* context) {
  auto device = co_await open_adb_device(context);
  if (device || !may_come_yet(device.error())) co_return device;
  print_err("- waiting for device -\n");
  context->target.authorization_limit = {};  // the phone has shown its dialog once
  while (!device && may_come_yet(device.error())) {
    co_await sleep_for(kListPollInterval);
    device = co_await open_adb_device(context);
  }
  co_return device;
}

Task<int> print_service(AdbContext* context, std::string service) {
  const auto device = co_await open_adb_device(context);
  if (!device) co_return print_service_error(device.error(), 1);
  const auto stream = co_await (*device)->open(std::move(service));
  if (!stream) co_return print_service_error(stream.error(), 1);
  const auto ended = co_await copy_out(stream->get());
  if (ended.error().code() == errc::cancelled) co_return std::unexpected(ended.error());
  co_return 0;
}

Task<int> run_device_command(Device* device, std::string command) {
  const Framing framing = shell_framing(*device);
  const auto term = environment_variable("TERM").value_or("");
  const auto stream =
      co_await device->open(shell_service(framing, ShellKind::automatic, term, command));
  if (!stream) co_return print_service_error(stream.error(), 1);
  co_return co_await run_session(stream->get(), {.framing = framing, .in = -1});
}

int print_line(const Result<std::string>& line) {
  if (!line) return query_failed(line.error());
  print_out(*line + "\n");
  return 0;
}

int query_failed(const Error& error) {
  if (error.code() == errc::cancelled) return 1;  // the user did it
  print_err("error: " + error.message() + "\n");
  return 1;
}

int adb_failed(std::string_view words) {
  print_err("adb: " + std::string(words) + "\n");
  return 1;
}

std::string adb_words(const Error& error) {
  const bool by_adbd = error.code() == errc::refused && error.message().contains("refused");
  return by_adbd ? "closed" : error.message();
}

int print_service_error(const Error& error, int code) {
  print_err("error: " + adb_words(error) + "\n");
  return code;
}

int transfer_failed(const Error& error) {
  if (error.code() == errc::cancelled) return 1;
  print_out("adb: error: failed to get feature set: " + error.message() + "\n");
  return 1;
}

int not_offered(std::string_view what, std::string_view why) {
  return adb_failed(std::string(what) + " is not offered: " + std::string(why));
}

constinit const Dialect kAdbDialect{.matches = matches, .worded = worded, .server_chooses = true};

std::string one_word(std::string property) {
  const auto is_odd = [](unsigned char c) { return c >= 0x80 || std::isalnum(c) == 0; };
  std::ranges::replace_if(property, is_odd, '_');
  return property;
}

Question adb_question(const AdbContext& context, Readiness readiness) {
  return question_of(adb_target(context, readiness));
}

Error in_adb_words(const Question& question, const Error& error) {
  if (is_none(error)) return none_chosen(question);
  const Errc code = error.code();
  if (code == errc::multiple_devices_device_id_required) return several_chosen(question);
  if (code == errc::device_unauthorized) return {code, unauthorized_text()};
  return code == errc::device_offline ? Error(code, "device offline") : error;
}

}  // namespace clawperator::cli
